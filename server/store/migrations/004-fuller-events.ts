import { sql, type Kysely } from 'kysely'

/** Adds newer fields to older events, with an empty value. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update "event" set "data" = json_set("data", '$.carried', null)
    where "type" = 'tunnel.captured' and json_type("data", '$.carried') is null`.execute(db)
  await sql`update "event" set "data" = json_set("data", '$.fields', json('[]'))
    where "type" = 'account.changed' and json_type("data", '$.fields') is null`.execute(db)
}
