import { sql, type Kysely } from 'kysely'

/** Adds the time when a link was paid. Its fees are billed in the month of that time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('link').addColumn('paidAt', 'text').execute()
  await sql`update "link" set "paidAt" = (
    select min("event"."at") from "event" where "event"."linkId" = "link"."id" and "event"."type" = 'link.paid'
  ) where "status" = 'paid'`.execute(db)
  await sql`create index "linkPaid" on "link" ("paidAt") where "paidAt" is not null`.execute(db)
}
