import type { Kysely } from 'kysely'
import type { EventType, Recorded, SandboxEvent } from '../domain/events.ts'
import type { Exchange } from '../domain/exchange.ts'
import type { Instant } from '../domain/time.ts'
import type { Database } from './schema.ts'

export async function append(
  db: Kysely<Database>,
  event: SandboxEvent,
  at: Instant,
  exchange?: Exchange,
): Promise<Recorded> {
  const { seq } = await db
    .insertInto('event')
    .values({
      at,
      type: event.type,
      accountId: event.accountId,
      linkId: event.linkId,
      deliveryId: 'deliveryId' in event ? event.deliveryId : null,
      data: JSON.stringify(event),
      exchange: exchange ? JSON.stringify(exchange) : null,
    })
    .returning('seq')
    .executeTakeFirstOrThrow()
  return { ...event, seq, at }
}

export interface Filter {
  readonly after?: number
  readonly before?: number
  readonly types?: readonly EventType[]
  readonly accountId?: string
  readonly linkId?: number
}

/** Events after a `seq`, oldest first. */
export async function list(db: Kysely<Database>, filter: Filter, limit: number): Promise<Recorded[]> {
  const rows = await matching(db, filter).orderBy('seq').limit(limit).execute()
  return rows.map(toEvent)
}

/** The newest events, newest last. */
export async function newest(db: Kysely<Database>, filter: Filter, limit: number): Promise<Recorded[]> {
  const rows = await matching(db, filter).orderBy('seq', 'desc').limit(limit).execute()
  return rows.map(toEvent).toReversed()
}

export async function find(
  db: Kysely<Database>,
  seq: number,
): Promise<{ event: Recorded; exchange: Exchange | null } | undefined> {
  const row = await db
    .selectFrom('event')
    .select(['seq', 'at', 'data', 'exchange'])
    .where('seq', '=', seq)
    .executeTakeFirst()
  return row && { event: toEvent(row), exchange: parseExchange(row.exchange) }
}

/** The attempts of one delivery with their bytes, oldest first. */
export async function attemptsOf(
  db: Kysely<Database>,
  deliveryId: number,
): Promise<{ event: Recorded; exchange: Exchange | null }[]> {
  const rows = await db
    .selectFrom('event')
    .select(['seq', 'at', 'data', 'exchange'])
    .where('deliveryId', '=', deliveryId)
    .where('type', '=', 'delivery.attempted')
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
    .where('type', '=', 'delivery.held')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const event = row && toEvent(row)
  return event?.type === 'delivery.held' ? event.reason : null
}

/** The first and the last `seq` there are; 0 and 0 while there is none. */
export async function range(db: Kysely<Database>): Promise<{ oldest: number; head: number }> {
  const { oldest, head } = await db
    .selectFrom('event')
    .select(({ fn }) => [fn.min('seq').as('oldest'), fn.max('seq').as('head')])
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
    .where('type', '=', 'call.answered')
    .orderBy('seq', 'desc')
    .offset(nth - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

function matching(db: Kysely<Database>, { after, before, types, accountId, linkId }: Filter) {
  let query = db.selectFrom('event').select(['seq', 'at', 'data'])
  if (after !== undefined) query = query.where('seq', '>', after)
  if (before !== undefined) query = query.where('seq', '<', before)
  if (types !== undefined) query = query.where('type', 'in', types)
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  if (linkId !== undefined) query = query.where('linkId', '=', linkId)
  return query
}

const toEvent = ({ seq, at, data }: { seq: number; at: Instant; data: string }): Recorded => ({
  ...(JSON.parse(data) as SandboxEvent),
  seq,
  at,
})

const parseExchange = (text: string | null): Exchange | null =>
  text === null ? null : (JSON.parse(text) as Exchange)
