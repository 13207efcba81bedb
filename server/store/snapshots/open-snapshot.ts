import SQLite from 'better-sqlite3'
import { closeSync, openSync, readSync } from 'node:fs'

/** Opens a file, or the bytes of one, to read. Whatever is in one from elsewhere, nothing of it is run. */
export function openSnapshot(source: string | Buffer): SQLite.Database {
  const file = new SQLite(source, { readonly: true })
  file.pragma('trusted_schema = off')
  file.pragma('cell_size_check = on')
  // A check of the pages would run them.
  file.pragma('ignore_check_constraints = on')
  return file
}

const MAGIC = 'SQLite format 3\0'

/** What the first bytes of a file say against it, before SQLite looks at it. */
export function validateHeader(path: string): string | null {
  const head = Buffer.alloc(20)
  const file = openSync(path, 'r')
  const length = readSync(file, head)
  closeSync(file)
  if (length === 0) return 'it is empty'
  if (head.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'it is no SQLite file'
  return head[18] === 1 && head[19] === 1
    ? null
    : 'it was copied from a database in use, and may lack what was written last. Take a snapshot there, and download that'
}
