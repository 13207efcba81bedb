import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Database } from './schema.ts'

/** Which life of the journal this is. `seq` starts again with every new one. `undefined` before the first. */
export async function current(db: Kysely<Database>): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', 'epoch').executeTakeFirst()
  return row?.value
}

/** Empties every table and begins a new epoch. */
export async function renew(db: Kysely<Database>): Promise<void> {
  // Those that refer to others first.
  const tables = ['event', 'delivery', 'refund', 'invoice', 'link', 'behavior', 'account', 'meta'] as const
  for (const table of tables) await db.deleteFrom(table).execute()
  await db.insertInto('meta').values({ key: 'epoch', value: randomUUID() }).execute()
}
