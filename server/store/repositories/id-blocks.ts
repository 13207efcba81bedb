import type { Kysely } from 'kysely'
import { createHash } from 'node:crypto'
import { blockIdRange, FIRST_BLOCK, LAST_BLOCK, type IdRange } from '../../domain/links/id-range.ts'
import { cached, changed } from '../writer-state.ts'
import type { Database } from '../schema.ts'

const COUNT = LAST_BLOCK - FIRST_BLOCK + 1

/** A range of ids that belongs to one account only. */
interface IdBlock {
  /** The number of the block among the blocks of its account, from 1. */
  readonly position: number
  readonly ids: IdRange
}

/** The first or the newest block of an account. `undefined` if the account has no blocks. */
export const find = cached(
  'idBlock',
  async (db, accountId: string, which: 'first' | 'newest'): Promise<IdBlock | undefined> => {
    const row = await db
      .selectFrom('idBlock')
      .selectAll()
      .where('accountId', '=', accountId)
      .orderBy('position', which === 'first' ? 'asc' : 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && { position: row.position, ids: blockIdRange(row.number) }
  },
)

/**
 * Gives an account a block and returns it. `undefined` if all blocks are used. The block is chosen by the hash of the account's
 * first name, so that a test gets the same ids whichever tests ran before. If the block belongs to a different account, the next
 * free block is taken. If the hash changed, so would the ids that users' tests expect.
 */
export async function take(
  db: Kysely<Database>,
  accountId: string,
  position: number,
  name: string,
): Promise<IdBlock | undefined> {
  const preferred = createHash('sha256').update(`${position} ${name}`).digest().readUIntBE(0, 6) % COUNT
  for (let offset = 0; offset < COUNT; offset++) {
    const number = FIRST_BLOCK + ((preferred + offset) % COUNT)
    if (await isTaken(db, number)) continue
    changed(db, 'idBlock')
    await db.insertInto('idBlock').values({ number, accountId, position }).execute()
    return { position, ids: blockIdRange(number) }
  }
  return undefined
}

async function isTaken(db: Kysely<Database>, number: number): Promise<boolean> {
  const row = await db.selectFrom('idBlock').select('number').where('number', '=', number).executeTakeFirst()
  return row !== undefined
}

/** Frees the blocks of an account from a position on. */
export async function free(db: Kysely<Database>, accountId: string, from = 1): Promise<void> {
  changed(db, 'idBlock')
  await db.deleteFrom('idBlock').where('accountId', '=', accountId).where('position', '>=', from).execute()
}
