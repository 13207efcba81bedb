import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'

/** Pins an event, so that the retention never removes it. */
export async function add(db: Kysely<Database>, seq: number): Promise<void> {
  await db
    .insertInto('pin')
    .values({ seq })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function remove(db: Kysely<Database>, seq: number): Promise<void> {
  await db.deleteFrom('pin').where('seq', '=', seq).execute()
}

export async function has(db: Kysely<Database>, seq: number): Promise<boolean> {
  return (await db.selectFrom('pin').select('seq').where('seq', '=', seq).executeTakeFirst()) !== undefined
}
