import {
  authorizeRequest,
  readResponse,
  type HttpFetch,
  type HttpResponse,
} from '../../../domain/http/http-fetch.ts'
import { pairHeaders } from '../../../domain/http/exchange.ts'
import { reasonOf } from '../../../domain/text/reason-of.ts'
import { agentFor } from '../../../platform/http/agent.ts'
import { sendRequest } from '../../../platform/http/fetch.ts'
import { timeoutSignal } from '../../../domain/time/timeout-signal.ts'
import type { CheckRunOptions } from '../run/check-run-options.ts'
import { tlsProblemOf, withTlsRemedy } from '../../../domain/network/tls-problem.ts'
import { retryAfterMs } from './pace.ts'
import { RATE_LIMIT_PATIENCE_MS } from '../run/time-limit.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { hidePasswords, splitCredentials } from '../../../domain/network/credentials.ts'

const DEFAULT_TIMEOUT_MS = 10_000

/** The app does not listen at an address, or its response is of the wrong kind. */
export class WrongAddressError extends Error {
  override readonly name = 'WrongAddressError'
}

export class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError'
}

type AppOptions = Pick<CheckRunOptions, 'signal' | 'fetchApp'>

interface RequestOptions {
  readonly timeoutMs?: number
  readonly cookie?: string
  readonly referer?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

/** Sends a GET to the app, or a POST if there is a body. Does not follow redirects. */
export async function requestApp(
  url: string,
  body: string | undefined,
  { signal, fetchApp = fetchDirectly }: AppOptions,
  { timeoutMs = DEFAULT_TIMEOUT_MS, cookie = '', referer, headers, method = 'POST' }: RequestOptions = {},
): Promise<HttpResponse> {
  return fetchApp(url, {
    signal: timeoutSignal(timeoutMs, signal),
    ...(body === undefined ? {} : { method, body }),
    headers: {
      accept: '*/*',
      ...(body === undefined ? {} : { 'content-type': guessContentType(body) }),
      ...(cookie === '' ? {} : { cookie }),
      ...(referer === undefined ? {} : { referer }),
      ...headers,
    },
  }).catch((error: unknown) => {
    const where = hidePasswords(url)
    const cause = causeOf(error)
    if (isTimeout(cause)) throw new LateAnswerError(`${where} did not answer within ${timeoutMs / 1000} s`)
    const message = `${where} gave no answer: ${explain(error, url)}`
    throw isWrongAddress(cause) ? new WrongAddressError(message) : new Error(message)
  })
}

const BUSY_PAUSE_MS = 400

/** Like `requestApp`, but tries again while the app responds with 429 because it limits the number of requests. */
export async function requestPatiently(
  url: string,
  body: string | undefined,
  options: AppOptions,
  details: RequestOptions = {},
): Promise<HttpResponse> {
  const patientUntil = performance.now() + RATE_LIMIT_PATIENCE_MS
  for (;;) {
    const response = await requestApp(url, body, options, details)
    if (response.status !== 429 || performance.now() > patientUntil) return response
    // The pause is random, because other cases wait for the same app.
    const ms = Math.max(BUSY_PAUSE_MS, retryAfterMs(response) ?? 0)
    await pause(ms * (1 + Math.random()), undefined, { signal: options.signal })
  }
}

export const fetchDirectly: HttpFetch = async (address, request) => {
  const { url, authorization } = splitCredentials(address)
  const authorized = authorizeRequest(request, authorization)
  const response = await sendRequest(await agentFor(url.href), url.href, authorized)
  const { statusCode: status = 0, rawHeaders } = response
  return readResponse({ status, headers: pairHeaders(rawHeaders), body: response })
}

const guessContentType = (body: string): string =>
  /^\s*[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded'

const WRONG_ADDRESS_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'])

/** The error of the connection, which `fetch` wraps in its own error. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === 'TimeoutError'

const isWrongAddress = (cause: unknown): boolean =>
  cause instanceof Error &&
  (cause.message === 'bad port' || ('code' in cause && WRONG_ADDRESS_CODES.has(String(cause.code))))

function explain(error: unknown, url: string): string {
  const tlsProblem = tlsProblemOf(causeOf(error), splitCredentials(url).url, true)
  return tlsProblem ? withTlsRemedy({ errorCode: tlsProblem.code, error: tlsProblem.what }) : reasonOf(error)
}
