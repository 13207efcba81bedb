import { sql, type Kysely } from 'kysely'

/**
 * Notes the host to which a delivery was released, as a map may lead it to another host later. For existing deliveries
 * nobody recorded the host, so the egress policy checks them again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "delivery" add column "releasedTo" text`.execute(db)
  await sql`alter table "delivery" drop column "released"`.execute(db)
}
