import type { ClockView, InvoiceView, RetryView } from '../contract/views.ts'
import { describeValue, isPlainObject } from './option-value.ts'
import type { Request } from './request.ts'

/** A time with its zone, as ISO 8601 text or as a `Date`. A text of type `string`, such as `nextAttemptAt`, needs `new Date(nextAttemptAt)`. */
export type Time = `${number}-${number}-${number}T${string}` | Date

/** How far the clock goes, by the calendar of Berlin. */
export interface Span {
  readonly months?: number
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
}

/** The clock as it is set, and what fell due on the way. */
export type ClockChange = ClockView & {
  readonly issued: readonly InvoiceView[]
  /** The further attempts of webhooks. */
  readonly attempts: readonly RetryView[]
}

/** The clock of the whole sandbox. Setting or advancing it resolves once all that fell due has happened. */
export interface SandboxClock {
  read(): Promise<ClockView>
  /** Jumps to a time. Running or frozen, it stays so. */
  set(now: Time): Promise<ClockChange>
  /** Stops it, now or at a time. */
  freeze(at?: Time): Promise<ClockChange>
  /** Lets it run on from where it is. */
  resume(): Promise<ClockChange>
  /** Moves it forward, by a span or to a time; `next-month` is the 1st, 00:00 in Berlin. */
  advance(by: Span | { readonly to: Time | 'next-month' }): Promise<ClockChange>
  /** Back to the machine's time. */
  useReal(): Promise<ClockChange>
}

export function createClock(request: Request): SandboxClock {
  const put = (body: object) => request<ClockChange>('PUT', '/clock', { body })
  return {
    read: () => request('GET', '/clock'),
    set: async (now) => put({ now: toIso(now) }),
    freeze: async (at) => put({ mode: 'frozen', ...(at === undefined ? {} : { now: toIso(at) }) }),
    resume: () => put({ mode: 'running' }),
    async advance(by) {
      if (!isPlainObject(by)) {
        throw new TypeError(
          `The clock is advanced by an object like { minutes: 1 } or { to: 'next-month' }, not by ${describeValue(by)}.`,
        )
      }
      return request('POST', '/clock/advance', { body: 'to' in by ? { to: toIso(by.to) } : by })
    },
    useReal: () => request('DELETE', '/clock'),
  }
}

function toIso(time: Time | 'next-month'): string {
  if (typeof time === 'string') return time
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.toISOString()
  throw new TypeError(
    `A time is an ISO 8601 text with its zone, or a Date, not ${time instanceof Date ? 'an invalid Date' : describeValue(time)}.`,
  )
}
