import type { Kysely } from 'kysely'

/** Adds faults, and marks the deliveries that a fault delayed or created. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fault')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('on', 'text', (column) => column.notNull())
    .addColumn('accountId', 'text')
    .addColumn('operation', 'text')
    .addColumn('target', 'text')
    .addColumn('script', 'text', (column) => column.notNull())
    .addColumn('times', 'integer')
    .addColumn('probability', 'real', (column) => column.notNull())
    .addColumn('seed', 'integer', (column) => column.notNull())
    .addColumn('asked', 'integer', (column) => column.notNull())
    .addColumn('struck', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.alterTable('delivery').addColumn('fault', 'text').execute()
}
