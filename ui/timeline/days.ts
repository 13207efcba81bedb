import { computed } from '@preact/signals'
import { utcOffset } from '../data/clock.ts'
import type { Entry } from '../data/log.ts'
import { timeZone } from '../browser/time-zone.ts'
import { outcomeOf } from '../components/outcome.ts'
import { view } from '../search/view.ts'

export interface Day {
  /** The index of its first row. */
  readonly index: number
  /** The time of its first row. */
  readonly at: string
  count: number
  failed: number
  held: number
  /** Held, or to be tried again. */
  waiting: number
}

let days: Day[] = []
let counted = 0
let basis: readonly Entry[] | undefined
let basisKey = ''
let start = 0
let end = 0

/** The days of the timeline's rows. Only new rows are counted. If the clock was set back, the day begins a second time. */
export const dayList = computed((): readonly Day[] => {
  const { rows, removed } = view.value
  const key = `${removed} ${timeZone.value} ${utcOffset.value}`
  if (basis !== rows || basisKey !== key || counted > rows.length) {
    basis = rows
    basisKey = key
    days = []
    counted = 0
    start = end = 0
  } else if (counted < rows.length) {
    // The line of a day is rendered again only if its object is replaced.
    days = days.map((day, index) => (index === days.length - 1 ? { ...day } : day))
  }
  for (; counted < rows.length; counted++) {
    const { event, row, atMs } = rows[counted]!
    if (atMs < start || atMs >= end) {
      ;[start, end] = dayAround(atMs, timeZone.value === 'UTC')
      days.push({ index: counted, at: event.at, count: 0, failed: 0, held: 0, waiting: 0 })
    }
    const day = days.at(-1)!
    day.count += 1
    const outcome = outcomeOf(event, row)
    if (outcome === 'failed') day.failed += 1
    if (outcome === 'waiting') day.waiting += 1
    if (event.type === 'delivery.held') day.held += 1
  }
  return days
})

/** The first moment of a day and of the next one. */
function dayAround(at: number, isUtc: boolean): [number, number] {
  const first = new Date(at)
  const next = new Date(at)
  if (isUtc) {
    first.setUTCHours(0, 0, 0, 0)
    next.setUTCHours(24, 0, 0, 0)
  } else {
    first.setHours(0, 0, 0, 0)
    next.setHours(24, 0, 0, 0)
  }
  return [first.getTime(), next.getTime()]
}
