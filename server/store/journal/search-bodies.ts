import { sql, type Kysely } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RecordedEvent } from '../../domain/events/event.ts'
import { bodyContains, unescapedParts } from '../../domain/http/body-text.ts'
import type { Database } from '../schema.ts'
import * as events from './events.ts'

interface BodySearch {
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
  /** The next page has the events before this `seq`. `null` if there is no next page. */
  readonly next: number | null
}

/** A page ends after this time at the latest, so that the caller sees progress. */
const PAGE_MS = 200
/** Other requests run after each slice. */
const SLICE_MS = 8
const FIRST_SLICE = 200
const MAX_SLICE = 20_000
/**
 * A slice has at most this many bytes, unless it is a single event. The largest bodies are a thousand times larger than the
 * smallest.
 */
export const MAX_SLICE_BYTES = 1024 * 1024

/**
 * Searches the bodies of requests and responses, newest first. A page ends after a short time. There is no index, because a
 * trigram index would double the size of the file and add a fifth of a millisecond to each call, while SQLite reads a hundred
 * thousand events in about 250 ms. SQLite finds the bodies that contain the longest sequences of letters and digits in the text.
 * `bodyContains` then decodes these bodies.
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
    const from = await startOfSlice(db, { oldest, before, slice })
    seqs.push(...(await searchSlice(db, text, { from, before })))
    slice = nextSlice(before - from, performance.now() - sliceStartedMs)
    before = from
    await nextTurn()
  }
  const candidates = seqs.length === 0 ? [] : await events.listBySeqs(db, seqs)
  return { found: candidates.map(({ event }) => event), next: before > oldest ? before : null }
}

/** Some texts take far longer to search for than others, so the size of a slice depends on how long the previous slice took. */
const nextSlice = (slice: number, ms: number): number =>
  Math.max(1, Math.min(MAX_SLICE, Math.round((slice * SLICE_MS) / Math.max(ms, 1))))

/** The first `seq` of the largest part of a slice whose bodies are small enough. This part contains at least one event. */
async function startOfSlice(
  db: Kysely<Database>,
  { oldest, before, slice }: { readonly oldest: number; readonly before: number; readonly slice: number },
): Promise<number> {
  for (let count = slice; ; count = Math.ceil(count / 2)) {
    const from = Math.max(oldest, before - count)
    if (count === 1 || (await countBytes(db, from, before)) <= MAX_SLICE_BYTES) return from
  }
}

/** SQLite can tell the length of a body without reading the body. */
async function countBytes(db: Kysely<Database>, from: number, before: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('event')
    .select(
      sql<number>`coalesce(sum(octet_length("requestBody")), 0) + coalesce(sum(octet_length("responseBody")), 0)`.as(
        'bytes',
      ),
    )
    .where('seq', '>=', from)
    .where('seq', '<', before)
    .executeTakeFirstOrThrow()
  return bytes
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

/**
 * Lowercase parts of the text that every matching body contains. Few, because more parts would cost time and exclude few bodies.
 */
const longestParts = (text: string): readonly string[] =>
  [...new Set(unescapedParts(text).map((part) => part.toLowerCase()))]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MAX_PARTS)

/** Bodies that are bytes need the cast. `like` is not used, because its time grows with the product of both lengths. */
const hasParts = (column: 'requestBody' | 'responseBody', parts: readonly string[]) =>
  parts.length === 0
    ? sql<boolean>`${sql.ref(column)} is not null`
    : sql<boolean>`(${sql.join(
        parts.map((part) => sql`instr(lower(cast(${sql.ref(column)} as text)), ${part}) > 0`),
        sql` and `,
      )})`

/** A body that is not UTF-8 is searched both as UTF-8 and as Latin-1. */
const matches = (body: string | Uint8Array, text: string): boolean =>
  bodyContains(typeof body === 'string' ? body : Buffer.from(body).toString('latin1'), text)
