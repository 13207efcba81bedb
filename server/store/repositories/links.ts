import { sql, type Kysely } from 'kysely'
import { findIdRange, sharedIdRange, type IdRange } from '../../domain/links/id-range.ts'
import type { Link, LinkStatus } from '../../domain/links/link.ts'
import { createTurns } from '../../platform/system/turns.ts'
import { listInSlices } from '../in-slices.ts'
import { prepared, preparedInsert, preparedWrite, LIMIT_ONE } from '../prepared.ts'
import { HAS_RARE_STATUS, isRareStatus } from '../rare-rows.ts'
import { createRowCodec } from '../row-codec.ts'
import * as meta from '../meta.ts'
import { withoutIndex } from '../without-index.ts'
import { changed, stateOf } from '../writer-state.ts'
import type { Database } from '../schema.ts'

/** How many links are read at once, or deleted together with the rows that refer to them. */
const ROWS_PER_STEP = 200
const ROWS_PER_PAGE = 2_000

/** The newest id and the newest `payId` in a range. 0 if the range has none. */
interface Newest {
  readonly id: number
  readonly payId: number
}

/**
 * The newest id and `payId` within a range. In the range that accounts share, the id may be that of a deleted link, because no id
 * is assigned twice.
 */
export async function newestIds(db: Kysely<Database>, { first, last }: IdRange): Promise<Newest> {
  const state = stateOf(db)
  const key = rangeKey(first)
  const cached = state?.get<Newest>('link', key)
  if (cached) return cached
  const { rows } = await newestWithin(db, { first, last })
  const deleted = first === sharedIdRange.first ? await meta.readNumber(db, 'lastDeletedLink') : 0
  const read = { id: Math.max(Number(rows[0]!.id ?? 0), deleted), payId: Number(rows[0]!.payId ?? 0) }
  state?.set('link', key, read)
  return read
}

const rangeKey = (first: number): string => `newest from ${first}`

const newestWithin = prepared((db, { first, last }: Pick<IdRange, 'first' | 'last'>) =>
  db.selectNoFrom(({ selectFrom }) => [
    selectFrom('link')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('id', '>=', first)
      .where('id', '<=', last)
      .as('id'),
    selectFrom('link')
      .select(({ fn }) => fn.max('payId').as('payId'))
      .where('payId', '>=', first)
      .where('payId', '<=', last)
      .as('payId'),
  ]),
)

/** Inserts a link. Returns false if its id or `payId` is taken. */
export async function insert(db: Kysely<Database>, link: Link): Promise<boolean> {
  const state = stateOf(db)
  const ids = findIdRange(link.id)
  const payIds = findIdRange(link.payId)
  // A number is certainly free if it is larger than all others in its range. Only seeds use smaller numbers, or numbers outside
  // every range.
  if (!state || !isIn(ids, link.id) || !isIn(payIds, link.payId)) return insertIfFree(db, link)
  const ofIds = await newestIds(db, ids)
  const isSameRange = payIds.first === ids.first
  const ofPayIds = isSameRange ? ofIds : await newestIds(db, payIds)
  if (link.id <= ofIds.id || link.payId <= ofPayIds.payId) return insertIfFree(db, link)
  state.set('link', rangeKey(ids.first), { id: link.id, payId: isSameRange ? link.payId : ofIds.payId })
  if (!isSameRange) state.set('link', rangeKey(payIds.first), { id: ofPayIds.id, payId: link.payId })
  const earlier = state.get<LastLinks>('link', lastKey(link.accountId))?.last
  const isLater = earlier !== undefined && link.id > earlier.id && isIn(ids, earlier.id)
  state.set('link', lastKey(link.accountId), { last: link, before: isLater ? earlier : undefined })
  state.set('link', newestKey(link.id), link)
  await insertRow(db, toRow(link))
  return true
}

async function insertIfFree(db: Kysely<Database>, link: Link): Promise<boolean> {
  changed(db, 'link')
  return (await insertUnlessTaken(db, toRow(link))).numAffectedRows === 1n
}

/** The two newest links of an account, as far as they are known. */
interface LastLinks {
  readonly last: Link
  readonly before: Link | undefined
}

const isIn = ({ first, last }: Pick<IdRange, 'first' | 'last'>, number: number): boolean =>
  number >= first && number <= last

const lastKey = (accountId: string): string => `last of ${accountId}`

const newestKey = (id: number): string => `newest link from ${findIdRange(id).first}`

const insertRow = preparedInsert('link')

const insertUnlessTaken = prepared((db, row: Database['link']) =>
  db
    .insertInto('link')
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
)

/** Saves what can change about a link. */
export async function save(db: Kysely<Database>, link: Link): Promise<void> {
  const { id, status, paidBy, paidAt, dispute } = link
  if (findNewest(db, id)) stateOf(db)?.set('link', newestKey(id), link)
  await update(db, { id, status, paidBy, paidAt, dispute })
}

const update = preparedWrite((db, { id, ...changes }: Partial<Database['link']> & Pick<Link, 'id'>) =>
  db.updateTable('link').set(changes).where('id', '=', id),
)

export async function find(db: Kysely<Database>, id: number): Promise<Link | undefined> {
  const newest = findNewest(db, id)
  if (newest) return newest
  const row = (await byId(db, { id })).rows[0]
  return row && fromRow(row)
}

/**
 * Finds a link if it is the newest in its range of ids. That link is kept, because most links are paid right after they were
 * created.
 */
function findNewest(db: Kysely<Database>, id: number): Link | undefined {
  const newest = stateOf(db)?.get<Link>('link', newestKey(id))
  return newest?.id === id ? newest : undefined
}

const byId = prepared((db, { id }: { id: number }) => db.selectFrom('link').selectAll().where('id', '=', id))

export async function withPayId(db: Kysely<Database>, payId: number): Promise<Link | undefined> {
  const row = (await byPayId(db, { payId })).rows[0]
  return row && fromRow(row)
}

const byPayId = prepared((db, { payId }: { payId: number }) =>
  db.selectFrom('link').selectAll().where('payId', '=', payId),
)

/** The links with these ids, unsorted. */
export async function listByIds(db: Kysely<Database>, ids: readonly number[]): Promise<Link[]> {
  const rows = await db.selectFrom('link').selectAll().where('id', 'in', ids).execute()
  return rows.map(fromRow)
}

export interface LinkQuery {
  readonly accountId?: string
  readonly status?: LinkStatus
  /** Only links with a smaller id, for the next page. */
  readonly before?: number
}

/** Links, newest first. */
export async function list(db: Kysely<Database>, filter: LinkQuery, limit: number): Promise<Link[]> {
  const { accountId, status, before = Number.MAX_SAFE_INTEGER } = filter
  const ofAccount = () => linksOf(db, accountId)
  const newest = (from: ReturnType<typeof ofAccount>, most: number) =>
    from.selectAll().orderBy('id', 'desc').limit(most).execute()
  if (status === undefined) return (await newest(ofAccount().where('id', '<', before), limit)).map(fromRow)
  if (isRareStatus(status)) {
    const query = ofAccount().where('status', '=', status).where(HAS_RARE_STATUS)
    return (await newest(query.where('id', '<', before), limit)).map(fromRow)
  }
  const rows = await listInSlices(
    db,
    async () => ({ first: 1, last: before - 1, newestFirst: true, reach: reachWithin(db, accountId) }),
    limit,
    ({ first, last }, most) =>
      newest(
        ofAccount()
          .where(withoutIndex<LinkStatus>('status'), '=', status)
          .where('id', '>=', first)
          .where('id', '<=', last),
        most,
      ),
  )
  return rows.map(fromRow)
}

/** The id of the account's previous link, if that link has the same content and was created less than `windowMs` before. */
export async function findIdenticalPrevious(
  db: Kysely<Database>,
  link: Link,
  windowMs: number,
): Promise<number | undefined> {
  const { id, accountId, amount, note, callbackUrl, createdAt, recipients, targets } = link
  const lastLinks = stateOf(db)?.get<LastLinks>('link', lastKey(accountId))
  if (lastLinks?.before && lastLinks.last.id === id) {
    return isIdentical(link, lastLinks.before, windowMs) ? lastLinks.before.id : undefined
  }
  const { rows } = await similarPrevious(db, { id, accountId, amount, note, callbackUrl })
  const [previous] = rows
  // Compares the note first, because notes usually differ.
  if (!previous) return undefined
  const isSame =
    isWithin(windowMs, previous, { createdAt }) &&
    previous.recipients === JSON.stringify(recipients) &&
    previous.targets === JSON.stringify(targets)
  return isSame ? previous.id : undefined
}

const isWithin = (
  windowMs: number,
  before: Pick<Link, 'createdAt'>,
  { createdAt }: Pick<Link, 'createdAt'>,
): boolean => Date.parse(before.createdAt) > Date.parse(createdAt) - windowMs

const isIdentical = (link: Link, before: Link, windowMs: number): boolean =>
  before.amount === link.amount &&
  before.note === link.note &&
  before.callbackUrl === link.callbackUrl &&
  isWithin(windowMs, before, link) &&
  JSON.stringify(before.recipients) === JSON.stringify(link.recipients) &&
  JSON.stringify(before.targets) === JSON.stringify(link.targets)

type ComparedColumns = 'accountId' | 'id' | 'amount' | 'note' | 'callbackUrl'

const similarPrevious = prepared((db, link: Pick<Database['link'], ComparedColumns>) =>
  db
    .selectFrom('link')
    .select(['id', 'createdAt', 'recipients', 'targets'])
    .where('id', '=', (before) =>
      before
        .selectFrom('link')
        .select('id')
        .where('accountId', '=', link.accountId)
        .where('id', '<', link.id)
        .orderBy('id', 'desc')
        .limit(LIMIT_ONE),
    )
    .where('amount', '=', link.amount)
    .where('note', '=', link.note)
    .where('callbackUrl', '=', link.callbackUrl),
)

/** Whether an account owns links. */
export async function isOwner(db: Kysely<Database>, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('link')
    .select('id')
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an account has a share of a link. */
export async function isRecipient(db: Kysely<Database>, accountId: string): Promise<boolean> {
  const rows = await listInSlices(
    db,
    async () => ({ first: 1, last: Number.MAX_SAFE_INTEGER, newestFirst: true, reach: reachWithin(db) }),
    1,
    ({ first, last }, most) =>
      db
        .selectFrom('link')
        .select('id')
        .where('id', '>=', first)
        .where('id', '<=', last)
        .where(sql<boolean>`instr("recipients", ${`"accountId":${JSON.stringify(accountId)}`}) > 0`)
        .limit(most)
        .execute(),
  )
  return rows.length > 0
}

/** Returns the id of the link that is `size - 1` links older. The ids of accounts have large gaps between them. */
const reachWithin =
  (db: Kysely<Database>, accountId?: string) =>
  async (from: number, size: number): Promise<number> => {
    const older = linksOf(db, accountId).select('id').where('id', '<=', from).orderBy('id', 'desc')
    return (
      (
        await older
          .offset(size - 1)
          .limit(1)
          .executeTakeFirst()
      )?.id ?? 0
    )
  }

function linksOf(db: Kysely<Database>, accountId: string | undefined) {
  const query = db.selectFrom('link')
  return accountId === undefined ? query : query.where('accountId', '=', accountId)
}

/** The number of links, at most `most`. */
export async function countUpTo(
  db: Kysely<Database>,
  { accountId }: Pick<LinkQuery, 'accountId'>,
  max: number,
): Promise<number> {
  const some = linksOf(db, accountId).select('id').limit(max)
  const { number } = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll().as('number'))
    .executeTakeFirstOrThrow()
  return Number(number)
}

/**
 * Removes the links of an account in steps, and lets other work run in between. `removeRows` removes the rows that refer to the
 * links of one step.
 */
export async function removeForAccount(
  db: Kysely<Database>,
  accountId: string,
  removeRows: (linkIds: readonly number[]) => Promise<void>,
): Promise<void> {
  const { id: newestId } = await newestIds(db, sharedIdRange)
  const letOthersRun = createTurns()
  let isShared = false
  for (;;) {
    const step = db.selectFrom('link').select('id').where('accountId', '=', accountId).orderBy('id')
    const ids = (await step.limit(ROWS_PER_STEP).execute()).map(({ id }) => id)
    if (ids.length === 0) break
    isShared ||= ids.some((id) => isIn(sharedIdRange, id))
    await removeRows(ids)
    changed(db, 'link')
    // The database also deletes the plans of these links.
    changed(db, 'plan')
    await db.deleteFrom('link').where('id', 'in', ids).execute()
    await letOthersRun()
  }
  if (isShared) await meta.write(db, 'lastDeletedLink', String(newestId))
}

/** The ids of the accounts that have a share of an account's links. */
export async function recipientsOf(db: Kysely<Database>, accountId: string): Promise<Set<string>> {
  const letOthersRun = createTurns()
  const ids = new Set<string>()
  for (let after = 0; ;) {
    const page = db
      .selectFrom('link')
      .select(['id', 'recipients'])
      .where('accountId', '=', accountId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS_PER_PAGE)
    const rows = await db
      .selectFrom(page.as('page'))
      .select(['recipients', ({ fn }) => fn.max('id').as('last')])
      .groupBy('recipients')
      .execute()
    if (rows.length === 0) return ids
    for (const { recipients } of rows) {
      for (const { accountId: id } of JSON.parse(recipients) as Link['recipients']) ids.add(id)
    }
    after = Math.max(...rows.map(({ last }) => Number(last)))
    await letOthersRun()
  }
}

const { toRow, fromRow } = createRowCodec<Link>({
  recipients: 'json',
  targets: 'json',
  cancellable: 'boolean',
  isQrLink: 'boolean',
  bankTransfer: 'boolean',
})
