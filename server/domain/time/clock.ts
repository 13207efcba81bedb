import type { Instant } from './time.ts'

/** The sandbox's clock: it runs at some distance from the machine's, or stands still. */
export type Clock =
  | { readonly mode: 'running'; readonly offsetMs: number }
  | { readonly mode: 'frozen'; readonly at: Instant }

export type ClockMode = Clock['mode']

/** The machine's own time. */
export const REAL: Clock = { mode: 'running', offsetMs: 0 }

/** What a clock shows while the machine's shows `machine`. One that runs out of reach stops there. */
export const tell = (clock: Clock, machine: number): number =>
  keepInReach(clock.mode === 'frozen' ? Date.parse(clock.at) : machine + clock.offsetMs)

/** A clock that shows `at` while the machine's shows `machine`. */
export const clockAt = (mode: ClockMode, at: Instant, machine: number): Clock =>
  mode === 'frozen' ? { mode, at } : { mode, offsetMs: Date.parse(at) - machine }

/**
 * Dates are written with four digits for the year, the end of the month and the invoices for it included, and
 * Berlin had no common time long before this.
 */
export const EARLIEST: Instant = '1970-01-02T00:00:00.000Z'
export const LATEST: Instant = '9999-01-01T00:00:00.000Z'

export const isInReach = (at: Instant): boolean =>
  Date.parse(at) >= Date.parse(EARLIEST) && Date.parse(at) <= Date.parse(LATEST)

const keepInReach = (ms: number): number => Math.min(Math.max(ms, Date.parse(EARLIEST)), Date.parse(LATEST))
