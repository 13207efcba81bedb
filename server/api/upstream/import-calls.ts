import { findCalls, readHar, type RecordedExchange } from '../../domain/events/read-har.ts'
import { decodeBody, findHeader } from '../../domain/http/exchange.ts'
import { MAX_BODY_BYTES } from '../../domain/http/limits.ts'
import type { Store } from '../../store/store.ts'
import { RawBody } from '../body.ts'
import type { Call } from '../call.ts'
import { recordAnsweredCall } from './record-answered-call.ts'

export interface ImportOptions {
  /** The name of the file, for the timeline. */
  readonly name: string
  /** Imports only calls to this origin. Default: calls to any origin. */
  readonly origin: string | undefined
}

/** How many calls were recorded, how many of them differ, and how many requests were ignored. */
export interface ImportResult {
  readonly imported: number
  readonly different: number
  readonly ignored: number
}

/** Enough to share a commit, and few enough to let other work in between. */
const CALLS_AT_ONCE = 64

/** Records the calls of an HTTP Archive, oldest first. Throws a `UsageError` if the text is none. */
export async function importCalls(
  store: Store,
  har: string,
  { name, origin }: ImportOptions,
  onError: (error: unknown) => void,
): Promise<ImportResult> {
  const { calls, ignored } = findCalls(readHar(har), origin)
  const sorted = calls.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt))
  let different = 0
  for (let start = 0; start < sorted.length; start += CALLS_AT_ONCE) {
    const recorded = await Promise.all(
      sorted.slice(start, start + CALLS_AT_ONCE).map((one) => importCall(store, one, name, onError)),
    )
    different += recorded.filter(Boolean).length
  }
  return { imported: sorted.length, different, ignored }
}

/** Returns whether the sandbox would have answered differently. */
function importCall(
  store: Store,
  { exchange, startedAt, ms, error, upstream }: RecordedExchange,
  name: string,
  onError: (error: unknown) => void,
): Promise<boolean> {
  const { request, response } = exchange
  const url = new URL(request.url)
  const bytes = decodeBody(request.body)
  const call: Call = {
    operation: url.pathname.slice('/api/v2/'.length),
    method: request.method,
    path: url.pathname + url.search,
    url: request.url,
    token: findHeader(request.headers, 'token') ?? '',
    headers: request.headers,
    body: new RawBody(
      findHeader(request.headers, 'content-type') ?? '',
      bytes.subarray(0, MAX_BODY_BYTES),
      bytes.length > MAX_BODY_BYTES,
    ),
    baseUrl: url.origin,
  }
  const answered = {
    upstream: upstream ?? url.origin,
    response,
    ...(error !== null && { failure: { code: 'upstreamFailed', error } }),
    ms,
    at: startedAt,
    imported: name,
  }
  return store.transact((work) => recordAnsweredCall(work, call, answered, onError))
}
