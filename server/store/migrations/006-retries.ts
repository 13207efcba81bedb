import { sql, type Kysely } from 'kysely'

/** Adds the waits before further attempts. Existing deliveries have one attempt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('delivery')
    .addColumn('retries', 'text', (column) => column.notNull().defaultTo('none'))
    .execute()
  await db.schema.alterTable('delivery').addColumn('dueAt', 'text').execute()
  await sql`drop index "deliveryWaiting"`.execute(db)
  await sql`create index "deliveryWaiting" on "delivery" ("target", "dueAt", "id") where "state" in ('pending', 'underway')`.execute(
    db,
  )
  await sql`create index "deliveryDue" on "delivery" ("dueAt", "id") where "state" in ('pending', 'underway')`.execute(
    db,
  )
  await sql`update "event" set "data" = json_set("data", '$.dueAt', null)
    where "type" = 'delivery.attempted' and json_type("data", '$.dueAt') is null`.execute(db)
}
