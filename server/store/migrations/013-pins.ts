import type { Kysely } from 'kysely'

/** The events that somebody wants kept, however old they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pin')
    .addColumn('seq', 'integer', (column) => column.primaryKey().references('event.seq').onDelete('cascade'))
    .execute()
}
