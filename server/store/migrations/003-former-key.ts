import type { Kysely } from 'kysely'

/** Adds the former API keys of accounts, which exports mask, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('formerKey')
    .addColumn('apiKey', 'text', (column) => column.primaryKey())
    .execute()
}
