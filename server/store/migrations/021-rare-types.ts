import { sql, type Kysely } from 'kysely'

/**
 * Writes the condition of the index of rare types as comparisons. For a list of more than two values, SQLite built a temporary
 * table with each event, which took longer than to write the event to its indexes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index "eventOfRareType"`.execute(db)
  await sql`create index "eventOfRareType" on "event" ("type", "seq") where "type" <> 'api.request'
    and "type" <> 'link.created' and "type" <> 'delivery.queued' and "type" <> 'delivery.attempted'`.execute(
    db,
  )
}
