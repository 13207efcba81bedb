import type SQLite from 'better-sqlite3'
import { findInTimeSlices } from './find-in-time-slices.ts'
import { connectSqlite } from '../sqlite/load-sqlite.ts'
import { LIST_OWN_TABLES } from '../sqlite/own-tables.ts'
import { migrateAlone, schemaOf } from '../migrations/migrate.ts'

/** The sandbox's tables, in the order of their creation. */
export const tablesOf = (db: SQLite.Database): string[] =>
  db.prepare(LIST_OWN_TABLES).pluck().all() as string[]

/** Copies a table row by row, and yields after each row. */
export function* copyRows(source: SQLite.Database, target: SQLite.Database, table: string): Generator<void> {
  const rows = source.prepare<[], unknown[]>(`select * from "${table}" not indexed`).raw()
  const columns = rows.columns().map(({ name }) => `"${name}"`)
  const values = columns.map(() => '?').join(', ')
  const insert = target.prepare(`insert into "${table}" (${columns.join(', ')}) values (${values})`)
  for (const row of rows.iterate()) {
    insert.run(row)
    yield
  }
}

/**
 * Copies a snapshot of an older schema and migrates the copy to the latest one.
 *
 * A file from elsewhere may have checks and indexes that run anything on a write. So the rows go into a database that
 * this version's migrations created, and the file itself is only read.
 */
export async function createMigratedCopy(older: SQLite.Database): Promise<SQLite.Database> {
  // A temporary file that SQLite deletes by itself, because the copy may not fit into memory.
  const copy = connectSqlite('')
  try {
    await migrateAlone(copy, schemaOf(older))
    copy.exec('begin')
    for (const table of tablesOf(copy)) await findInTimeSlices(copyRows(older, copy, table), () => null)
    copy.exec('commit')
    await migrateAlone(copy)
    return copy
  } catch (error) {
    copy.close()
    throw error
  }
}
