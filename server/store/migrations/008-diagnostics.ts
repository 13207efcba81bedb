import { sql, type Kysely } from 'kysely'

/** Adds an index of diagnostics, which are few among many events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index "eventDiagnostic" on "event" ("seq") where "type" = 'diagnostic.found'`.execute(db)
}
