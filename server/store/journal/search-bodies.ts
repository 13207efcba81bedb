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
const FIRST_SLICE_BYTES = 256 * 1024
export const MAX_SLICE_BYTES = 4 * 1024 * 1024
/** What an event costs besides its bodies, in bytes. */
const EVENT_BYTES = 200

/**
 * Searches the bodies of requests and responses, newest first, and ends a page after a short time.
 *
 * It reads the bodies instead of an index. A trigram index would double the file and add a fifth of a millisecond to each call,
 * while SQLite reads a hundred thousand events in about 150 ms. SQLite selects the bodies that have the longest runs of letters
 * and digits of the text; `bodyContains` then decodes them.
 */
export async function searchBodies(db: Kysely<Database>, search: BodySearch): Promise<SearchPage> {
  const { text, limit, signal } = search
  const oldest = Math.max((await events.range(db)).oldest, search.after + 1)
  const startedMs = performance.now()
  const seqs: number[] = []
  let before = search.before
  let sliceBytes = FIRST_SLICE_BYTES
  while (before > oldest && seqs.length < limit && performance.now() - startedMs < PAGE_MS) {
    signal.throwIfAborted()
    const sliceStartedMs = performance.now()
    const from = await startOfSlice(db, { oldest, before, bytes: sliceBytes })
    seqs.push(...(await searchSlice(db, text, { from, before })))
    before = from
    sliceBytes = nextSliceBytes(sliceBytes, performance.now() - sliceStartedMs)
    await nextTurn()
  }
  const found = seqs.length === 0 ? [] : await events.listBySeqs(db, seqs)
  return { found: found.map(({ event }) => event), next: before > oldest ? before : null }
}

/** A text in which every second character may be escaped takes far longer to search than others, so the time counts too. */
const nextSliceBytes = (bytes: number, ms: number): number =>
  Math.min(MAX_SLICE_BYTES, 2 * bytes, (bytes * SLICE_MS) / Math.max(ms, 1))

/** The `seq` of the first event of a slice with so many bytes, and with one event at least. */
async function startOfSlice(
  db: Kysely<Database>,
  { oldest, before, bytes }: { readonly oldest: number; readonly before: number; readonly bytes: number },
): Promise<number> {
  // SQLite knows the length of a body without reading it.
  const sizes = db
    .selectFrom('event')
    .select([
      'seq',
      sql<number>`${EVENT_BYTES} + coalesce(octet_length("requestBody"), 0) + coalesce(octet_length("responseBody"), 0)`.as(
        'bytes',
      ),
    ])
    .where('seq', '>=', oldest)
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .limit(Math.max(1, Math.ceil(bytes / EVENT_BYTES)))
  const totals = db
    .selectFrom(sizes.as('size'))
    .select(['seq', sql<number>`sum("bytes") over (order by "seq" desc)`.as('total')])
  const { first, newest } = await db
    .selectFrom(totals.as('sum'))
    .select(({ fn }) => [
      fn.max('seq').as('newest'),
      fn.min('seq').filterWhere('total', '<=', bytes).as('first'),
    ])
    .executeTakeFirstOrThrow()
  return first ?? newest ?? oldest
}

/** The events of one slice that match, newest first. */
async function searchSlice(
  db: Kysely<Database>,
  text: string,
  { from, before }: { readonly from: number; readonly before: number },
): Promise<number[]> {
  const parts = longestParts(text)
  const rows = await db
    .selectFrom('event')
    .select(['seq', 'requestBody', 'responseBody'])
    .where('seq', '>=', from)
    .where('seq', '<', before)
    .where(({ or }) => or([hasParts('requestBody', parts), hasParts('responseBody', parts)]))
    .orderBy('seq', 'desc')
    .execute()
  return rows
    .filter(({ requestBody, responseBody }) =>
      [requestBody, responseBody].some((body) => body !== null && matches(body, text)),
    )
    .map(({ seq }) => seq)
}

const MAX_PARTS = 3

/** The parts that every body with the text contains, in lower case. More of them would cost time and exclude little. */
const longestParts = (text: string): readonly string[] =>
  [...new Set(unescapedParts(text).map((part) => part.toLowerCase()))]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MAX_PARTS)

/** Without the cast, a body of bytes never matches. `like` would take the length of the part times that of the body. */
const hasParts = (column: 'requestBody' | 'responseBody', parts: readonly string[]) =>
  parts.length === 0
    ? sql<boolean>`${sql.ref(column)} is not null`
    : sql<boolean>`(${sql.join(
        parts.map((part) => sql`instr(lower(cast(${sql.ref(column)} as text)), ${part}) > 0`),
        sql` and `,
      )})`

/** A body that is not UTF-8 may be text in Latin-1. */
const matches = (body: string | Uint8Array, text: string): boolean =>
  bodyContains(typeof body === 'string' ? body : Buffer.from(body).toString('latin1'), text)
