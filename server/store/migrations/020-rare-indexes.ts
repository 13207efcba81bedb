import { sql, type Kysely } from 'kysely'

/** Removes from two indexes the values that nearly every call adds, so that a call writes fewer pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index "eventOfType"`.execute(db)
  await sql`create index "eventOfRareType" on "event" ("type", "seq")
    where "type" not in ('api.request', 'link.created', 'delivery.queued', 'delivery.attempted')`.execute(db)
  await sql`drop index "linkOfStatus"`.execute(db)
  await sql`create index "linkOfRareStatus" on "link" ("status", "id") where "status" <> 'unused'`.execute(db)
}
