import type { Kysely } from 'kysely'
import { cached, changed } from './writer-state.ts'
import type { Database, MetaTable } from './schema.ts'

type Key = MetaTable['key']

/** Reads a setting of the sandbox itself. `MetaTable` describes the keys. */
export const read = cached('meta', async (db, key: Key): Promise<string | undefined> => {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
})

/** Reads a setting that is a number, 0 by default. */
export const readNumber = async (db: Kysely<Database>, key: Key): Promise<number> =>
  Number((await read(db, key)) ?? 0)

export async function write(db: Kysely<Database>, key: Key, value: string): Promise<void> {
  changed(db, 'meta')
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

export async function remove(db: Kysely<Database>, key: Key): Promise<void> {
  changed(db, 'meta')
  await db.deleteFrom('meta').where('key', '=', key).execute()
}
