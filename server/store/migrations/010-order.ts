import { sql, type Kysely } from 'kysely'

/** The order of redirect and webhook that is still to be kept. What was queued before has none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('delivery').addColumn('order', 'text').execute()
  await db.schema.alterTable('delivery').addColumn('redirect', 'text').execute()
  await sql`create index "deliveryOrder" on "delivery" ("linkId") where "order" is not null`.execute(db)
}
