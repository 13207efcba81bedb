import type { Instant } from './berlin-time.ts'

/** The sandbox's clock. It runs with an offset from the system clock, or it is frozen. */
export type Clock =
  | { readonly mode: 'running'; readonly offsetMs: number }
  | { readonly mode: 'frozen'; readonly at: Instant }

export type ClockMode = Clock['mode']

export const SYSTEM_CLOCK: Clock = { mode: 'running', offsetMs: 0 }

/** The time that a clock shows when the system time is `systemNow`. A clock that reaches its limit stops there. */
export function readClock(clock: Clock, systemNow: number): number {
  const ms = clock.mode === 'frozen' ? Date.parse(clock.at) : systemNow + clock.offsetMs
  return Math.min(Math.max(ms, MIN_CLOCK_MS), MAX_CLOCK_MS)
}

/** A clock that shows `at` when the system time is `systemNow`. */
export const createClock = (mode: ClockMode, at: Instant, systemNow: number): Clock =>
  mode === 'frozen' ? { mode, at } : { mode, offsetMs: Date.parse(at) - systemNow }

/**
 * The limits of the clock. Years must have four digits, even one month after the maximum. Long before the minimum, Berlin had no
 * standard time.
 */
export const MIN_CLOCK_TIME: Instant = '1970-01-02T00:00:00.000Z'
export const MAX_CLOCK_TIME: Instant = '9999-01-01T00:00:00.000Z'

export const isInClockRange = (at: Instant): boolean =>
  Date.parse(at) >= MIN_CLOCK_MS && Date.parse(at) <= MAX_CLOCK_MS

const MIN_CLOCK_MS = Date.parse(MIN_CLOCK_TIME)
const MAX_CLOCK_MS = Date.parse(MAX_CLOCK_TIME)
