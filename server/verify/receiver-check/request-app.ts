import {
  authorizeRequest,
  readResponse,
  type HttpFetch,
  type HttpResponse,
} from '../../domain/http/http-fetch.ts'
import { timeoutSignal } from '../../domain/time/timeout-signal.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { hidePasswords, splitCredentials } from '../../domain/network/credentials.ts'

const DEFAULT_TIMEOUT_MS = 10_000

/** The app does not listen at an address, or answers something else there. */
export class WrongAddressError extends Error {
  override readonly name = 'WrongAddressError'
}

/** Sends the app a GET, or a POST with a body. Redirects are not followed. */
export async function requestApp(
  url: string,
  body: string | undefined,
  { signal, fetchApp = fetchDirectly }: Pick<CheckRunOptions, 'signal' | 'fetchApp'>,
  {
    timeoutMs = DEFAULT_TIMEOUT_MS,
    cookie = '',
  }: { readonly timeoutMs?: number; readonly cookie?: string } = {},
): Promise<HttpResponse> {
  return fetchApp(url, {
    signal: timeoutSignal(timeoutMs, signal),
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': guessContentType(body) }),
      ...(cookie === '' ? {} : { cookie }),
    },
  }).catch((error: unknown) => {
    const message = `${hidePasswords(url)} gave no answer: ${reasonOf(error, timeoutMs)}`
    throw isWrongAddress(error) ? new WrongAddressError(message) : new Error(message)
  })
}

const fetchDirectly: HttpFetch = async (address, request) => {
  const { url, authorization } = splitCredentials(address)
  return readResponse(await fetch(url, { ...authorizeRequest(request, authorization), redirect: 'manual' }))
}

const guessContentType = (body: string): string =>
  /^\s*[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded'

const WRONG_ADDRESS_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'])

function isWrongAddress(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return false
  return cause.message === 'bad port' || ('code' in cause && WRONG_ADDRESS_CODES.has(String(cause.code)))
}

/** The message of a `fetch` error says only that it failed. The reason is in its cause. */
function reasonOf(error: unknown, timeoutMs: number): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  if (cause.name === 'TimeoutError') return `timed out after ${timeoutMs / 1000} s`
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}
