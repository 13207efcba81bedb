// Created on first use, because the first formatter of a process loads the data of all locales.
let euroFormat: Intl.NumberFormat | undefined
let countFormat: Intl.NumberFormat | undefined
let relativeFormat: Intl.RelativeTimeFormat | undefined

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** `€1,234.50`, from an amount in euros. */
export const formatAmount = (euros: number): string =>
  (euroFormat ??= new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })).format(euros)

/** `1,234` */
export const formatCount = (count: number): string =>
  (countFormat ??= new Intl.NumberFormat('en')).format(count)

/** `once`, `2 times` */
export const times = (count: number): string => (count === 1 ? 'once' : plural(count, 'time'))

/** `1 event`, `2 events` */
export const plural = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** `21:18:07.412` */
export const formatTime = (at: string, isUtc: boolean): string => isoParts(at, isUtc).time

/** `2026-11-20 21:18:07.412`, in UTC followed by `UTC`. */
export function formatDateTime(at: string, isUtc: boolean): string {
  const { date, time } = isoParts(at, isUtc)
  return `${date} ${time}${isUtc ? ' UTC' : ''}`
}

/** `2026-11-20 21:18:07` */
export const formatDateTimeSeconds = (at: string, isUtc: boolean): string =>
  formatDateTime(at, isUtc).replace(/\.\d+/, '')

/** `21:18:07.412`, with the date if the day is not today. */
export const formatTimeOrDate = (at: string, now: number, isUtc: boolean): string =>
  isToday(at, now, isUtc) ? formatTime(at, isUtc) : formatDateTime(at, isUtc)

/** `21:18:07`, with the date if the day is not today. */
export const formatSecondsOrDate = (at: string, now: number, isUtc: boolean): string =>
  isToday(at, now, isUtc) ? formatTime(at, isUtc).slice(0, 8) : formatDateTimeSeconds(at, isUtc)

const isToday = (at: string, now: number, isUtc: boolean): boolean =>
  isoParts(at, isUtc).date === isoParts(new Date(now).toISOString(), isUtc).date

/** Date and time of an ISO timestamp, in UTC or in the time zone of this machine. */
function isoParts(at: string, isUtc: boolean): { readonly date: string; readonly time: string } {
  const instant = new Date(at)
  const shift = isUtc ? 0 : instant.getTimezoneOffset() * 60_000
  const [date = '', time = ''] = new Date(instant.getTime() - shift).toISOString().split('T')
  return { date, time: time.slice(0, -1) }
}

/** `20 seconds`, `2 hours`, `31 days`: rounded. */
export function formatDuration(ms: number): string {
  if (ms < 120_000) return plural(Math.round(ms / 1_000), 'second')
  if (ms < 2 * HOUR_MS) return plural(Math.round(ms / 60_000), 'minute')
  return ms < DAY_MS ? plural(Math.round(ms / HOUR_MS), 'hour') : plural(Math.round(ms / DAY_MS), 'day')
}

/** `400 ms`, `30 s`, `5 min`, `48 min`, `39 h`, `4 d`: rounded, for narrow places. */
export function formatShortDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / 60_000)} min`
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} d`
}

/** `<1 ms`, `83 ms`, `1.2 s` */
export function formatTook(ms: number): string {
  if (ms < 1) return '<1 ms'
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** `12 bytes`, `1.5 KiB`, `2.0 MiB` */
export function formatSize(bytes: number): string {
  if (bytes < 1_024) return plural(bytes, 'byte')
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`
}

/** `12 s`, `5 min`, `39 h`, `4 d`: how long ago something was, for narrow columns. */
export function formatAge(at: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(at))
  if (ms < 60_000) return `${Math.floor(ms / 1_000)} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / 60_000)} min`
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} d`
}

/** `12 seconds ago`, `3 hours ago`. After the clock was set back, `in 2 days`. */
export function formatAgo(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000)
  const distance = Math.abs(seconds)
  relativeFormat ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  if (distance < 60) return relativeFormat.format(Math.min(seconds, 0), 'second')
  if (distance < 3_600) return relativeFormat.format(Math.round(seconds / 60), 'minute')
  return distance < 86_400
    ? relativeFormat.format(Math.round(seconds / 3_600), 'hour')
    : relativeFormat.format(Math.round(seconds / 86_400), 'day')
}
