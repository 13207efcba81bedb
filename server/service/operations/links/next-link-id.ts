import type { Account } from '../../../domain/accounts/account.ts'
import { nextId, sharedIdRange, type IdRange } from '../../../domain/links/id-range.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import * as accountOriginals from '../../../store/repositories/account-originals.ts'
import * as idBlocks from '../../../store/repositories/id-blocks.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'

interface NextId {
  readonly id: number
  readonly range: IdRange
}

/**
 * Returns the id of an account's next link: from its newest block, or from a new block if it is full. An account without a
 * block uses the shared range.
 */
export async function nextLinkId({ db }: UnitOfWork, { id: accountId }: Account): Promise<NextId> {
  const block = await idBlocks.find(db, accountId, 'newest')
  const next = await nextIdIn(db, block?.ids ?? sharedIdRange)
  if (next) return next
  const further =
    block && (await idBlocks.take(db, accountId, block.position + 1, await originalName(db, accountId)))
  const first = further && (await nextIdIn(db, further.ids))
  if (!first) throw apiError('idsUsedUp')
  return first
}

async function nextIdIn(db: UnitOfWork['db'], range: IdRange): Promise<NextId | undefined> {
  const id = nextId(range, await links.newestId(db, range))
  return id === undefined ? undefined : { id, range }
}

/** The blocks depend on the hash of the original name, so a renamed account keeps its ids. */
const originalName = async (db: UnitOfWork['db'], accountId: string): Promise<string> =>
  (await accountOriginals.find(db, accountId)).account.name
