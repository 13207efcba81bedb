import { sql, type Kysely } from 'kysely'
import type { RecordedEvent } from '../../domain/events/event.ts'
import type { Exchange } from '../../domain/http/exchange.ts'
import { MAX_KEPT_REQUESTS, MAX_KEPT_BYTES } from '../../domain/network/tunnel.ts'
import * as events from '../journal/events.ts'
import { limitBytes } from './limit-bytes.ts'
import type { CapturedRequestTable, Database } from '../schema.ts'

export async function insert(db: Kysely<Database>, captured: CapturedRequestTable): Promise<void> {
  await db.insertInto('capturedRequest').values(captured).execute()
}

export interface CapturedRequest {
  readonly event: Extract<RecordedEvent, { readonly type: 'tunnel.captured' }>
  readonly request: Exchange['request']
}

/** A request that is still kept, with its bytes. */
export async function find(db: Kysely<Database>, seq: number): Promise<CapturedRequest | undefined> {
  const kept = await db.selectFrom('capturedRequest').select('seq').where('seq', '=', seq).executeTakeFirst()
  const event = kept && (await events.find(db, seq))
  if (event?.event.type !== 'tunnel.captured' || event.exchange === null) return undefined
  return { event: event.event, request: event.exchange.request }
}

/** The `seq` of every request that is still kept. */
export async function listSeqs(db: Kysely<Database>): Promise<number[]> {
  const rows = await db.selectFrom('capturedRequest').select('seq').execute()
  return rows.map(({ seq }) => seq)
}

/**
 * One page of a tunnel's stored requests: the newest requests before a `seq`, oldest first. Also says whether there are older
 * requests.
 */
export async function newest(
  db: Kysely<Database>,
  tunnel: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<{ readonly seqs: readonly number[]; readonly more: boolean }> {
  let query = db.selectFrom('capturedRequest').select(['seq', 'size']).where('tunnel', '=', tunnel)
  if (before !== undefined) query = query.where('seq', '<', before)
  const rows = await query
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute()
  const page = limitBytes(rows.slice(0, limit))
  return { seqs: page.map(({ seq }) => seq).toReversed(), more: page.length < rows.length }
}

/** How many requests are kept, by tunnel. */
export async function counts(db: Kysely<Database>, tunnels: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('capturedRequest')
    .select(({ fn }) => ['tunnel', fn.countAll<number>().as('count')])
    .where('tunnel', 'in', tunnels)
    .groupBy('tunnel')
    .execute()
  return new Map(rows.map(({ tunnel, count }) => [tunnel, count]))
}

interface KeptSize {
  readonly count: number
  readonly bytes: number
}

async function measure(db: Kysely<Database>, tunnel: string): Promise<KeptSize> {
  return db
    .selectFrom('capturedRequest')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('bytes'),
    ])
    .where('tunnel', '=', tunnel)
    .executeTakeFirstOrThrow()
}

/** How far a tunnel may exceed its limits. Otherwise, every new request would delete an old one. */
const SLACK = 1.1

/** The newest `seq` to delete, if the requests of a tunnel exceed their limits. Otherwise `undefined`. */
export async function newestSeqToDelete(db: Kysely<Database>, tunnel: string): Promise<number | undefined> {
  const { count, bytes } = await measure(db, tunnel)
  if (count <= MAX_KEPT_REQUESTS * SLACK && bytes <= MAX_KEPT_BYTES * SLACK) return undefined
  const { rows } = await sql<{ seq: number | null }>`
    select max("seq") as "seq" from (
      select "seq", row_number() over newest as "position", sum("size") over newest as "bytes"
      from "capturedRequest" where "tunnel" = ${tunnel} window newest as (order by "seq" desc)
    ) as "kept" where "position" > ${MAX_KEPT_REQUESTS} or "bytes" > ${MAX_KEPT_BYTES}`.execute(db)
  return rows[0]?.seq ?? undefined
}

/**
 * Deletes the requests of a tunnel up to a `seq`, or all of them, and returns their number. Also deletes the pending requests
 * of listeners. The events stay in the journal.
 */
export async function removeUpTo(
  db: Kysely<Database>,
  tunnel: string,
  seq = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('capturedRequest')
    .where('tunnel', '=', tunnel)
    .where('seq', '<=', seq)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
