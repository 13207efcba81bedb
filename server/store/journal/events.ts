import { sql, type Insertable, type Kysely } from 'kysely'
import type { EventType, RecordedEvent, SandboxEvent } from '../../domain/events/event.ts'
import type { Exchange } from '../../domain/http/exchange.ts'
import type { Instant } from '../../domain/time/time.ts'
import { prepared, type Params } from '../sqlite/prepared.ts'
import * as meta from '../meta.ts'
import type { Database, EventTable } from '../schema.ts'

export async function append(
  db: Kysely<Database>,
  event: SandboxEvent,
  at: Instant,
  exchange?: Exchange,
): Promise<RecordedEvent> {
  const { insertId } = await insert(db, {
    at,
    type: event.type,
    accountId: event.accountId,
    linkId: event.linkId,
    deliveryId: 'deliveryId' in event ? event.deliveryId : null,
    data: JSON.stringify(event),
    exchange: exchange ? JSON.stringify(exchange) : null,
  })
  return { seq: Number(insertId), at, ...event }
}

const insert = prepared((db, place: Params<Insertable<EventTable>>) =>
  db.insertInto('event').values({
    at: place('at'),
    type: place('type'),
    accountId: place('accountId'),
    linkId: place('linkId'),
    deliveryId: place('deliveryId'),
    data: place('data'),
    exchange: place('exchange'),
  }),
)

export interface EventFilter {
  readonly after?: number
  readonly before?: number
  readonly types?: readonly EventType[]
  readonly accountId?: string
  readonly linkId?: number
}

/** Events after a `seq`, oldest first. */
export async function list(
  db: Kysely<Database>,
  filter: EventFilter,
  limit: number,
): Promise<RecordedEvent[]> {
  const rows = await matching(db, filter).select(['seq', 'at', 'data']).orderBy('seq').limit(limit).execute()
  return rows.map(toEvent)
}

/** The same, with the bytes behind each. */
export async function listWithBytes(
  db: Kysely<Database>,
  filter: EventFilter,
  limit: number,
): Promise<EventWithBytes[]> {
  const query = matching(db, filter).select(['seq', 'at', 'data', 'exchange'])
  const rows = await query.orderBy('seq').limit(limit).execute()
  return rows.map((row) => ({ event: toEvent(row), exchange: parseExchange(row.exchange) }))
}

/** The events behind which there are bytes, in the order in which they began: `seq` counts when they were recorded. */
export async function listByStart(db: Kysely<Database>, filter: EventFilter): Promise<number[]> {
  const rows = await matching(db, filter)
    .select('seq')
    .where('exchange', 'is not', null)
    .orderBy(STARTED_AT)
    .orderBy('seq')
    .execute()
  return rows.map(({ seq }) => seq)
}

/** The links that such events are about, with the first beginning of each: a page of those with a larger id. */
export async function listLinksByStart(
  db: Kysely<Database>,
  filter: EventFilter,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ linkId: number; began: Instant }[]> {
  const rows = await matching(db, filter)
    .select(['linkId', sql<Instant>`min(${STARTED_AT})`.as('began')])
    .where('exchange', 'is not', null)
    .where('linkId', '>', after)
    .groupBy('linkId')
    .orderBy('linkId')
    .limit(limit)
    .execute()
  return rows.map(({ linkId, began }) => ({ linkId: linkId!, began }))
}

/** Those events, in the order of the numbers given. */
export async function listBySeqs(db: Kysely<Database>, seqs: readonly number[]): Promise<EventWithBytes[]> {
  const rows = await db
    .selectFrom('event')
    .select(['seq', 'at', 'data', 'exchange'])
    .where('seq', 'in', seqs)
    .execute()
  const found = new Map(rows.map((row) => [row.seq, row]))
  return seqs.flatMap((seq) => {
    const row = found.get(seq)
    return row ? [{ event: toEvent(row), exchange: parseExchange(row.exchange) }] : []
  })
}

/** The newest events, newest last. */
export async function newest(
  db: Kysely<Database>,
  filter: EventFilter,
  limit: number,
): Promise<RecordedEvent[]> {
  const query = matching(db, filter).select(['seq', 'at', 'data'])
  const rows = await query.orderBy('seq', 'desc').limit(limit).execute()
  return rows.map(toEvent).toReversed()
}

/** How many characters the newest events and their bytes have, newest first. */
export async function sizes(
  db: Kysely<Database>,
  filter: EventFilter,
  limit: number,
): Promise<{ seq: number; event: number; exchange: number }[]> {
  const rows = await matching(db, filter)
    .select(({ fn }) => [
      'seq',
      fn<number>('length', ['data']).as('event'),
      fn<number | null>('length', ['exchange']).as('exchange'),
    ])
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ exchange, ...row }) => ({ ...row, exchange: exchange ?? 0 }))
}

export async function count(db: Kysely<Database>, filter: EventFilter): Promise<number> {
  const { number } = await matching(db, filter)
    .select(({ fn }) => fn.countAll().as('number'))
    .executeTakeFirstOrThrow()
  return Number(number)
}

export interface EventWithBytes {
  readonly event: RecordedEvent
  readonly exchange: Exchange | null
}

export async function find(db: Kysely<Database>, seq: number): Promise<EventWithBytes | undefined> {
  const row = await db
    .selectFrom('event')
    .select(['seq', 'at', 'data', 'exchange'])
    .where('seq', '=', seq)
    .executeTakeFirst()
  return row && { event: toEvent(row), exchange: parseExchange(row.exchange) }
}

/** The attempts of one delivery with their bytes, oldest first. */
export async function attemptsOf(db: Kysely<Database>, deliveryId: number): Promise<EventWithBytes[]> {
  const rows = await db
    .selectFrom('event')
    .select(['seq', 'at', 'data', 'exchange'])
    .where('deliveryId', '=', deliveryId)
    .where(TYPE_WITHOUT_INDEX, '=', 'delivery.attempted')
    .orderBy('seq')
    .execute()
  return rows.map((row) => ({ event: toEvent(row), exchange: parseExchange(row.exchange) }))
}

/** Why a delivery was held back the last time. */
export async function holdReason(db: Kysely<Database>, deliveryId: number): Promise<string | null> {
  const row = await db
    .selectFrom('event')
    .select(['seq', 'at', 'data'])
    .where('deliveryId', '=', deliveryId)
    .where(TYPE_WITHOUT_INDEX, '=', 'delivery.held')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const event = row && toEvent(row)
  return event?.type === 'delivery.held' ? event.heldReason : null
}

/** Removes what is older than the newest event of an account, which stays, so that no `seq` is given twice. */
export async function deleteOlder(db: Kysely<Database>, accountId: string): Promise<void> {
  const last = db
    .selectFrom('event')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('accountId', '=', accountId)
  await db.deleteFrom('event').where('accountId', '=', accountId).where('seq', '<', last).execute()
  await meta.write(db, 'sweeps', String(1 + (await deletionCount(db))))
}

/**
 * Removes the oldest events after another, but for those that are pinned, and those of what is still open: a webhook
 * that is waiting or held, a request that waits for a listener, a payment that waits for the operator. Gives how far it has
 * come, `undefined` where nothing was left.
 */
export async function removeOldest(
  db: Kysely<Database>,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<number | undefined> {
  const rows = await matching(db, { after }).select('seq').orderBy('seq').limit(most).execute()
  const last = rows.at(-1)?.seq
  if (last === undefined) return undefined
  await db
    .deleteFrom('event')
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .where('seq', 'not in', db.selectFrom('pin').select('seq'))
    .where(({ not, exists, or, selectFrom }) =>
      not(
        or([
          exists(selectFrom('waiting').select('seq').whereRef('waiting.seq', '=', 'event.seq')),
          exists(
            selectFrom('delivery')
              .select('id')
              .whereRef('delivery.id', '=', 'event.deliveryId')
              .where('state', 'in', ['pending', 'underway', 'held']),
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
    )
    .execute()
  return last
}

/** How often events were removed in this epoch. */
export const deletionCount = async (db: Kysely<Database>): Promise<number> =>
  Number((await meta.read(db, 'sweeps')) ?? 0)

/** The first and the last `seq` there are; 0 and 0 while there is none. */
export async function range(db: Kysely<Database>): Promise<{ oldest: number; head: number }> {
  // Apart, as SQLite walks through all of them where both are asked for at once.
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

/** When the account's `nth` newest answered call was, counting from 1. */
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

/** Where the events to look among are few already: the sign keeps SQLite from going by the index of types. */
const TYPE_WITHOUT_INDEX = sql<EventType>`+"type"`

/** An attempt is recorded when it has ended, anything else when it begins. */
const STARTED_AT = sql<Instant>`iif("type" = 'delivery.attempted', coalesce("data" ->> '$.startedAt', "at"), "at")`

function matching(db: Kysely<Database>, { after, before, types, accountId, linkId }: EventFilter) {
  let query = db.selectFrom('event')
  if (after !== undefined) query = query.where('seq', '>', after)
  if (before !== undefined) query = query.where('seq', '<', before)
  const [only, ...others] = types ?? []
  // Of several types it would sort all there are of them.
  const isByType = accountId === undefined && linkId === undefined && others.length === 0
  if (only !== undefined && isByType) query = query.where('type', '=', only)
  else if (types !== undefined) query = query.where(TYPE_WITHOUT_INDEX, 'in', types)
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  if (linkId !== undefined) query = query.where('linkId', '=', linkId)
  return query
}

const toEvent = ({ seq, at, data }: { seq: number; at: Instant; data: string }): RecordedEvent => ({
  ...(JSON.parse(data) as SandboxEvent),
  // Whatever a file from elsewhere has in it.
  seq,
  at,
})

const parseExchange = (text: string | null): Exchange | null =>
  text === null ? null : (JSON.parse(text) as Exchange)
