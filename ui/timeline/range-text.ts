import { clockTime, dateAndTime } from '../browser/time-text.ts'
import { dayNames } from '../data/day-names.ts'
import type { TimeRange } from '../search/create-view.ts'

/** The time range as text. Names the days if there are two, and contains seconds only if both ends are in the same minute. */
export function rangeText({ from, to }: TimeRange): string {
  const [start, end] = [dateAndTime(from), dateAndTime(to)]
  const length = start.slice(0, 16) === end.slice(0, 16) ? 8 : 5
  const isOneDay = start.slice(0, 10) === end.slice(0, 10)
  const textOf = (at: string) => `${isOneDay ? '' : `${dayNames.value.weekday(at)} `}${clockTime(at, length)}`
  return `${textOf(from)} to ${textOf(to)}`
}
