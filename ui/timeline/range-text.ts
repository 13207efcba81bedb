import { clockTime } from '../browser/time-text.ts'
import type { TimeRange } from '../search/create-view.ts'

/** The time range as text. Contains seconds only if both ends are in the same minute. */
export function rangeText({ from, to }: TimeRange): string {
  const length = clockTime(from) === clockTime(to) ? 8 : 5
  return `${clockTime(from, length)} to ${clockTime(to, length)}`
}
