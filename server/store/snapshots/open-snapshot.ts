import type SQLite from 'better-sqlite3'
import { closeSync, openSync, readSync } from 'node:fs'
import { connectSqlite } from '../sqlite/load-sqlite.ts'

/** Opens a file, or the bytes of one, for reading. The file may come from anybody, so nothing in it is run. */
export function openSnapshot(source: string | Buffer): SQLite.Database {
  const file = connectSqlite(source, { readonly: true })
  file.pragma('trusted_schema = off')
  file.pragma('cell_size_check = on')
  // `quick_check` would run the check constraints.
  file.pragma('ignore_check_constraints = on')
  return file
}

const SQLITE_HEADER = 'SQLite format 3\0'

/** Checks the first bytes of a file before SQLite reads it. Returns what is wrong, or `null`. */
export function validateHeader(path: string): string | null {
  const head = Buffer.alloc(20)
  const file = openSync(path, 'r')
  const length = readSync(file, head)
  closeSync(file)
  if (length === 0) return 'it is empty'
  if (head.toString('latin1', 0, SQLITE_HEADER.length) !== SQLITE_HEADER) return 'it is not an SQLite file'
  // Bytes 18 and 19 are 2 in WAL mode.
  return head[18] === 1 && head[19] === 1
    ? null
    : 'it is a copy of a database in use and may lack recent data. Take a snapshot in that sandbox, and download that'
}
