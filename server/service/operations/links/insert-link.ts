import type { Account } from '../../../domain/accounts/account.ts'
import type { ActiveBehaviors, BehaviorSettings } from '../../../domain/behaviors/behavior.ts'
import { linkSubject } from '../../../domain/links/subject.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { nextId, payIdFor, sharedIdRange, type IdRange } from '../../../domain/links/id-range.ts'
import { draftLink, type DraftedLink, type Link } from '../../../domain/links/link.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import {
  callbackUrlList,
  resolveTargets,
  webhookUrlList,
  type Target,
} from '../../../domain/links/targets.ts'
import * as accountOriginals from '../../../store/repositories/account-originals.ts'
import * as idBlocks from '../../../store/repositories/id-blocks.ts'
import * as links from '../../../store/repositories/links.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { Caller } from '../accounts/caller.ts'

/** A request for a new link, with or without a split. */
interface LinkRequest extends Pick<Link, 'amount' | 'note' | 'cancellable' | 'isQrLink' | 'paymentEndpoint'> {
  /** URLs and indexes, separated by commas. Only the first entry is used. */
  readonly callbackUrl: string
}

type LinkKind = Pick<Link, 'kind' | 'splitType' | 'recipients' | 'bankTransfer' | 'bankStatementDescription'>

/** Resolves the addresses of a new link, assigns its ids and stores it. */
export async function insertLink(
  work: UnitOfWork,
  { account, behaviors }: Caller,
  request: LinkRequest,
  kind: LinkKind,
): Promise<Link> {
  const outOfRange = () => behaviors.dependOn('indexOutOfRange')
  const onUnusualEntry = () => behaviors.markAssumptions('addresses')
  const handlers = { outOfRange, onUnusualEntry }
  const callbacks = resolveTargets(request.callbackUrl, callbackUrlList(account), handlers)
  const targets = resolveTargets(request.paymentEndpoint, webhookUrlList(account), handlers)
  if (callbacks.length > 0 || targets.length > 0) behaviors.markAssumptions('storedUrls')
  assertHttps(account, callbacks, targets, behaviors)
  if (new Set(targets.map(({ url }) => url)).size < targets.length)
    behaviors.markAssumptions('repeatedEntries')

  const drafted = draftLink(account, {
    amount: request.amount,
    note: request.note,
    kind: kind.kind,
    splitType: kind.splitType,
    recipients: kind.recipients,
    cancellable: request.cancellable,
    isQrLink: request.isQrLink,
    bankTransfer: kind.bankTransfer,
    bankStatementDescription: kind.bankStatementDescription,
    callbackUrl: callbacks[0]?.url,
    paymentEndpoint: request.paymentEndpoint,
    targets,
    createdAt: work.now,
  })
  const link = await insertWithNextId(work, account, drafted, behaviors.dependOn('payId'))
  await work.record({ type: 'link.created', ...linkSubject(link), link })
  return link
}

/**
 * Rejects a link with an http address if the behavior `https` requires https. If a link has no targets, the account's payment
 * endpoint is checked.
 */
function assertHttps(
  account: Account,
  callbacks: readonly Target[],
  targets: readonly Target[],
  behaviors: ActiveBehaviors,
): void {
  const addresses = [
    ...callbacks.slice(0, 1).map(({ url }) => ({ field: 'callback_url', url }) as const),
    ...targets.map(({ url }) => ({ field: 'payment_endpoint', url }) as const),
    ...(targets.length === 0 ? [{ field: null, url: account.paymentEndpoint }] : []),
  ]
  for (const { field, url } of addresses) {
    if (/^http:/i.test(url) && behaviors.dependOn('https') === 'required')
      throw apiError('notHttps', field, truncate(url, 200))
  }
}

/** Stores a link under the next id whose `pay_id` is also free. A seed may have used that `pay_id`. */
export async function insertWithNextId(
  work: UnitOfWork,
  owner: Account,
  drafted: DraftedLink,
  relation: BehaviorSettings['payId'],
): Promise<Link> {
  const { id: first, range } = await nextLinkId(work, owner)
  for (let id: number | undefined = first; id !== undefined; id = nextId(range, id)) {
    const link: Link = { id, payId: payIdFor(id, relation, range), ...drafted }
    if (await links.insert(work.db, link)) return link
  }
  throw apiError('idsUsedUp')
}

interface NextId {
  readonly id: number
  readonly range: IdRange
}

/**
 * Returns the id of an account's next link, from its newest block, or from a new block if the newest is full. An account without a
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
  const { id: newest } = await links.newestIds(db, range)
  const id = nextId(range, newest || undefined)
  return id === undefined ? undefined : { id, range }
}

/** Blocks are chosen by the hash of the original name, so a renamed account keeps its ids. */
const originalName = async (db: UnitOfWork['db'], accountId: string): Promise<string> =>
  (await accountOriginals.find(db, accountId)).account.name
