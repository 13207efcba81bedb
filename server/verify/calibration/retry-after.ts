import type { Answer } from '../../domain/api/describe-answer.ts'
import { findHeader } from '../../domain/http/exchange.ts'
import { truncate } from '../../domain/text/truncate.ts'

/** After HTTP 429, how often a request is repeated, and the longest wait that the service may ask for. */
export const MAX_REPEATS = 3
const MAX_WAIT_S = 300

/** Such as `Wed, 21 Oct 2026 07:28:00 GMT`. */
const HTTP_DATE = /^[A-Za-z]{3,9}, .* GMT$/

/** The seconds that `Retry-After` asks to wait, or why the request is not repeated at all. */
export function readRetryAfter({ headers }: Answer, now: number): number | string {
  const given = findHeader(headers, 'retry-after')?.trim() ?? ''
  if (given === '') return 'no Retry-After'
  const seconds = /^\d+$/.test(given)
    ? Number(given)
    : HTTP_DATE.test(given)
      ? Math.max(0, Math.ceil((Date.parse(given) - now) / 1000))
      : NaN
  if (Number.isNaN(seconds))
    return `Retry-After is ${JSON.stringify(truncate(given, 100))}, which is not a time`
  return seconds <= MAX_WAIT_S
    ? seconds
    : `Retry-After is ${truncate(given, 100)}, and calibrate waits at most ${MAX_WAIT_S} s`
}

/** Why a request that was answered with HTTP 429 was not repeated. */
export function whyNotRepeated(answer: Answer): string {
  const wait = readRetryAfter(answer, Date.now())
  return typeof wait === 'string' ? wait : `also after ${MAX_REPEATS} repetitions`
}
