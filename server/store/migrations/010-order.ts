import { sql, type Kysely } from 'kysely'

/** Adds the order of redirect and webhook. Existing deliveries have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('delivery').addColumn('order', 'text').execute()
  await db.schema.alterTable('delivery').addColumn('redirect', 'text').execute()
  await sql`create index "deliveryOrder" on "delivery" ("linkId") where "order" is not null`.execute(db)
}
