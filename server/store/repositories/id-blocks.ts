import type { Kysely } from 'kysely'
import { createHash } from 'node:crypto'
import { blockIdRange, FIRST_BLOCK, LAST_BLOCK, type IdRange } from '../../domain/links/id-range.ts'
import { cached } from '../sqlite/read-cache.ts'
import type { Database } from '../schema.ts'

const COUNT = LAST_BLOCK - FIRST_BLOCK + 1

/** The ids of the block an account takes its ids from now, and which of its blocks that is. */
export interface IdBlock {
  readonly place: number
  readonly ids: IdRange
}

/** The first block of an account, or the one it has come to. `undefined` for an account without any. */
export const find = cached(
  async (db, accountId: string, which: 'first' | 'newest'): Promise<IdBlock | undefined> => {
    const row = await db
      .selectFrom('block')
      .selectAll()
      .where('accountId', '=', accountId)
      .orderBy('place', which === 'first' ? 'asc' : 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && { place: row.place, ids: blockIdRange(row.number) }
  },
)

/**
 * Gives an account a block. Which one follows from the name, so that it is the same whatever was made before;
 * the next free one where another account has it. `undefined` where all are taken.
 */
export async function take(
  db: Kysely<Database>,
  accountId: string,
  place: number,
  name: string,
): Promise<IdBlock | undefined> {
  const wanted = createHash('sha256').update(`${place} ${name}`).digest().readUIntBE(0, 6) % COUNT
  for (let tried = 0; tried < COUNT; tried++) {
    const number = FIRST_BLOCK + ((wanted + tried) % COUNT)
    if (await isTaken(db, number)) continue
    await db.insertInto('block').values({ number, accountId, place }).execute()
    return { place, ids: blockIdRange(number) }
  }
  return undefined
}

async function isTaken(db: Kysely<Database>, number: number): Promise<boolean> {
  const row = await db.selectFrom('block').select('number').where('number', '=', number).executeTakeFirst()
  return row !== undefined
}

/** Frees the blocks of an account from a place on. */
export async function free(db: Kysely<Database>, accountId: string, from = 1): Promise<void> {
  await db.deleteFrom('block').where('accountId', '=', accountId).where('place', '>=', from).execute()
}
