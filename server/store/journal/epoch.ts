import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { emptyTables } from '../empty-tables.ts'
import * as meta from '../meta.ts'
import type { Database } from '../schema.ts'

/**
 * The current epoch of the journal. `undefined` in an empty database. After a reset, the new epoch starts with `seq` 1. After a
 * restore, `seq` continues from the snapshot. Code that keeps a `seq` or an id must compare epochs.
 */
export const current = (db: Kysely<Database>): Promise<string | undefined> => meta.read(db, 'epoch')

/** Begins a new epoch and returns it. */
export async function begin(db: Kysely<Database>): Promise<string> {
  const epoch = randomUUID()
  await meta.write(db, 'epoch', epoch)
  return epoch
}

/** Empties every table and begins a new epoch. */
export async function emptyDatabase(db: Kysely<Database>): Promise<string> {
  await emptyTables(db)
  return begin(db)
}
