import type { Span } from '../domain/time/calendar.ts'
import type { ClockView, InvoiceView, RetryView } from '../contract/views.ts'
import { isPlainObject } from '../domain/text/is-object.ts'
import { describeValue } from './option-value.ts'
import type { Request } from './request.ts'

/**
 * A time: ISO 8601 text with a time zone, or a `Date`. Write `new Date(text)` for a variable of type `string`, such as
 * `nextAttemptAt`.
 */
export type ClockTime = `${number}-${number}-${number}T${string}` | Date

export type { Span }

/** The clock after a change, and what the change has caused. */
export type ClockChange = ClockView & {
  /** The tax invoices of the months that ended. */
  readonly issued: readonly InvoiceView[]
  /** The attempts to send webhooks again. */
  readonly attempts: readonly RetryView[]
}

/** The clock of the whole sandbox. A change resolves when everything that fell due has been done. */
export interface SandboxClock {
  read(): Promise<ClockView>
  /** Sets the time. A running clock keeps running, a frozen one stays frozen. */
  set(now: ClockTime): Promise<ClockChange>
  /** Stops the clock at its current time, or at `at`. */
  freeze(at?: ClockTime): Promise<ClockChange>
  /** Lets the clock run from its current time. */
  resume(): Promise<ClockChange>
  /** Moves the clock forward, by a span or to a time. `next-month` is the first day of the next month, 00:00 in Berlin. */
  advance(by: Span | { readonly to: ClockTime | 'next-month' }): Promise<ClockChange>
  /** Follows the time of the machine again. */
  useReal(): Promise<ClockChange>
}

/** @internal */
export function createClockHandle(request: Request): SandboxClock {
  const put = (json: { readonly mode?: 'frozen' | 'running'; readonly now?: string }) =>
    request('PUT /clock', { json })
  return {
    read: () => request('GET /clock'),
    set: async (now) => put({ now: toIso(now) }),
    freeze: async (at) => put({ mode: 'frozen', ...(at === undefined ? {} : { now: toIso(at) }) }),
    resume: () => put({ mode: 'running' }),
    async advance(by) {
      if (!isPlainObject(by)) {
        throw new TypeError(
          `clock.advance needs an object like { minutes: 1 } or { to: 'next-month' }, not ${describeValue(by)}.`,
        )
      }
      return request('POST /clock/advance', { json: 'to' in by ? { to: toIso(by.to) } : by })
    },
    useReal: () => request('DELETE /clock'),
  }
}

function toIso(time: ClockTime | 'next-month'): string {
  if (typeof time === 'string') return time
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.toISOString()
  throw new TypeError(
    `A time must be an ISO 8601 string with a time zone, or a Date, not ${time instanceof Date ? 'an invalid Date' : describeValue(time)}.`,
  )
}
