import { sql, type Kysely } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent } from '../../domain/events/event.ts'
import { bodyContains, unescapedParts } from '../../domain/http/body-text.ts'
import type { Database } from '../schema.ts'
import * as events from './events.ts'

export interface BodySearch {
  readonly text: string
  readonly after: number
  /** Only events before this `seq`. */
  readonly before: number
  /** A page ends after about this many matches. */
  readonly limit: number
  readonly signal: AbortSignal
}

interface SearchPage {
  /** Newest first. */
  readonly found: readonly RecordedEvent[]
  /** The `seq` before which the next page begins. `null`: there is nothing left. */
  readonly next: number | null
}

/** A page ends after this time, so that the caller sees progress. */
const PAGE_MS = 200
/** Other requests run after each slice. */
const SLICE_MS = 8
const FIRST_SLICE = 200
const MAX_SLICE = 20_000

/**
 * Searches the bodies of requests and responses, newest first, and ends a page after a short time.
 *
 * It reads the bodies instead of an index. A trigram index would double the file and add a fifth of a millisecond to each call,
 * while SQLite reads a hundred thousand events in about 150 ms. SQLite selects the bodies that have the letters and digits
 * of the text in order; `bodyContains` then decodes them.
 */
export async function searchBodies(db: Kysely<Database>, search: BodySearch): Promise<SearchPage> {
  const { text, limit, signal } = search
  const oldest = Math.max((await events.range(db)).oldest, search.after + 1)
  const startedMs = performance.now()
  const seqs: number[] = []
  let before = search.before
  let slice = FIRST_SLICE
  while (before > oldest && seqs.length < limit && performance.now() - startedMs < PAGE_MS) {
    signal.throwIfAborted()
    const sliceStartedMs = performance.now()
    const from = Math.max(oldest, before - slice)
    seqs.push(...(await searchSlice(db, text, { from, before })))
    before = from
    slice = nextSlice(slice, performance.now() - sliceStartedMs)
    await nextTurn()
  }
  const found = seqs.length === 0 ? [] : await events.listBySeqs(db, seqs)
  return { found: found.map(({ event }) => event), next: before > oldest ? before : null }
}

/** Bodies differ in size by a factor of a thousand, so the next slice depends on the time of this one. */
const nextSlice = (slice: number, ms: number): number =>
  Math.max(1, Math.min(MAX_SLICE, Math.round((slice * SLICE_MS) / Math.max(ms, 1))))

/** The events of one slice that match, newest first. */
async function searchSlice(
  db: Kysely<Database>,
  text: string,
  { from, before }: { readonly from: number; readonly before: number },
): Promise<number[]> {
  const pattern = `%${unescapedParts(text).join('%')}%`
  const rows = await db
    .selectFrom('event')
    .select(['seq', 'requestBody', 'responseBody'])
    .where('seq', '>=', from)
    .where('seq', '<', before)
    // Without the cast, a body of bytes never matches.
    .where(
      sql<boolean>`(cast("requestBody" as text) like ${pattern} or cast("responseBody" as text) like ${pattern})`,
    )
    .orderBy('seq', 'desc')
    .execute()
  return rows
    .filter(({ requestBody, responseBody }) =>
      [requestBody, responseBody].some((body) => body !== null && matches(body, text)),
    )
    .map(({ seq }) => seq)
}

/** A body that is not UTF-8 may be text in Latin-1. */
const matches = (body: string | Uint8Array, text: string): boolean =>
  bodyContains(typeof body === 'string' ? body : Buffer.from(body).toString('latin1'), text)
