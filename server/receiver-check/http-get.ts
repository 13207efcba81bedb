import { readBodyText, type HttpResponse, type HttpFetch } from '../domain/http/http-fetch.ts'
import type { CheckRun } from './check-run.ts'

const PATIENCE_MS = 10_000

/** Nothing is at an address at all. */
export class NowhereError extends Error {
  override readonly name = 'NowhereError'
}

/** Asks the app for something, as a browser or a script would. Redirects are not followed. */
export async function visit(
  url: string,
  sent: string | undefined,
  { signal, ask = askByFetch }: Pick<CheckRun, 'signal' | 'ask'>,
): Promise<HttpResponse> {
  const timeout = AbortSignal.timeout(PATIENCE_MS)
  return ask(url, {
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...(sent === undefined
      ? {}
      : { method: 'POST', body: sent, headers: { 'content-type': contentTypeOf(sent) } }),
  }).catch((error: unknown) => {
    const message = `${url} gave no answer: ${reasonOf(error)}`
    throw leadsNowhere(error) ? new NowhereError(message) : new Error(message)
  })
}

const askByFetch: HttpFetch = async (url, request) => {
  const response = await fetch(url, { ...request, redirect: 'manual' })
  const { status, headers } = response
  return { status, location: headers.get('location'), text: await readBodyText(response.body) }
}

const contentTypeOf = (body: string): string =>
  /^\s*[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded'

const NOWHERE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'])

function leadsNowhere(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return false
  return cause.message === 'bad port' || ('code' in cause && NOWHERE.has(String(cause.code)))
}

/** `fetch` says only that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  if (cause.name === 'TimeoutError') return `nothing came within ${PATIENCE_MS / 1000} s`
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}
