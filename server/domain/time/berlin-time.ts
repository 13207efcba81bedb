/** A moment in UTC, always in the notation of `toISOString()`, because functions rely on the positions of its parts. */
export type Instant = string

/** The service's local time: `YYYY-MM-DD HH:MM:SS` in Berlin. */
export function berlinTime(at: Date | Instant): string {
  const instant = toInstant(at)
  return hourOf(instant).berlin + instant.slice(13, 19)
}

/** The value of `ServerTime` in responses: `CET` or `CEST`. */
export const berlinZone = (at: Date | Instant): string => hourOf(toInstant(at)).zone

const toInstant = (at: Date | Instant): Instant => (typeof at === 'string' ? at : at.toISOString())

/**
 * The hour of the previous call in UTC as `YYYY-MM-DDTHH`, the same hour in Berlin as `YYYY-MM-DD HH`, and Berlin's time zone.
 */
let lastHour = { utc: '', berlin: '', zone: '' }

/**
 * The hour is cached, because most calls need the same one. Minutes are the same in UTC and Berlin, and the zone changes on the
 * hour.
 */
function hourOf(instant: Instant): typeof lastHour {
  const utc = instant.slice(0, 13)
  if (utc !== lastHour.utc) {
    const ms = Date.parse(`${utc}:00Z`)
    const isSummer = isSummerTime(ms)
    const berlin = new Date(ms + (isSummer ? 2 : 1) * HOUR_MS).toISOString()
    lastHour = { utc, berlin: berlin.slice(0, 13).replace('T', ' '), zone: isSummer ? 'CEST' : 'CET' }
  }
  return lastHour
}

/**
 * The rule that Germany has had since 1980, used for all times since 1970. `Intl` is not used, because its first use would load
 * the data of all locales and make a sandbox start more slowly.
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

/** A duration in the precision of records: a tenth of a millisecond. */
export const roundMs = (ms: number): number => Math.round(ms * 10) / 10
