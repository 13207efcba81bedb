import { sql, type Kysely } from 'kysely'

/**
 * Adds indexes by event type and by link status, so that queries find rare types and statuses quickly. The first
 * replaces the index of diagnostics.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "eventOfType" on "event" ("type", "seq")`.execute(db)
  await sql`create index "linkOfStatus" on "link" ("status", "id")`.execute(db)
  await sql`drop index "eventDiagnostic"`.execute(db)
}
