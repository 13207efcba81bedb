import type { Kysely } from 'kysely'

/** Where notifications may leave to: origins that are mapped, and hosts that are allowed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outlet')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('from', 'text', (column) => column.notNull().unique())
    .addColumn('to', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .execute()
}
