import { sql, type Kysely } from 'kysely'

/** Findings are few among many events, and read by themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "eventDiagnostic" on "event" ("seq") where "type" = 'diagnostic.found'`.execute(db)
}
