import { sql, type Kysely, type Selectable } from 'kysely'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { ShownDeliveryState } from '../../domain/webhooks/delivery-values.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import { listInSlices } from '../in-slices.ts'
import { prepared, preparedInsert, preparedWrite, LIMIT_ONE } from '../prepared.ts'
import { HAS_RARE_STATE, isRareState, IS_WAITING } from '../rare-rows.ts'
import { createRowCodec } from '../row-codec.ts'
import * as meta from '../meta.ts'
import { createUnusedCount, readNewestId, takeId } from '../next-id.ts'
import type { Database } from '../schema.ts'
import { changed } from '../writer-state.ts'
import { beginAll, beginQueue, forgetQueue, mayBeginAll, queueOf, updateQueue } from './target-queue.ts'

/** A new delivery is due at once, and was never attempted. */
const NEW_DELIVERY_FIELDS = {
  state: 'pending',
  attempts: 0,
  nextAttemptAt: null,
  allowedTo: null,
  possibleDuplicate: false,
  fault: null,
} satisfies Partial<Delivery>

export type NewDelivery = Omit<Delivery, 'id' | 'createdAt' | keyof typeof NEW_DELIVERY_FIELDS> &
  Partial<Pick<Delivery, 'fault'>> & { readonly state?: 'planned' }

/** Adds a webhook to the outbox. */
export async function queue(db: Kysely<Database>, delivery: NewDelivery, now: Instant): Promise<Delivery> {
  const created: Omit<Delivery, 'id'> = { createdAt: now, ...NEW_DELIVERY_FIELDS, ...delivery }
  const id = await takeId(db, 'delivery', () => newestEver(db))
  const queued = { id, ...created }
  updateQueue(db, queued)
  await insert(db, toRow(queued))
  return queued
}

const insert = preparedInsert('delivery')

const newestEver = (db: Kysely<Database>): Promise<number> =>
  readNewestId(db, 'delivery', 'lastDeletedDelivery')

const countUnused = createUnusedCount('delivery', 'id', 'lastDeletedDelivery')

/** The number of deliveries. */
export async function countAll(db: Kysely<Database>): Promise<number> {
  const [newest, unused] = await Promise.all([newestEver(db), countUnused(db)])
  // A reset in between leaves fewer deliveries.
  return Math.max(0, newest - unused)
}

/** Removes the deliveries of links. Their ids are not used again, so that an old id never finds a different delivery. */
export async function removeForLinks(db: Kysely<Database>, linkIds: readonly number[]): Promise<void> {
  const newest = await newestEver(db)
  changed(db, 'delivery')
  const { numDeletedRows } = await db.deleteFrom('delivery').where('linkId', 'in', linkIds).executeTakeFirst()
  if (numDeletedRows > 0) await meta.write(db, 'lastDeletedDelivery', String(newest))
}

/** The targets of deliveries that are pending or underway. */
export async function waitingTargets(db: Kysely<Database>): Promise<string[]> {
  const query = db.selectFrom('delivery').select('target').distinct().where(IS_WAITING).where(IS_STARTED)
  const rows = await query.execute()
  return rows.map(({ target }) => target)
}

const DUE_COLUMNS = ['id', 'accountId', 'target', 'attempts', 'nextAttemptAt'] as const

/** A delivery that is due or underway. `attempts` counts the attempts so far. */
export type DueDelivery = Pick<Delivery, (typeof DUE_COLUMNS)[number]>

/** The deliveries that do not wait for a time, because they are due at once or underway. */
export const dueAtOnce = (db: Kysely<Database>): Promise<DueDelivery[]> =>
  selectDue(db).where('nextAttemptAt', 'is', null).orderBy('id').execute()

/** The deliveries whose time has come, which are retries and first attempts that a fault has delayed. */
export const dueByTime = (db: Kysely<Database>, now: Instant): Promise<DueDelivery[]> =>
  selectDue(db).where('nextAttemptAt', '<=', now).orderBy('nextAttemptAt').orderBy('id').execute()

const selectDue = (db: Kysely<Database>) =>
  db.selectFrom('delivery').select(DUE_COLUMNS).where(IS_WAITING).where(IS_STARTED)

/** The time of the earliest retry that is due after `after`. */
export async function nextDue(db: Kysely<Database>, after: Instant = ''): Promise<Instant | undefined> {
  const { nextAttemptAt } = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.min('nextAttemptAt').as('nextAttemptAt'))
    .where(IS_WAITING)
    .where('nextAttemptAt', '>', after)
    .executeTakeFirstOrThrow()
  return nextAttemptAt ?? undefined
}

/** How many deliveries of a target can be `underway` at most. After a kill, all of them are possible duplicates. */
export const MAX_UNDERWAY = 4

/**
 * Ends what an earlier attempt to send to a target has left. If a delivery is `underway`, its process has ended, or could not
 * record the attempt. The webhook may have reached its target, so the delivery is due again as a possible duplicate.
 */
export async function resume(db: Kysely<Database>, target: string): Promise<void> {
  if (queueOf(db, target) === undefined) await readQueue(db, target)
  const queued = queueOf(db, target)
  if (queued === undefined) return void (await setPossibleDuplicates(db, { target }))
  for (const one of queued) {
    if (one.state === 'underway') await save(db, { ...one, state: 'pending', possibleDuplicate: true })
  }
}

/**
 * Takes the deliveries of a target that have been due for the longest time, at most `count`, and marks them as `underway`. The
 * caller sends them in this sequence. A planned delivery does not delay the others.
 */
export async function takeNext(
  db: Kysely<Database>,
  target: string,
  now: Instant,
  count = 1,
): Promise<readonly Delivery[]> {
  const waiting = queueOf(db, target) ?? (await readQueue(db, target))
  const left = waiting.filter(({ state }) => state === 'pending')
  const most = count > 1 && (await mayBeReordered(db, target, waiting, now)) ? 1 : count
  const taken: Delivery[] = []
  while (taken.length < most) {
    const next = nextOf(left, now)
    if (!next) break
    left.splice(left.indexOf(next), 1)
    taken.push({ ...next, state: 'underway' })
  }
  for (const delivery of taken) {
    updateQueue(db, delivery)
    await setUnderway(db, { id: delivery.id })
  }
  return taken
}

/** Whether an attempt may make a delivery due that a fault has delayed. It then goes before the others. */
async function mayBeReordered(
  db: Kysely<Database>,
  target: string,
  waiting: readonly Delivery[],
  now: Instant,
): Promise<boolean> {
  if (waiting.some(isReordered)) return true
  return queueOf(db, target) === undefined && (await reordered(db, { target, now })).rows.length > 0
}

/** The delivery that has been due for the longest time. */
function nextOf(waiting: readonly Delivery[], now: Instant): Delivery | undefined {
  // First attempts are sorted by id, because the clock may have been set back after they were queued.
  let first: Delivery | undefined
  let again: Delivery | undefined
  for (const one of waiting) {
    if (one.nextAttemptAt === null) first = first && first.id < one.id ? first : one
    else if (one.nextAttemptAt <= now) again = again && isDueBefore(again, one) ? again : one
  }
  return first && again ? (isDueBefore(again, first) ? again : first) : (first ?? again)
}

/**
 * The candidates for a target's next deliveries: the oldest ones without an attempt, and the earliest retries. If there are few
 * waiting deliveries, or the target has no others, this process knows its whole queue from now on.
 */
async function readQueue(db: Kysely<Database>, target: string): Promise<readonly Delivery[]> {
  if (mayBeginAll(db)) {
    const all = (await someStarted(db, {})).rows.map(fromRow)
    beginAll(db, all.length > MAX_READ ? undefined : all)
    const known = queueOf(db, target)
    if (known) return known
  }
  const candidates = (await candidatesFor(db, { target })).rows.map(fromRow)
  const firstAttempts = candidates.filter(({ nextAttemptAt }) => nextAttemptAt === null)
  const isWhole =
    firstAttempts.length < MAX_CANDIDATES && candidates.length - firstAttempts.length < MAX_CANDIDATES
  if (isWhole) beginQueue(db, target, candidates)
  return candidates
}

/** If more deliveries wait, each target's are read when it needs them. */
const MAX_READ = 100

/** All waiting and current deliveries, and one that shows that they are too many. */
const someStarted = prepared((db, _none: object) =>
  db
    .selectFrom('delivery')
    .selectAll()
    .where(IS_WAITING)
    .where(IS_STARTED)
    .limit(sql.lit(MAX_READ + 1)),
)

/** The deliveries that are `underway`, as many others, and one more, which shows that further ones exist. */
const MAX_CANDIDATES = 2 * MAX_UNDERWAY + 1

const selectForTarget = (db: Kysely<Database>, target: string) =>
  db
    .selectFrom('delivery')
    .selectAll()
    .where(IS_WAITING)
    .where(IS_STARTED)
    .where('target', '=', target)
    // Part of the statement, for the same reason as `LIMIT_ONE`.
    .limit(sql.lit(MAX_CANDIDATES))

/** One query, because on PostgreSQL each query is a message. */
const candidatesFor = prepared((db, { target }: { target: string }) => {
  const first = selectForTarget(db, target).where('nextAttemptAt', 'is', null).orderBy('id')
  const retry = selectForTarget(db, target)
    .where('nextAttemptAt', 'is not', null)
    .orderBy('nextAttemptAt')
    .orderBy('id')
  return db
    .selectFrom(first.as('first'))
    .selectAll()
    .unionAll(db.selectFrom(retry.as('retry')).selectAll())
})

const setUnderway = preparedWrite((db, { id }: Pick<Row, 'id'>) =>
  db.updateTable('delivery').set({ state: 'underway' }).where('id', '=', id),
)

const setPossibleDuplicates = preparedWrite((db, { target }: Pick<Row, 'target'>) =>
  db
    .updateTable('delivery')
    .set({ state: 'pending', possibleDuplicate: 1 })
    .where(IS_WAITING)
    .where('target', '=', target)
    .where('state', '=', 'underway'),
)

type Row = Selectable<Database['delivery']>

function isDueBefore(one: Delivery, other: Delivery): boolean {
  const [due, otherDue] = [one.nextAttemptAt ?? one.createdAt, other.nextAttemptAt ?? other.createdAt]
  return due === otherDue ? one.id < other.id : due < otherDue
}

/** Saves what can change about a delivery. Returns whether the delivery exists, because a reset of its account removes it. */
export async function save(db: Kysely<Database>, delivery: Delivery): Promise<boolean> {
  const { id, target, state, attempts, nextAttemptAt, allowedTo, fault } = delivery
  const changes = {
    id,
    state,
    attempts,
    nextAttemptAt,
    allowedTo,
    possibleDuplicate: delivery.possibleDuplicate ? 1 : 0,
    fault: fault && JSON.stringify(fault),
  } as const
  const isKnown = queueOf(db, target)?.some((one) => one.id === id)
  if (isKnown) await updateKnown(db, changes)
  else if ((await update(db, changes)).numAffectedRows !== 1n) return false
  updateQueue(db, delivery)
  return true
}

const buildUpdate = (db: Kysely<Database>, { id, ...changes }: Partial<Row> & Pick<Row, 'id'>) =>
  db.updateTable('delivery').set(changes).where('id', '=', id)

const update = prepared(buildUpdate)
const updateKnown = preparedWrite(buildUpdate)

/**
 * Makes deliveries due that a fault `reorder` has delayed. Called when the next delivery to the same target has been attempted.
 */
export async function startReordered(db: Kysely<Database>, target: string, now: Instant): Promise<void> {
  // The update is skipped if there is no such delivery, because it takes three times as long as this query.
  const waiting = queueOf(db, target) ?? (await reordered(db, { target, now })).rows.map(fromRow)
  for (const delivery of waiting) {
    if (!isReordered(delivery) || delivery.nextAttemptAt === null || delivery.nextAttemptAt <= now) continue
    updateQueue(db, { ...delivery, nextAttemptAt: now })
    await setDue(db, { id: delivery.id, now })
  }
}

const isReordered = ({ fault }: Delivery): boolean => fault?.effect.startsWith('reorder') ?? false

const reordered = prepared((db, { target, now }: { target: string; now: Instant }) =>
  db
    .selectFrom('delivery')
    .selectAll()
    .where(IS_WAITING)
    .where('target', '=', target)
    .where('nextAttemptAt', '>', now)
    .where('fault', 'like', sql.lit('%"effect":"reorder%')),
)

const setDue = preparedWrite((db, { id, now }: { id: number; now: Instant }) =>
  db.updateTable('delivery').set({ nextAttemptAt: now }).where('id', '=', id),
)

/** Whether any delivery waits for its plan to start it. */
export async function isAnyPlanned(db: Kysely<Database>): Promise<boolean> {
  const query = db.selectFrom('delivery').select('id').where(IS_WAITING).where('state', '=', 'planned')
  return (await query.limit(LIMIT_ONE).executeTakeFirst()) !== undefined
}

/** Starts planned deliveries, and returns them. */
export async function start(db: Kysely<Database>, ids: readonly number[]): Promise<DueDelivery[]> {
  if (ids.length === 0) return []
  const query = db.updateTable('delivery').set({ state: 'pending' }).where('id', 'in', ids)
  const started = await query.where('state', '=', 'planned').returning(DUE_COLUMNS).execute()
  for (const { target } of started) forgetQueue(db, target)
  return started
}

/** Whether a delivery of a link is due or `underway`. Planned deliveries do not count. */
export async function hasDueDelivery(db: Kysely<Database>, linkId: number, now: Instant): Promise<boolean> {
  return (await dueDeliveryOfLink(db, { linkId, now })).rows.length > 0
}

const dueDeliveryOfLink = prepared((db, { linkId, now }: { linkId: number; now: Instant }) =>
  unsettledOf(db, undefined, now).select(ONE).where('linkId', '=', linkId).where(IS_STARTED).limit(LIMIT_ONE),
)

/** Marks every waiting delivery as a possible duplicate. */
export async function markPossibleDuplicates(db: Kysely<Database>): Promise<void> {
  changed(db, 'delivery')
  await db.updateTable('delivery').set({ possibleDuplicate: 1 }).where(IS_WAITING).execute()
}

export async function find(db: Kysely<Database>, id: number): Promise<Delivery | undefined> {
  const row = (await byId(db, { id })).rows[0]
  return row && fromRow(row)
}

const byId = prepared((db, { id }: { id: number }) =>
  db.selectFrom('delivery').selectAll().where('id', '=', id),
)

/** The deliveries for a link's outcome, one for each target. All have the same body, because a link has only one outcome. */
export async function listOutcomes(db: Kysely<Database>, linkId: number): Promise<Delivery[]> {
  const rows = await db
    .selectFrom('delivery')
    .selectAll()
    .where('linkId', '=', linkId)
    .where('cause', '=', 'outcome')
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** The deliveries with these ids, ordered by id. */
export async function listByIds(db: Kysely<Database>, ids: readonly number[]): Promise<Delivery[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('delivery').selectAll().where('id', 'in', ids).orderBy('id').execute()
  return rows.map(fromRow)
}

const MAX_UNSETTLED = 100

/**
 * The ids of some deliveries of one account or of any account that are planned, due or underway. Empty only if there are none. Reads
 * no rows, because waits call this often.
 */
export async function listUnsettled(
  db: Kysely<Database>,
  accountId: string | undefined,
  now: Instant,
): Promise<readonly number[]> {
  const { rows } = await (accountId === undefined
    ? someUnsettled(db, { now })
    : someUnsettledOfAccount(db, { accountId, now }))
  return rows.map(({ id }) => id)
}

const someUnsettled = prepared((db, { now }: { now: Instant }) =>
  unsettledOf(db, undefined, now).select('id').limit(sql.lit(MAX_UNSETTLED)),
)

const someUnsettledOfAccount = prepared((db, { accountId, now }: { accountId: string; now: Instant }) =>
  unsettledOf(db, accountId, now).select('id').limit(sql.lit(MAX_UNSETTLED)),
)

/** The deliveries that the egress policy holds, oldest first. */
export async function listHeld(db: Kysely<Database>): Promise<Delivery[]> {
  const query = db.selectFrom('delivery').selectAll().where('state', '=', 'held').where(HAS_RARE_STATE)
  return (await query.orderBy('id').execute()).map(fromRow)
}

/** The number of unsettled deliveries, and the oldest of them. */
export interface UnsettledDeliveries {
  readonly count: number
  readonly oldest: readonly Delivery[]
}

/** The deliveries that are planned, due or underway, of one account or of all. */
export async function unsettled(
  db: Kysely<Database>,
  accountId: string | undefined,
  now: Instant,
): Promise<UnsettledDeliveries> {
  const query = unsettledOf(db, accountId, now)
  const rows = await query.selectAll().orderBy('id').limit(MAX_UNSETTLED).execute()
  const { number } = await query.select(({ fn }) => fn.countAll().as('number')).executeTakeFirstOrThrow()
  return { count: Number(number), oldest: rows.map(fromRow) }
}

function unsettledOf(db: Kysely<Database>, accountId: string | undefined, now: Instant) {
  const query = db
    .selectFrom('delivery')
    .where(IS_WAITING)
    .where((where) =>
      where.or([
        where('state', '=', 'underway'),
        where('nextAttemptAt', 'is', null),
        where('nextAttemptAt', '<=', now),
      ]),
    )
  return accountId === undefined ? query : query.where('accountId', '=', accountId)
}

/** The number of deliveries in each state, of one account or of all. */
export async function countByState(
  db: Kysely<Database>,
  accountId: string | undefined,
): Promise<Map<Delivery['state'], number>> {
  const counts = accountId === undefined ? await countAllByState(db) : await countOfAccount(db, accountId)
  const byState = new Map<Delivery['state'], number>()
  for (const { state, number } of counts) byState.set(state, (byState.get(state) ?? 0) + Number(number))
  return byState
}

const countOfAccount = (db: Kysely<Database>, accountId: string) =>
  listInSlices(
    db,
    () => newestFirst(db),
    Infinity,
    ({ first, last }) =>
      countsOfStates(db)
        .where('accountId', '=', accountId)
        .where('id', '>=', first)
        .where('id', '<=', last)
        .execute(),
  )

/** Does not read the rows of delivered webhooks, which are the majority. For the others, the indexes are enough. */
async function countAllByState(db: Kysely<Database>) {
  const lastDeleted = await meta.readNumber(db, 'lastDeletedDelivery')
  const unused = await countUnused(db)
  const counts = await db
    .selectFrom('delivery')
    .select(({ fn }) => [
      sql.lit<Delivery['state'] | 'newest'>('newest').as('state'),
      fn.max<number | bigint | string | null>('id').as('number'),
    ])
    .unionAll(countsOfStates(db).where(HAS_RARE_STATE))
    .unionAll(countsOfStates(db).where(IS_WAITING))
    .execute()
  // PostgreSQL can return the parts of a union in any sequence.
  const others = counts.flatMap(({ state, number }) => (state === 'newest' ? [] : [{ state, number }]))
  const newest = Number(counts.find(({ state }) => state === 'newest')!.number)
  const all = Math.max(newest, lastDeleted) - unused
  const delivered = others.reduce((left, { number }) => left - Number(number), all)
  return [{ state: 'delivered' as const, number: delivered }, ...others]
}

const countsOfStates = (db: Kysely<Database>) =>
  db
    .selectFrom('delivery')
    .select(({ fn }) => ['state', fn.countAll().as('number')])
    .groupBy('state')

/** All deliveries, or those with a smaller id than `before`, newest first. */
async function newestFirst(db: Kysely<Database>, before = Infinity) {
  const newest = await db
    .selectFrom('delivery')
    .select('id')
    .orderBy('id', 'desc')
    .limit(LIMIT_ONE)
    .executeTakeFirst()
  return { first: 1, last: Math.min(newest?.id ?? 0, before - 1), newestFirst: true }
}

interface DeliveryFilter {
  readonly accountId?: string
  readonly linkId?: number
  readonly state?: ShownDeliveryState
  /** Only deliveries that a tunnel stores. */
  readonly stored?: boolean
  /** Only deliveries with a smaller id, for the next page. */
  readonly before?: number
}

/** For each state that users see, the states in the database. */
const DATABASE_STATES: Readonly<Record<ShownDeliveryState, readonly Delivery['state'][]>> = {
  pending: ['planned', 'pending', 'underway'],
  delivered: ['delivered', 'stored'],
  failed: ['failed'],
  held: ['held'],
}

const ALL_STATES = Object.values(DATABASE_STATES).flat()

/** Deliveries, newest first. */
export async function list(db: Kysely<Database>, filter: DeliveryFilter, limit: number): Promise<Delivery[]> {
  const { accountId, linkId, state, before } = filter
  const states = new Set(state === undefined ? ALL_STATES : DATABASE_STATES[state])
  const queriedStates = [...states].filter((one) => !filter.stored || one === 'stored')
  const [only, ...others] = queriedStates
  let query = db.selectFrom('delivery').selectAll().orderBy('id', 'desc')
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  if (linkId !== undefined) query = query.where('linkId', '=', linkId)
  if (before !== undefined) query = query.where('id', '<', before)
  // Each query uses an index, and reads only the matching deliveries or the deliveries of one link.
  if (only !== undefined && others.length === 0 && accountId === undefined && isRareState(only)) {
    const rows = await query.where('state', '=', only).where(HAS_RARE_STATE).limit(limit).execute()
    return rows.map(fromRow)
  }
  if (state === 'pending' && !filter.stored && linkId === undefined && accountId === undefined)
    return listWaiting(db, before, limit)
  const matching = query.where('state', 'in', queriedStates)
  if (linkId !== undefined) return (await matching.limit(limit).execute()).map(fromRow)
  const rows = await listInSlices(
    db,
    () => newestFirst(db, before),
    limit,
    ({ first, last }, most) =>
      matching.where('id', '>=', first).where('id', '<=', last).limit(most).execute(),
  )
  return rows.map(fromRow)
}

/** Waiting deliveries, newest first. If SQLite could sort by the key, it would look for them in all deliveries. */
async function listWaiting(db: Kysely<Database>, before = Infinity, limit: number): Promise<Delivery[]> {
  const id = sql<number>`"id" + 0`
  let query = db.selectFrom('delivery').select('id').where(IS_WAITING)
  if (before !== Infinity) query = query.where(id, '<', before)
  const newest = query.orderBy(id, 'desc').limit(limit)
  const rows = await db
    .selectFrom('delivery')
    .selectAll()
    .where('id', 'in', newest)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(fromRow)
}

const ONE = sql<number>`1`.as('one')

/** Whether the delivery is not waiting for a plan of notifications to start it. */
const IS_STARTED = sql<boolean>`"state" <> 'planned'`

const { toRow, fromRow } = createRowCodec<Delivery>({
  possibleDuplicate: 'boolean',
  fault: 'json',
})
