import { berlinTime, type Instant } from './berlin-time.ts'

/** A duration. Its months and days follow the calendar of Berlin. */
export interface Span {
  readonly months?: number | undefined
  readonly days?: number | undefined
  readonly hours?: number | undefined
  readonly minutes?: number | undefined
  readonly seconds?: number | undefined
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The end of the last year with four digits. */
const MAX_DATE_MS = Date.UTC(9999, 11, 30)

/**
 * Adds a span to a moment. Months and days keep the time of day in Berlin. Hours, minutes and seconds are exact. If the month has
 * no such day, the result is its last day. Returns `Infinity` after the last year.
 */
export function addSpan(
  at: Instant,
  { months = 0, days = 0, hours = 0, minutes = 0, seconds = 0 }: Span,
): number {
  const start = Date.parse(at)
  const wallTime = shiftWallTime(toWallTime(start), months, days)
  if (wallTime > MAX_DATE_MS) return Infinity
  const moved = months === 0 && days === 0 ? start : fromWallTime(wallTime)
  return moved + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS
}

/** The month in Berlin, `YYYY-MM`. */
export const berlinMonth = (at: Instant): string => berlinTime(at).slice(0, 7)

/** The month after `YYYY-MM`. */
export const nextMonth = (month: string): string =>
  new Date(shiftWallTime(Date.parse(`${month}-01`), 1, 0)).toISOString().slice(0, 7)

/** The beginning of a month: the 1st at 00:00 in Berlin. */
export const monthStart = (month: string): Instant =>
  new Date(fromWallTime(Date.parse(`${month}-01`))).toISOString()

/** The local time in Berlin as if it were UTC, which makes it easy to count days and months. */
const toWallTime = (ms: number): number =>
  Date.parse(`${berlinTime(new Date(ms)).replace(' ', 'T')}Z`) + (ms % 1_000)

/** If a local time occurs twice, the first one is meant. If it is skipped, the offset before the gap is used. */
function fromWallTime(wall: number): number {
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - (toWallTime(near) - near))
  return toWallTime(before!) !== wall && toWallTime(after!) === wall ? after! : before!
}

function shiftWallTime(wall: number, months: number, days: number): number {
  const date = new Date(wall)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(date.getUTCDate(), lastDay) + days
  return Date.UTC(year, month, day) + (wall - Math.floor(wall / DAY_MS) * DAY_MS)
}
