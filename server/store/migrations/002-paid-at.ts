import { sql, type Kysely } from 'kysely'

/** When a link was paid, by which its fees are billed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('link').addColumn('paidAt', 'text').execute()
  await sql`update "link" set "paidAt" = (
    select min("event"."at") from "event" where "event"."linkId" = "link"."id" and "event"."type" = 'link.paid'
  ) where "status" = 'paid'`.execute(db)
  await sql`create index "linkPaid" on "link" ("paidAt") where "paidAt" is not null`.execute(db)
}
