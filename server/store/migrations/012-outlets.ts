import type { Kysely } from 'kysely'

/** Adds mapped origins and allowed hosts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outlet')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('from', 'text', (column) => column.notNull().unique())
    .addColumn('to', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .execute()
}
