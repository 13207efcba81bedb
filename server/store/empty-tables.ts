import { setImmediate as otherWork } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { numberKeyOf, TABLES } from './tables.ts'
import { changed } from './writer-state.ts'

/** SQLite deletes this many rows in a few milliseconds. */
const ROWS_PER_STEP = 500

/** Deletes all rows. In between, requests that need no database are handled. */
export async function emptyTables(db: Kysely<Database>): Promise<void> {
  // Empties the last table first, because rows refer only to rows of earlier tables.
  for (const table of TABLES.toReversed()) {
    changed(db, table)
    const key = numberKeyOf(table)
    if (key !== undefined) await deleteInSteps(db, table, sql.ref(key))
    else await db.deleteFrom(table).execute()
  }
}

async function deleteInSteps(
  db: Kysely<Database>,
  table: keyof Database,
  key: ReturnType<typeof sql.ref>,
): Promise<void> {
  for (;;) {
    const some = db.selectFrom(table).select(key.as('key')).orderBy(key).limit(sql.lit(ROWS_PER_STEP))
    const { numDeletedRows } = await db.deleteFrom(table).where(key, 'in', some).executeTakeFirstOrThrow()
    if (numDeletedRows < ROWS_PER_STEP) return
    await otherWork()
  }
}
