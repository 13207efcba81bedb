import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import * as meta from '../meta.ts'
import type { Database } from '../schema.ts'

/** Which life of the journal this is. `seq` starts again with every new one. `undefined` before the first. */
export const current = (db: Kysely<Database>): Promise<string | undefined> => meta.read(db, 'epoch')

/** Begins a new one. */
export async function begin(db: Kysely<Database>): Promise<string> {
  const epoch = randomUUID()
  await meta.write(db, 'epoch', epoch)
  return epoch
}

/** Empties every table and begins a new epoch. */
export async function renew(db: Kysely<Database>): Promise<string> {
  // Those that refer to others first.
  const tables = [
    'pin',
    'waiting',
    'listener',
    'capture',
    'tunnel',
    'event',
    'delivery',
    'refund',
    'invoice',
    'link',
    'behavior',
    'formerKey',
    'block',
    'beginning',
    'fault',
    'outlet',
    'account',
    'meta',
  ] as const
  for (const table of tables) await db.deleteFrom(table).execute()
  return begin(db)
}
