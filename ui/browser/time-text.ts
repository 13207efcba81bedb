import {
  formatDateTime,
  formatDateTimeSeconds,
  formatSecondsOrDate,
  formatTime,
} from '../../server/contract/format/values.ts'
import { timeZone } from './time-zone.ts'

const isUtc = (): boolean => timeZone.value === 'UTC'

/** `21:18`, or the first characters of `21:18:07.412`, in the chosen time zone. */
export const clockTime = (at: string, length = 5): string => formatTime(at, isUtc()).slice(0, length)

/** `2026-11-20 21:18:07.412`, in the chosen time zone. UTC is named. */
export const dateAndTime = (at: string): string => formatDateTime(at, isUtc())

/** `2026-11-20 21:18:07`, in the chosen time zone. UTC is named. */
export const dateAndSeconds = (at: string): string => formatDateTimeSeconds(at, isUtc())

/** `21:18:07`, with the date if the day is not today. */
export const secondsOrDate = (at: string): string => formatSecondsOrDate(at, Date.now(), isUtc())

/** A format of dates in the chosen time zone. It keeps the zone, even if the browser's zone changes. */
export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { ...options, ...(isUtc() && { timeZone: 'UTC' }) })

/** `2026-11-20T21:18:07`, in the chosen time zone: the format of a field for date and time. */
export const toFieldValue = (at: string): string => dateAndTime(at).slice(0, 19).replace(' ', 'T')

/** The time that a field for date and time contains. */
export const fromFieldValue = (value: string): Date => new Date(isUtc() ? `${value}Z` : value)
