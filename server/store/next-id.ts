import { sql, type Kysely } from 'kysely'
import * as meta from './meta.ts'
import type { Database, MetaTable } from './schema.ts'
import { stateOf } from './writer-state.ts'

type CountedTable = 'delivery' | 'event'

/** Returns the id after the newest one, and remembers it. `readNewest` reads the newest id that the table has ever had. */
export async function takeId(
  db: Kysely<Database>,
  table: CountedTable,
  readNewest: () => Promise<number>,
): Promise<number> {
  const state = stateOf(db)
  const known = state?.get<number>(table, NEWEST)
  const read = known ?? (await readNewest())
  // During the read, another statement of the same unit of work may have taken an id.
  const id = 1 + (state?.get<number>(table, NEWEST) ?? read)
  state?.set(table, NEWEST, id)
  return id
}

const NEWEST = 'newest'

/** The newest id that a table ever had, even if the row was deleted. SQLite itself would use the id of a deleted row again. */
export async function readNewestId(
  db: Kysely<Database>,
  table: 'delivery' | 'fault',
  deleted: MetaTable['key'],
): Promise<number> {
  const { newest } = await db
    .selectFrom(table)
    .select(sql<number | null>`max("id")`.as('newest'))
    .executeTakeFirstOrThrow()
  return Math.max(Number(newest ?? 0), await meta.readNumber(db, deleted))
}
