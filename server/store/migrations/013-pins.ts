import type { Kysely } from 'kysely'

/** Adds pins. The retention never removes a pinned event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pin')
    .addColumn('seq', 'integer', (column) => column.primaryKey().references('event.seq').onDelete('cascade'))
    .execute()
}
