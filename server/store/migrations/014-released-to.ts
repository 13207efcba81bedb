import { sql, type Kysely } from 'kysely'

/**
 * Adds the host to which a delivery was released, because a map may send it to another host later. Existing deliveries
 * have no such host, so the egress policy checks them again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "delivery" add column "releasedTo" text`.execute(db)
  await sql`alter table "delivery" drop column "released"`.execute(db)
}
