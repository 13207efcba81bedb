import type { Instant } from './time.ts'

/** The sandbox's clock: it runs at some distance from the machine's, or stands still. */
export type Clock =
  | { readonly mode: 'running'; readonly offsetMs: number }
  | { readonly mode: 'frozen'; readonly at: Instant }

export type ClockMode = Clock['mode']

/** The machine's own time. */
export const SYSTEM_CLOCK: Clock = { mode: 'running', offsetMs: 0 }

/** What a clock shows while the machine's shows `machine`. One that runs out of reach stops there. */
export const readClock = (clock: Clock, systemNow: number): number =>
  clampToClockRange(clock.mode === 'frozen' ? Date.parse(clock.at) : systemNow + clock.offsetMs)

/** A clock that shows `at` while the machine's shows `machine`. */
export const createClock = (mode: ClockMode, at: Instant, systemNow: number): Clock =>
  mode === 'frozen' ? { mode, at } : { mode, offsetMs: Date.parse(at) - systemNow }

/**
 * Dates are written with four digits for the year, the end of the month and the invoices for it included, and
 * Berlin had no common time long before this.
 */
export const MIN_CLOCK_TIME: Instant = '1970-01-02T00:00:00.000Z'
export const MAX_CLOCK_TIME: Instant = '9999-01-01T00:00:00.000Z'

export const isInClockRange = (at: Instant): boolean =>
  Date.parse(at) >= Date.parse(MIN_CLOCK_TIME) && Date.parse(at) <= Date.parse(MAX_CLOCK_TIME)

const clampToClockRange = (ms: number): number =>
  Math.min(Math.max(ms, Date.parse(MIN_CLOCK_TIME)), Date.parse(MAX_CLOCK_TIME))
