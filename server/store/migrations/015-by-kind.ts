import { sql, type Kysely } from 'kysely'

/** What is rare among many is looked for by its kind. The one of findings is in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "eventOfType" on "event" ("type", "seq")`.execute(db)
  await sql`create index "linkOfStatus" on "link" ("status", "id")`.execute(db)
  await sql`drop index "eventDiagnostic"`.execute(db)
}
