import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import * as meta from './meta.ts'
import type { Database } from './schema.ts'

/** Which life of the journal this is. `seq` starts again with every new one. `undefined` before the first. */
export const current = (db: Kysely<Database>): Promise<string | undefined> => meta.read(db, 'epoch')

/** Begins a new one. */
export const begin = (db: Kysely<Database>): Promise<void> => meta.write(db, 'epoch', randomUUID())

/** Empties every table and begins a new epoch. */
export async function renew(db: Kysely<Database>): Promise<void> {
  // Those that refer to others first.
  const tables = ['event', 'delivery', 'refund', 'invoice', 'link', 'behavior', 'account', 'meta'] as const
  for (const table of tables) await db.deleteFrom(table).execute()
  await begin(db)
}
