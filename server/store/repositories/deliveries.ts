import { sql, type Kysely, type Selectable } from 'kysely'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { FaultMark } from '../../domain/faults/fault.ts'
import type { Instant } from '../../domain/time/time.ts'
import { prepared, ONE, type Params } from '../sqlite/prepared.ts'
import * as meta from '../meta.ts'
import type { Database, DeliveryTable } from '../schema.ts'

export type NewDelivery = Omit<
  Delivery,
  | 'id'
  | 'state'
  | 'attempts'
  | 'nextAttemptAt'
  | 'releasedTo'
  | 'possibleDuplicate'
  | 'createdAt'
  | 'fault'
  | keyof RedirectOrder
> & { readonly fault?: FaultMark } & Partial<RedirectOrder>

/** What a delivery waits for, or what waits for it. */
export type RedirectOrder = Pick<Delivery, 'order' | 'redirect'>

/** Puts a webhook in the outbox. */
export async function queue(db: Kysely<Database>, draft: NewDelivery, now: Instant): Promise<Delivery> {
  const { fault, order = null, redirect = null, ...queued } = draft
  const { rows } = await insert(db, {
    createdAt: now,
    fault: fault === undefined ? null : JSON.stringify(fault),
    order,
    redirect: redirect && JSON.stringify(redirect),
    ...queued,
  })
  return toDelivery(rows[0]!)
}

type Queued = Omit<Row, 'id' | 'state' | 'attempts' | 'nextAttemptAt' | 'releasedTo' | 'possibleDuplicate'>

const insert = prepared((db, place: Params<Queued>) =>
  db
    .insertInto('delivery')
    .values({
      id: NEXT_ID,
      accountId: place('accountId'),
      linkId: place('linkId'),
      payId: place('payId'),
      status: place('status'),
      cause: place('cause'),
      target: place('target'),
      reason: place('reason'),
      contentType: place('contentType'),
      body: place('body'),
      retries: place('retries'),
      replayOf: place('replayOf'),
      state: 'pending',
      attempts: 0,
      nextAttemptAt: null,
      releasedTo: null,
      possibleDuplicate: 0,
      createdAt: place('createdAt'),
      fault: place('fault'),
      order: place('order'),
      redirect: place('redirect'),
    })
    .returningAll(),
)

/** Removes the deliveries of an account, and remembers how far their ids went: whoever holds one finds no other. */
export async function removeOf(db: Kysely<Database>, accountId: string): Promise<void> {
  const { newest } = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.max('id').as('newest'))
    .executeTakeFirstOrThrow()
  const owned = db.selectFrom('link').select('id').where('accountId', '=', accountId)
  const { numDeletedRows } = await db.deleteFrom('delivery').where('linkId', 'in', owned).executeTakeFirst()
  if (numDeletedRows > 0) {
    const before = Number((await meta.read(db, 'swept')) ?? 0)
    await meta.write(db, 'swept', String(Math.max(before, Number(newest))))
  }
}

/** The targets that have something waiting, but for a redirect. */
export async function waitingTargets(db: Kysely<Database>): Promise<string[]> {
  const query = db.selectFrom('delivery').select('target').distinct().where(IS_WAITING).where(MAY_BE_SENT)
  const rows = await query.execute()
  return rows.map(({ target }) => target)
}

/** A webhook that is due, and how often it was attempted so far. */
export type DueDelivery = Pick<Delivery, 'id' | 'accountId' | 'target' | 'attempts' | 'nextAttemptAt'>

/** The webhooks that nothing was heard of yet, of those that are due or underway. */
export const firstAttemptsDue = (db: Kysely<Database>): Promise<DueDelivery[]> =>
  selectDue(db).where('nextAttemptAt', 'is', null).orderBy('id').execute()

/** The webhooks that are to be tried again by now, or are underway for that. */
export const retriesDue = (db: Kysely<Database>, now: Instant): Promise<DueDelivery[]> =>
  selectDue(db).where('nextAttemptAt', '<=', now).orderBy('nextAttemptAt').orderBy('id').execute()

const selectDue = (db: Kysely<Database>) =>
  db
    .selectFrom('delivery')
    .select(['id', 'accountId', 'target', 'attempts', 'nextAttemptAt'])
    .where(IS_WAITING)
    .where(MAY_BE_SENT)

/** When the first webhook after a moment, or of all, is to be tried again. */
export async function nextDue(db: Kysely<Database>, after: Instant = ''): Promise<Instant | undefined> {
  const { nextAttemptAt } = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.min('nextAttemptAt').as('nextAttemptAt'))
    .where(IS_WAITING)
    .where('nextAttemptAt', '>', after)
    .executeTakeFirstOrThrow()
  return nextAttemptAt ?? undefined
}

/**
 * Takes what has been due longest for a target. One at a time, so that a target sees its webhooks in order. One that
 * waits for its redirect holds up none of the others.
 *
 * One that is still underway was left there by a process that ended, or by a failure to record its attempt:
 * whether it reached its target nobody knows.
 */
export async function takeNext(
  db: Kysely<Database>,
  target: string,
  now: Instant,
): Promise<Delivery | undefined> {
  // First attempts go by id, as the clock may have been set back since they were queued.
  const first = (await firstAttemptFor(db, { target })).rows[0]
  const again = (await retryFor(db, { target, now })).rows[0]
  const row = first && again ? (isDueBefore(again, first) ? again : first) : (first ?? again)
  if (!row) return undefined
  const possibleDuplicate = row.state === 'underway' ? 1 : row.possibleDuplicate
  await setUnderway(db, { id: row.id, possibleDuplicate })
  return toDelivery({ ...row, state: 'underway', possibleDuplicate })
}

const ofTarget = (db: Kysely<Database>, target: string) =>
  db
    .selectFrom('delivery')
    .selectAll()
    .where(IS_WAITING)
    .where(MAY_BE_SENT)
    .where('target', '=', target)
    .limit(ONE)

const firstAttemptFor = prepared((db, place: Params<{ target: string }>) =>
  ofTarget(db, place('target')).where('nextAttemptAt', 'is', null).orderBy('id'),
)

const retryFor = prepared((db, place: Params<{ target: string; now: Instant }>) =>
  ofTarget(db, place('target'))
    .where('nextAttemptAt', '<=', place('now'))
    .orderBy('nextAttemptAt')
    .orderBy('id'),
)

const setUnderway = prepared((db, place: Params<{ id: number; possibleDuplicate: 0 | 1 }>) =>
  db
    .updateTable('delivery')
    .set({ state: 'underway', possibleDuplicate: place('possibleDuplicate') })
    .where('id', '=', place('id')),
)

type Row = Selectable<DeliveryTable>

function isDueBefore(one: Row, other: Row): boolean {
  const [due, otherDue] = [one.nextAttemptAt ?? one.createdAt, other.nextAttemptAt ?? other.createdAt]
  return due === otherDue ? one.id < other.id : due < otherDue
}

export async function save(db: Kysely<Database>, delivery: Delivery): Promise<void> {
  const { id, state, attempts, nextAttemptAt, order, releasedTo, possibleDuplicate, fault } = delivery
  await update(db, {
    id,
    state,
    attempts,
    nextAttemptAt,
    order,
    releasedTo,
    possibleDuplicate: possibleDuplicate ? 1 : 0,
    fault: fault && JSON.stringify(fault),
  })
}

type ChangingColumn =
  | 'state'
  | 'attempts'
  | 'nextAttemptAt'
  | 'order'
  | 'releasedTo'
  | 'possibleDuplicate'
  | 'fault'

const update = prepared((db, place: Params<Pick<Row, 'id' | ChangingColumn>>) =>
  db
    .updateTable('delivery')
    .set({
      state: place('state'),
      attempts: place('attempts'),
      nextAttemptAt: place('nextAttemptAt'),
      order: place('order'),
      releasedTo: place('releasedTo'),
      possibleDuplicate: place('possibleDuplicate'),
      fault: place('fault'),
    })
    .where('id', '=', place('id')),
)

/** Lets those go that let the next webhook to their target go first, once that has been attempted. */
export async function releaseReordered(db: Kysely<Database>, target: string, now: Instant): Promise<void> {
  await setDue(db, { target, now })
}

const setDue = prepared((db, place: Params<{ target: string; now: Instant }>) =>
  db
    .updateTable('delivery')
    .set({ nextAttemptAt: place('now') })
    .where(IS_WAITING)
    .where('target', '=', place('target'))
    .where('nextAttemptAt', '>', place('now'))
    .where('fault', 'like', sql.lit('%"effect":"reorder%')),
)

/** Whether the redirect of a link still waits for the first attempt of one of its webhooks. */
export async function isRedirectWaiting(db: Kysely<Database>, linkId: number): Promise<boolean> {
  return (await behindWebhook(db, { linkId })).rows.length > 0
}

const behindWebhook = prepared((db, place: Params<{ linkId: number }>) =>
  db
    .selectFrom('delivery')
    .select('id')
    .where(HAS_ORDER)
    .where('order', '=', 'webhook-first')
    .where('linkId', '=', place('linkId'))
    .limit(ONE),
)

/** Whether a webhook still waits for its redirect. */
export async function isAnyBehindRedirect(db: Kysely<Database>): Promise<boolean> {
  const query = db.selectFrom('delivery').select('id').where(HAS_ORDER).where('order', '=', 'redirect-first')
  return (await query.limit(ONE).executeTakeFirst()) !== undefined
}

/** The deliveries that a redirect waits for, or that wait for one. */
export async function listInOrder(db: Kysely<Database>): Promise<Delivery[]> {
  const rows = await db.selectFrom('delivery').selectAll().where(HAS_ORDER).orderBy('id').execute()
  return rows.map(toDelivery)
}

/** Nothing waits for these any more, nor they for anything. Gives those of which that was not so before. */
export async function clearOrder(db: Kysely<Database>, ids: readonly number[]): Promise<Delivery[]> {
  const rows = await db
    .updateTable('delivery')
    .set({ order: null })
    .where('id', 'in', ids)
    .where(HAS_ORDER)
    .returningAll()
    .execute()
  return rows.map(toDelivery)
}

/** Says of everything that waits that it may have been sent before. */
export async function markPossibleDuplicates(db: Kysely<Database>): Promise<void> {
  await db.updateTable('delivery').set({ possibleDuplicate: 1 }).where(IS_WAITING).execute()
}

export async function find(db: Kysely<Database>, id: number): Promise<Delivery | undefined> {
  const row = (await withId(db, { id })).rows[0]
  return row && toDelivery(row)
}

const withId = prepared((db, place: Params<{ id: number }>) =>
  db.selectFrom('delivery').selectAll().where('id', '=', place('id')),
)

/** A delivery that tells the outcome of a link. A link has one outcome, so all of these have the same body. */
export async function findOutcome(db: Kysely<Database>, linkId: number): Promise<Delivery | undefined> {
  const row = await db
    .selectFrom('delivery')
    .selectAll()
    .where('linkId', '=', linkId)
    .where('cause', '=', 'outcome')
    .limit(1)
    .executeTakeFirst()
  return row && toDelivery(row)
}

/** The deliveries with these ids, in the order of the ids. */
export async function listByIds(db: Kysely<Database>, ids: readonly number[]): Promise<Delivery[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('delivery').selectAll().where('id', 'in', ids).orderBy('id').execute()
  return rows.map(toDelivery)
}

/** Whether a delivery is due or underway, of one account or of all. Whoever waits asks this again and again. */
export async function isAnyUnsettled(
  db: Kysely<Database>,
  accountId: string | undefined,
  now: Instant,
): Promise<boolean> {
  const query = unsettledOf(db, accountId, now).select(sql<number>`1`.as('one'))
  return (await query.limit(ONE).executeTakeFirst()) !== undefined
}

/** What the egress guard holds back, oldest first. */
export async function listHeld(db: Kysely<Database>): Promise<Delivery[]> {
  const rows = await db.selectFrom('delivery').selectAll().where('state', '=', 'held').orderBy('id').execute()
  return rows.map(toDelivery)
}

/** How many there are, and the oldest of them. */
export interface Unsettled {
  readonly count: number
  readonly oldest: readonly Delivery[]
}

const MAX_UNSETTLED = 100

/** The deliveries that are due or underway, of one account or of all. */
export async function unsettled(
  db: Kysely<Database>,
  accountId: string | undefined,
  now: Instant,
): Promise<Unsettled> {
  const query = unsettledOf(db, accountId, now)
  const rows = await query.selectAll().orderBy('id').limit(MAX_UNSETTLED).execute()
  const { number } = await query.select(({ fn }) => fn.countAll().as('number')).executeTakeFirstOrThrow()
  return { count: Number(number), oldest: rows.map(toDelivery) }
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

/** How many deliveries there are in each state, of one account or of all. */
export async function countByState(
  db: Kysely<Database>,
  accountId: string | undefined,
): Promise<Map<Delivery['state'], number>> {
  let query = db.selectFrom('delivery').select(({ fn }) => ['state', fn.countAll().as('number')])
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  const rows = await query.groupBy('state').execute()
  return new Map(rows.map(({ state, number }) => [state, Number(number)]))
}

export interface DeliveryFilter {
  readonly accountId?: string
  readonly linkId?: number
  readonly state?: Delivery['state']
}

/** Deliveries, newest first. */
export async function list(db: Kysely<Database>, filter: DeliveryFilter, limit: number): Promise<Delivery[]> {
  let query = db.selectFrom('delivery').selectAll()
  if (filter.accountId !== undefined) query = query.where('accountId', '=', filter.accountId)
  if (filter.linkId !== undefined) query = query.where('linkId', '=', filter.linkId)
  if (filter.state !== undefined) query = query.where('state', '=', filter.state)
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toDelivery)
}

/** SQLite itself would give the highest id again once its delivery is removed. */
const NEXT_ID = sql<number>`1 + max(
  coalesce((select max("id") from "delivery"), 0),
  coalesce((select cast("value" as integer) from "meta" where "key" = 'swept'), 0)
)`

/** The partial index is used only where the query repeats its condition word for word. */
const IS_WAITING = sql<boolean>`"state" in ('pending', 'underway')`

/** Word for word, for the same reason. */
const HAS_ORDER = sql<boolean>`"order" is not null`

/** It waits for no redirect. */
const MAY_BE_SENT = sql<boolean>`"order" is distinct from 'redirect-first'`

const toDelivery = (row: Row): Delivery => ({
  ...row,
  possibleDuplicate: row.possibleDuplicate === 1,
  fault: row.fault === null ? null : (JSON.parse(row.fault) as FaultMark),
  redirect: row.redirect === null ? null : (JSON.parse(row.redirect) as Delivery['redirect']),
})
