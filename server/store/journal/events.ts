import { sql, type Kysely, type Selectable } from 'kysely'
import type { EventOf, EventType, RecordedEvent, SandboxEvent } from '../../domain/events/event.ts'
import type { Exchange } from '../../domain/http/exchange.ts'
import { fetchedDelivery, type Delivery } from '../../domain/webhooks/delivery.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import { createTurns, sortInTurns } from '../../platform/system/turns.ts'
import { prepared, preparedInsert, preparedWrite } from '../prepared.ts'
import { listInSlices, type Slice } from '../in-slices.ts'
import * as meta from '../meta.ts'
import { createUnusedCount, takeId } from '../next-id.ts'
import { HAS_RARE_TYPE, isRareType } from '../rare-rows.ts'
import { withoutIndex } from '../without-index.ts'
import { changed } from '../writer-state.ts'
import { fromColumns, toColumns } from './exchange-columns.ts'
import type { Database } from '../schema.ts'

export async function append(
  db: Kysely<Database>,
  event: SandboxEvent,
  at: Instant,
  exchange?: Exchange,
): Promise<RecordedEvent> {
  const seq = await takeId(db, 'event', () => newestSeq(db))
  await insert(db, {
    seq,
    at,
    type: event.type,
    accountId: event.accountId,
    linkId: event.linkId,
    deliveryId: 'deliveryId' in event ? event.deliveryId : null,
    data: JSON.stringify(event),
    ...toColumns(exchange),
  })
  // The new fields come first, because V8 is slow at adding fields to an object that starts with a spread.
  return { seq, at, ...event }
}

const insert = preparedInsert('event')

export interface EventQuery {
  readonly after?: number
  readonly before?: number
  readonly types?: readonly EventType[]
  readonly accountId?: string
  readonly linkId?: number
  readonly deliveryId?: number
  /** Texts that the JSON of the event must contain. */
  readonly contains?: readonly string[]
}

const COLUMNS = ['seq', 'at', 'data'] as const

/** The events that match, oldest first. */
export async function list(
  db: Kysely<Database>,
  filter: EventQuery,
  limit: number,
): Promise<RecordedEvent[]> {
  return (await outermost(db, filter, limit, 'oldest')).map(toEvent)
}

/** The newest events, newest last. */
export async function newest(
  db: Kysely<Database>,
  filter: EventQuery,
  limit: number,
): Promise<RecordedEvent[]> {
  return (await outermost(db, filter, limit, 'newest')).map(toEvent).toReversed()
}

/** The oldest or the newest matching rows. The first row is the one at that end of the journal. */
async function outermost(
  db: Kysely<Database>,
  filter: EventQuery,
  limit: number,
  which: 'oldest' | 'newest',
): Promise<EventRow[]> {
  const newestFirst = which === 'newest'
  const select = (part: EventQuery, most: number): Promise<EventRow[]> =>
    matching(db, part)
      .select(COLUMNS)
      .orderBy('seq', newestFirst ? 'desc' : 'asc')
      .limit(most)
      .execute()
  if (!isIndexed(filter)) {
    return listInSlices(
      db,
      async () => ({ ...(await sliceOf(db, filter)), newestFirst }),
      limit,
      (slice, most) => select(within(filter, slice), most),
    )
  }
  const { types = [undefined] } = filter
  if (filter.linkId !== undefined || filter.deliveryId !== undefined || types.length < 2)
    return select(filter, limit)
  // One query for each type. An index has the events of one type sorted by `seq`. For several types in one query, SQLite would
  // sort all their events.
  const lists: EventRow[][] = []
  for (const type of types) lists.push(await select({ ...filter, types: [type!] }, limit))
  const sign = newestFirst ? -1 : 1
  return lists
    .flat()
    .toSorted((one, other) => sign * (one.seq - other.seq))
    .slice(0, limit)
}

/** Whether an index narrows the query enough: to exactly the matching events, or to the few events of one link or delivery. */
export const isIndexed = ({ types, linkId, deliveryId, contains = [] }: EventQuery): boolean =>
  linkId !== undefined ||
  deliveryId !== undefined ||
  (contains.length === 0 && (types ?? []).every(isRareType))

const within = (filter: EventQuery, { first, last }: Slice): EventQuery => ({
  ...filter,
  after: first - 1,
  before: last + 1,
})

/** The range of `seq` that a filter allows. */
export async function sliceOf(
  db: Kysely<Database>,
  { after = 0, before = Infinity }: Pick<EventQuery, 'after' | 'before'>,
): Promise<Slice> {
  const { oldest, head } = await range(db)
  return { first: Math.max(oldest, after + 1), last: Math.min(head, before - 1) }
}

/** An event with the bytes of its request and response. `null` if it has none. */
export interface EventWithBytes {
  readonly event: RecordedEvent
  readonly exchange: Exchange | null
}

const COLUMNS_WITH_BYTES = [...COLUMNS, 'exchange', 'requestBody', 'responseBody'] as const

/** The events that match with their bytes, oldest first. */
export async function listWithBytes(
  db: Kysely<Database>,
  filter: EventQuery,
  limit: number,
): Promise<EventWithBytes[]> {
  const query = matching(db, filter).select(COLUMNS_WITH_BYTES)
  return (await query.orderBy('seq').limit(limit).execute()).map(toEventWithBytes)
}

/** When the exchange of an event began. */
interface Start extends Pick<RecordedEvent, 'seq' | 'linkId'> {
  readonly began: Instant
}

/**
 * The events with bytes, in the sequence in which their exchanges began. Their `seq` is the sequence in which they were recorded.
 */
export async function listByStart(db: Kysely<Database>, filter: EventQuery): Promise<Start[]> {
  const rows = await listInSlices(
    db,
    async () => ({ ...(await sliceOf(db, filter)), newestFirst: false }),
    Infinity,
    (slice) =>
      matching(db, within(filter, slice))
        .select(['seq', 'linkId', STARTED_AT.as('began')])
        .where('exchange', 'is not', null)
        .orderBy('seq')
        .execute(),
  )
  return sortInTurns(rows, (one, other) => (one.began < other.began ? -1 : one.began > other.began ? 1 : 0))
}

/** The events with these `seq`, in the same sequence. */
export async function listBySeqs(db: Kysely<Database>, seqs: readonly number[]): Promise<EventWithBytes[]> {
  const rows = await db.selectFrom('event').select(COLUMNS_WITH_BYTES).where('seq', 'in', seqs).execute()
  const eventsBySeq = new Map(rows.map((row) => [row.seq, row]))
  return seqs.flatMap((seq) => {
    const row = eventsBySeq.get(seq)
    return row ? [toEventWithBytes(row)] : []
  })
}

/**
 * The sizes of the newest events, newest first. For each, the size of the event in characters and about how many bytes its
 * exchange has.
 */
export async function sizes(
  db: Kysely<Database>,
  filter: EventQuery,
  limit: number,
): Promise<{ seq: number; event: number; exchange: number }[]> {
  const rows = await listInSlices(
    db,
    async () => ({ ...(await sliceOf(db, filter)), newestFirst: true }),
    limit,
    (slice, most) =>
      matching(db, within(filter, slice))
        .select(({ fn }) => [
          'seq',
          fn<number>('length', ['data']).as('event'),
          fn<number | null>('length', ['exchange']).as('exchange'),
          // `length` would count a text only up to its first NUL.
          fn<number | null>('octet_length', ['requestBody']).as('requestBody'),
          fn<number | null>('octet_length', ['responseBody']).as('responseBody'),
        ])
        .orderBy('seq', 'desc')
        .limit(most)
        .execute(),
  )
  return rows.map(({ seq, event, exchange, requestBody, responseBody }) => ({
    seq,
    event,
    exchange: (exchange ?? 0) + (requestBody ?? 0) + (responseBody ?? 0),
  }))
}

export async function count(db: Kysely<Database>, filter: EventQuery): Promise<number> {
  const { after = 0, ...rest } = filter
  const isWhole = Object.keys(rest).length === 0 && (after === 0 || after < (await range(db)).oldest)
  if (isWhole) return countAll(db)
  const counts = await listInSlices(
    db,
    async () => ({ ...(await sliceOf(db, filter)), newestFirst: false }),
    Infinity,
    async (slice) => [await countWithin(db, within(filter, slice))],
  )
  return counts.reduce((sum, number) => sum + number, 0)
}

async function countWithin(db: Kysely<Database>, filter: EventQuery): Promise<number> {
  const { number } = await matching(db, filter)
    .select(({ fn }) => fn.countAll().as('number'))
    .executeTakeFirstOrThrow()
  return Number(number)
}

export async function find(db: Kysely<Database>, seq: number): Promise<EventWithBytes | undefined> {
  const row = await db
    .selectFrom('event')
    .select(COLUMNS_WITH_BYTES)
    .where('seq', '=', seq)
    .executeTakeFirst()
  return row && toEventWithBytes(row)
}

/** The attempts of one delivery with their bytes, oldest first. */
export async function listAttempts(db: Kysely<Database>, deliveryId: number): Promise<EventWithBytes[]> {
  const rows = await db
    .selectFrom('event')
    .select(COLUMNS_WITH_BYTES)
    .where('deliveryId', '=', deliveryId)
    .where(TYPE_WITHOUT_INDEX, '=', 'delivery.attempted')
    .orderBy('seq')
    .execute()
  return rows.map(toEventWithBytes)
}

/** The responses of listeners to the requests that a tunnel captured as deliveries of a link, oldest first. */
export async function listenerAnswersTo(
  db: Kysely<Database>,
  { linkId, id }: Pick<Delivery, 'linkId' | 'id'>,
): Promise<RecordedEvent<EventOf<'tunnel.answered'>>[]> {
  const rows = await db
    .selectFrom('event')
    .select(COLUMNS)
    .where('linkId', '=', linkId)
    .where(TYPE_WITHOUT_INDEX, '=', 'tunnel.answered')
    .orderBy('seq')
    .execute()
  return rows
    .map(toEvent)
    .flatMap((event) => (event.type === 'tunnel.answered' && fetchedDelivery(event) === id ? [event] : []))
}

/** The newest event that says why the egress policy held a delivery. */
export async function newestHold(
  db: Kysely<Database>,
  deliveryId: number,
): Promise<RecordedEvent<EventOf<'delivery.held'>> | undefined> {
  const row = await db
    .selectFrom('event')
    .select(COLUMNS)
    .where('deliveryId', '=', deliveryId)
    .where(TYPE_WITHOUT_INDEX, '=', 'delivery.held')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const event = row && toEvent(row)
  return event?.type === 'delivery.held' ? event : undefined
}

const DELETED_PER_STEP = 500

/** Removes all events of an account except the newest one, because SQLite would otherwise use its `seq` again. */
export async function deleteOlder(db: Kysely<Database>, accountId: string): Promise<void> {
  const last = db
    .selectFrom('event')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('accountId', '=', accountId)
  const letOthersRun = createTurns()
  for (;;) {
    const step = db
      .selectFrom('event')
      .select('seq')
      .where('accountId', '=', accountId)
      .where('seq', '<', last)
      .orderBy('seq')
      .limit(DELETED_PER_STEP)
    changed(db, 'event')
    const { numDeletedRows } = await db.deleteFrom('event').where('seq', 'in', step).executeTakeFirst()
    if (numDeletedRows < DELETED_PER_STEP) break
    await letOthersRun()
  }
  await meta.write(db, 'deletions', String(1 + (await deletionCount(db))))
}

/**
 * Removes at most `most` events after `after`, oldest first. Keeps events about something that is still open, because the
 * inspector could not show it after a reload: a delivery that waits or is held, a request that is pending for a listener, or a
 * payment or refund that has not been decided. Returns the last `seq` that was considered, `undefined` if there were no more
 * events.
 */
export async function removeOldest(db: Kysely<Database>, step: Step): Promise<number | undefined> {
  const { rows } = await lastOfStep(db, step)
  const last = rows[0]?.last
  if (last === undefined || last === null) return undefined
  changed(db, 'event')
  await removeBetween(db, { after: step.after, last: Number(last) })
  return Number(last)
}

/** The oldest events after `after`. */
interface Step {
  readonly after: number
  readonly most: number
}

/** Reads only the last `seq`. Reading all rows would take half as long as deleting them. */
const lastOfStep = prepared((db, { after, most }: Step) =>
  db
    .selectFrom(({ selectFrom }) =>
      selectFrom('event').select('seq').where('seq', '>', after).orderBy('seq').limit(most).as('step'),
    )
    .select(({ fn }) => fn.max('seq').as('last')),
)

/** The links of the events that `removeOldest` would consider. */
export async function oldestLinkIds(db: Kysely<Database>, { after, most }: Step): Promise<number[]> {
  const rows = await db
    .selectFrom('event')
    .select('linkId')
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(most)
    .execute()
  return [...new Set(rows.flatMap(({ linkId }) => linkId ?? []))]
}

const removeBetween = preparedWrite((db, { after, last }: { after: number; last: number }) =>
  db
    .deleteFrom('event')
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .where(({ not, exists, or, selectFrom }) =>
      not(
        or([
          exists(selectFrom('pendingRequest').select('seq').whereRef('pendingRequest.seq', '=', 'event.seq')),
          exists(
            selectFrom('delivery')
              .select('id')
              .whereRef('delivery.id', '=', 'event.deliveryId')
              .where('state', 'in', ['planned', 'pending', 'underway', 'held']),
          ),
          exists(
            selectFrom('link')
              .select('id')
              .whereRef('link.id', '=', 'event.linkId')
              .where('status', '=', 'awaiting-transfer'),
          ),
          exists(
            selectFrom('refund')
              .select('linkId')
              .whereRef('refund.linkId', '=', 'event.linkId')
              .where('state', '=', 'pending'),
          ),
        ]),
      ),
    ),
)

/**
 * How many times events of an account were removed in this epoch. If this number changes during an export, events are missing.
 */
export const deletionCount = (db: Kysely<Database>): Promise<number> => meta.readNumber(db, 'deletions')

/** The `seq` of the newest event, 0 in an empty journal. */
async function newestSeq(db: Kysely<Database>): Promise<number> {
  const { seq } = await db
    .selectFrom('event')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow()
  return Number(seq ?? 0)
}

const countUnused = createUnusedCount('event', 'seq')

/** The number of events in the journal. */
export async function countAll(db: Kysely<Database>): Promise<number> {
  const [head, unused] = await Promise.all([newestSeq(db), countUnused(db)])
  // A reset in between leaves fewer events.
  return Math.max(0, head - unused)
}

/** The `seq` of the oldest event, and that of the newest. Both are 0 in an empty journal. */
export async function range(db: Kysely<Database>): Promise<{ oldest: number; head: number }> {
  // Two queries, because SQLite would read every row to answer both in one query.
  const { oldest, head } = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('event')
        .select(({ fn }) => fn.min('seq').as('seq'))
        .as('oldest'),
      selectFrom('event')
        .select(({ fn }) => fn.max('seq').as('seq'))
        .as('head'),
    ])
    .executeTakeFirstOrThrow()
  return { oldest: Number(oldest ?? 0), head: Number(head ?? 0) }
}

/** The time of the account's `nth` newest call, counting from 1. */
export async function callTime(
  db: Kysely<Database>,
  accountId: string,
  nth: number,
): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('event')
    .select('at')
    .where('accountId', '=', accountId)
    .where(TYPE_WITHOUT_INDEX, '=', 'api.request')
    .orderBy('seq', 'desc')
    .offset(nth - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** The type without its index, for queries in which a different index excludes more rows. */
const TYPE_WITHOUT_INDEX = withoutIndex<EventType>('type')
const ACCOUNT_WITHOUT_INDEX = withoutIndex<string>('accountId')

/**
 * When an exchange began. An attempt is recorded when it ends, every other event when it begins. Quotes inside JSON strings are
 * escaped, so the text `"startedAt":` is always the key. Every instant has 24 characters.
 */
const STARTED_AT = sql<Instant>`case
  when "type" = 'delivery.attempted' then substr("data", instr("data", '"startedAt":"') + 13, 24) else "at" end`

function matching(
  db: Kysely<Database>,
  { after, before, types, accountId, linkId, deliveryId, contains = [] }: EventQuery,
) {
  let query = db.selectFrom('event')
  if (after !== undefined) query = query.where('seq', '>', after)
  if (before !== undefined) query = query.where('seq', '<', before)
  const isNarrow = linkId !== undefined || deliveryId !== undefined
  const [only, ...others] = types ?? []
  // For several types, SQLite would sort all their events.
  if (only !== undefined && others.length === 0 && !isNarrow && isRareType(only))
    query = query.where('type', '=', only).where(HAS_RARE_TYPE)
  else if (types !== undefined) query = query.where(TYPE_WITHOUT_INDEX, 'in', types)
  if (accountId !== undefined)
    query = query.where(isNarrow ? ACCOUNT_WITHOUT_INDEX : 'accountId', '=', accountId)
  if (linkId !== undefined) query = query.where('linkId', '=', linkId)
  if (deliveryId !== undefined) query = query.where('deliveryId', '=', deliveryId)
  for (const text of contains) query = query.where(sql<boolean>`instr("data", ${text}) > 0`)
  return query
}

type EventRow = Pick<Selectable<Database['event']>, (typeof COLUMNS)[number]>

const toEvent = ({ seq, at, data }: EventRow): RecordedEvent => ({
  ...(JSON.parse(data) as SandboxEvent),
  // The columns come last, because `data` of an uploaded snapshot may contain keys with the same names.
  seq,
  at,
})

type RowWithBytes = Pick<Selectable<Database['event']>, (typeof COLUMNS_WITH_BYTES)[number]>

const toEventWithBytes = (row: RowWithBytes): EventWithBytes => ({
  event: toEvent(row),
  exchange: fromColumns(row),
})
