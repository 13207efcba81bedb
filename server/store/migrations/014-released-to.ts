import { sql, type Kysely } from 'kysely'

/**
 * A webhook is let out to one host, and to no other that a map leads it to later. Of those before nobody noted where to:
 * what waits for a further attempt is judged anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "delivery" add column "releasedTo" text`.execute(db)
  await sql`alter table "delivery" drop column "released"`.execute(db)
}
