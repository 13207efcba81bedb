/** A moment as ISO 8601 text in UTC. All records use this format. */
export type Instant = string

/** The local time of the service: `YYYY-MM-DD HH:MM:SS` in Berlin. */
export const berlinTime = (at: Date | Instant): string => {
  const ms = new Date(at).getTime()
  return new Date(ms + (isSummerTime(ms) ? 2 : 1) * HOUR_MS).toISOString().slice(0, 19).replace('T', ' ')
}

/** The value of `ServerTime` in responses: `CET` or `CEST`. */
export const berlinZone = (at: Date | Instant): string =>
  isSummerTime(new Date(at).getTime()) ? 'CEST' : 'CET'

/**
 * The rule of Germany since 1980, for times since 1970. The first use of `Intl` would load the data of all locales, which
 * delays the start of a sandbox.
 */
function isSummerTime(ms: number): boolean {
  const year = new Date(ms).getUTCFullYear()
  if (year < 1980) return false
  const start = year === 1980 ? Date.UTC(1980, APRIL, 6, 1) : changeOnLastSunday(year, MARCH)
  return ms >= start && ms < changeOnLastSunday(year, year < 1996 ? SEPTEMBER : OCTOBER)
}

/** The last Sunday of a month, at 01:00 UTC. */
function changeOnLastSunday(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0, 1))
  return lastDay.getTime() - lastDay.getUTCDay() * 24 * HOUR_MS
}

const HOUR_MS = 3_600_000
const [MARCH, APRIL, SEPTEMBER, OCTOBER] = [2, 3, 8, 9] as const

/** A duration as stored in records, rounded to a tenth of a millisecond. */
export const roundMs = (ms: number): number => Math.round(ms * 10) / 10
