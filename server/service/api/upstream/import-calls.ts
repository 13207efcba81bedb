import { setImmediate as nextTurn } from 'node:timers/promises'
import { compareTimes, readHar, type LeftOut, type RecordedExchange } from '../../../domain/har/read-har.ts'
import { decodeBody, findHeader } from '../../../domain/http/exchange.ts'
import { MAX_BODY_BYTES } from '../../../domain/http/limits.ts'
import type { Store } from '../../../store/store.ts'
import { RawBody } from '../raw-body.ts'
import type { Call } from '../call.ts'
import { recordAnsweredCall, type ComparisonOutcome } from './record-answered-call.ts'

interface ImportOptions {
  /** The name of the file, for the timeline. */
  readonly name: string
  /** Imports only calls to this origin. Default: calls to any origin. */
  readonly origin: string | undefined
  /** Stops the import. Calls that were already recorded are kept. */
  readonly signal: AbortSignal
}

interface ImportResult {
  /** The number of calls that were recorded. */
  readonly imported: number
  readonly different: number
  /** For each reason why responses were not compared, the number of calls. */
  readonly comparisonSkipped: Readonly<Record<string, number>>
  /** The number of requests that are not calls of the API, or that go to a different origin. */
  readonly ignored: number
  /** The entries that cannot be read. */
  readonly leftOut: readonly LeftOut[]
}

/**
 * Records the calls of an HTTP Archive, oldest first, until the signal aborts. Throws a `UsageError` if the text is not an HTTP
 * Archive. Each call has its own unit of work, so that other calls to the sandbox do not have to wait for the whole file.
 */
export async function importCalls(
  store: Store,
  har: string,
  { name, origin, signal }: ImportOptions,
  onError: (error: unknown) => void,
): Promise<ImportResult> {
  const { calls, ignored, leftOut } = readHar(har, origin)
  const sorted = calls.toSorted(compareTimes)
  let imported = 0
  let different = 0
  const reasons = new Map<string, number>()
  for (const call of sorted) {
    // Requests that have arrived in the meantime are handled first.
    await nextTurn()
    if (signal.aborted) break
    const { isDifferent, comparisonSkipped } = await importCall(store, call, name, onError)
    if (isDifferent) different += 1
    if (comparisonSkipped !== undefined)
      reasons.set(comparisonSkipped, (reasons.get(comparisonSkipped) ?? 0) + 1)
    imported += 1
  }
  return { imported, different, comparisonSkipped: Object.fromEntries(reasons), ignored, leftOut }
}

function importCall(
  store: Store,
  { exchange, startedAt, ms, error, upstream }: RecordedExchange,
  name: string,
  onError: (error: unknown) => void,
): Promise<ComparisonOutcome> {
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
      {
        contentType: findHeader(request.headers, 'content-type'),
        contentEncoding: findHeader(request.headers, 'content-encoding'),
      },
      bytes,
      request.body.size > MAX_BODY_BYTES,
      request.body,
    ),
    baseUrl: url.origin,
  }
  const answered = {
    upstream: upstream ?? url.origin,
    response,
    ...(error !== null && { failure: { code: 'upstreamFailed', error } }),
    undecoded:
      response?.body.encoding === 'base64' ? findHeader(response.headers, 'content-encoding') : undefined,
    ms,
    at: startedAt ?? undefined,
    imported: name,
  }
  return store.transact((work) => recordAnsweredCall(work, call, answered, onError))
}
