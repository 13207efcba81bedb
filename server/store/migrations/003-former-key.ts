import type { Kysely } from 'kysely'

/** The API keys that accounts had: what leaves the sandbox is masked of them too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('formerKey')
    .addColumn('apiKey', 'text', (column) => column.primaryKey())
    .execute()
}
