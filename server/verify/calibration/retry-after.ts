import type { Answer } from '../../domain/api/describe-answer.ts'
import { findHeader } from '../../domain/http/exchange.ts'
import { truncate } from '../../domain/text/truncate.ts'

/** How many times a request is repeated after HTTP 429, and the longest wait that is accepted. */
export const MAX_REPEATS = 3
const MAX_WAIT_S = 300

/** Like `Wed, 21 Oct 2026 07:28:00 GMT`. */
const HTTP_DATE = /^[A-Za-z]{3,9}, .* GMT$/

/** The seconds in `Retry-After`, or why the request is not repeated. */
export function readRetryAfter({ headers }: Answer, now: number): number | string {
  const value = findHeader(headers, 'retry-after')?.trim() ?? ''
  if (value === '') return 'no Retry-After'
  const seconds = /^\d+$/.test(value)
    ? Number(value)
    : HTTP_DATE.test(value)
      ? Math.max(0, Math.ceil((Date.parse(value) - now) / 1000))
      : NaN
  if (Number.isNaN(seconds))
    return `Retry-After is ${JSON.stringify(truncate(value, 100))}, which is not a time`
  return seconds <= MAX_WAIT_S
    ? seconds
    : `Retry-After is ${truncate(value, 100)}, and calibrate waits at most ${MAX_WAIT_S} s`
}

/** Why a request was not repeated after HTTP 429. */
export function whyNotRepeated(answer: Answer): string {
  const wait = readRetryAfter(answer, Date.now())
  return typeof wait === 'string' ? wait : `also after ${MAX_REPEATS} repetitions`
}
