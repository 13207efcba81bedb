import { sql, type Kysely } from 'kysely'

/** Gives the events of an older journal what those of today say: nothing, where nothing was noted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update "event" set "data" = json_set("data", '$.carried', null)
    where "type" = 'tunnel.captured' and json_type("data", '$.carried') is null`.execute(db)
  await sql`update "event" set "data" = json_set("data", '$.fields', json('[]'))
    where "type" = 'account.changed' and json_type("data", '$.fields') is null`.execute(db)
}
