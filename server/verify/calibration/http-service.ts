import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer } from '../../domain/api/describe-answer.ts'
import type { CalibratedService, ServiceRequest, ServiceResult } from './run-probe.ts'
import { encodeBody, pairHeaders } from '../../domain/http/exchange.ts'
import { MAX_BODY_BYTES } from '../../domain/http/limits.ts'
import { withTlsRemedy } from '../../domain/network/tls-problem.ts'
import { agentFor } from '../../platform/http/agent.ts'
import { explainNoAnswer } from '../../platform/http/explain-no-answer.ts'
import { sendRequest } from '../../platform/http/fetch.ts'
import { readUpTo } from '../../platform/http/read-up-to.ts'
import type { Mask } from '../../domain/secrets/mask.ts'
import { roundMs } from '../../domain/time/berlin-time.ts'
import { timeoutSignal } from '../../domain/time/timeout-signal.ts'
import { createRateLimit, type Rate } from './rate-limit.ts'
import { MAX_REPEATS, readRetryAfter } from './retry-after.ts'
import { withAuthorization } from '../../domain/network/credentials.ts'

interface HttpServiceOptions {
  readonly origin: string
  /** The value of the `Authorization` header, for a service that requires a password. */
  readonly authorization?: string | undefined
  readonly apiKey: string
  readonly recipient: string | undefined
  readonly timeoutMs: number
  /** Replaces secrets in the responses before anything reads them, so that no quoted part of a response contains a secret. */
  readonly mask?: Mask
  /** Default: as fast as the service responds. */
  readonly rate?: Rate
  /** The maximum number of requests. */
  readonly maxCalls?: number | undefined
  readonly signal?: AbortSignal
  readonly onWait?: (seconds: number) => void
}

const INTERRUPTED = 'the run was interrupted'

/** Sends requests to one origin. Does not follow redirects. */
export function createHttpService(options: HttpServiceOptions): CalibratedService & {
  readonly calls: () => number
  /** Why this number of further calls cannot be sent. `undefined` if they can be sent. */
  readonly whyNoMore: (calls: number) => string | undefined
} {
  const { origin, apiKey, recipient, maxCalls = Infinity, signal, onWait } = options
  const wait = async (ms: number): Promise<void> => {
    await pause(ms, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
  const admit = options.rate
    ? createRateLimit(options.rate, { now: () => performance.now(), wait })
    : undefined
  let calls = 0

  async function send(request: ServiceRequest): Promise<ServiceResult> {
    for (let repeats = 0; ; repeats += 1) {
      await admit?.()
      const startedAt = new Date().toISOString()
      const started = performance.now()
      if (signal?.aborted) return { failure: INTERRUPTED, startedAt: null, ms: 0 }
      if (calls >= maxCalls) return { failure: `--max-calls ${maxCalls} was reached`, startedAt: null, ms: 0 }
      calls += 1
      const result = await exchange(`${origin}${request.path}`, request, options)
      const seconds = repeats < MAX_REPEATS ? retryAfter(result) : undefined
      if (seconds === undefined) return { ...result, startedAt, ms: roundMs(performance.now() - started) }
      onWait?.(seconds)
      await wait(seconds * 1000)
    }
  }
  return {
    apiKey,
    recipient,
    send,
    calls: () => calls,
    whyNoMore: (more) =>
      calls + more > maxCalls ? `--max-calls ${maxCalls} allows no further probe` : undefined,
  }
}

type Result = { readonly answer: Answer } | { readonly failure: string }

/** The seconds to wait before the request is repeated. `undefined` if it must not be repeated. */
function retryAfter(result: Result): number | undefined {
  if (!('answer' in result) || result.answer.status !== 429) return undefined
  const wait = readRetryAfter(result.answer, Date.now())
  return typeof wait === 'number' ? wait : undefined
}

async function exchange(
  url: string,
  { method, headers, body }: ServiceRequest,
  { timeoutMs, signal, authorization, mask }: HttpServiceOptions,
): Promise<Result> {
  const ended = timeoutSignal(timeoutMs, signal)
  let response: IncomingMessage | undefined
  try {
    response = await sendRequest(await agentFor(url), url, {
      method,
      headers: { accept: '*/*', ...Object.fromEntries(withAuthorization(headers, authorization)) },
      signal: ended,
      ...(method === 'GET' ? {} : { body }),
    })
    const { bytes, tooLarge } = await readUpTo(response, MAX_BODY_BYTES)
    // If the body is incomplete, the size must be larger than the number of bytes, which marks the body as truncated.
    const least = bytes.length + (tooLarge ? 1 : 0)
    const declared = Number(response.headers['content-length'] ?? least)
    const isEncoded = response.headers['content-encoding'] !== undefined
    const answer = {
      status: response.statusCode ?? 0,
      headers: pairHeaders(response.rawHeaders).map(([name, value]) => [name.toLowerCase(), value] as const),
      body: encodeBody(bytes, isEncoded ? least : Math.max(least, declared)),
    }
    return { answer: (await mask?.response(answer)) ?? answer }
  } catch (error) {
    if (signal?.aborted) return { failure: INTERRUPTED }
    if (ended.aborted) return { failure: `no complete answer came within ${timeoutMs / 1000} s` }
    if (response) return { failure: 'the answer was cut off' }
    return { failure: `no answer came: ${explain(error, url, timeoutMs)}` }
  }
}

const explain = (error: unknown, url: string, timeoutMs: number): string =>
  withTlsRemedy(explainNoAnswer(error, new URL(url), timeoutMs, { hasBegun: false, isConnected: true }))
