import { sql, type Kysely } from 'kysely'
import * as meta from './meta.ts'
import type { Database, MetaTable } from './schema.ts'
import { cached, stateOf } from './writer-state.ts'

type CountedTable = 'delivery' | 'event'

/** Returns the id after the newest one, and remembers it. `readNewest` reads the newest id that the table has ever had. */
export async function takeId(
  db: Kysely<Database>,
  table: CountedTable,
  readNewest: () => Promise<number>,
): Promise<number> {
  const state = stateOf(db)
  const newest = state?.get<number>(table, NEWEST)
  const read = newest ?? (await readNewest())
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

/**
 * Creates a function that returns how many ids, up to the newest one, have no row. New rows do not change this number, so with
 * the newest id it tells the number of rows without reading all of them. Reads them only if some were removed since the last time.
 */
export const createUnusedCount = (
  table: CountedTable,
  key: 'id' | 'seq',
  deleted?: MetaTable['key'],
): ((db: Kysely<Database>) => Promise<number>) =>
  cached(table, async (db) => {
    const newestDeleted = deleted === undefined ? 0 : await meta.readNumber(db, deleted)
    // One statement, so that no row is added in between. Two subqueries, because one query for both would be slower.
    const { rows } = await sql<{ newest: number | null; rows: number }>`select
      (select max(${sql.ref(key)}) from ${sql.table(table)}) as "newest",
      (select count(*) from ${sql.table(table)}) as "rows"`.execute(db)
    const [{ newest, rows: number }] = rows as [(typeof rows)[0]]
    return Math.max(newestDeleted, Number(newest ?? 0)) - Number(number)
  })
