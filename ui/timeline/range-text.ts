import { formatTime } from '../../server/contract/format/values.ts'
import { timeZone } from '../browser/time-zone.ts'
import type { TimeRange } from '../search/create-view.ts'

export const clockTime = (at: string, length = 5): string =>
  formatTime(at, timeZone.value === 'UTC').slice(0, length)

/** The time range as text. Contains seconds only if both ends are in the same minute. */
export function rangeText({ from, to }: TimeRange): string {
  const length = clockTime(from) === clockTime(to) ? 8 : 5
  return `${clockTime(from, length)} to ${clockTime(to, length)}`
}
