import { plural } from '../../server/contract/format/values.ts'
import { dateAndTime } from '../browser/time-text.ts'
import { now } from '../data/clock.ts'
import { dayNames } from '../data/day-names.ts'
import type { Day } from './days.ts'

/** The name of a day, and the number of its events in the list. */
export function DayLine({ day: { at, count, failed, held } }: { readonly day: Day }) {
  const isToday = dateOf(at) === dateOf(new Date(now.value).toISOString())
  const bad = [failed > 0 && `${failed} failed`, held > 0 && `${held} held`].filter(Boolean).join(' · ')
  return (
    <>
      <span class="day">
        {dayNames.value.day(at)}
        {isToday && ', today'}
      </span>
      <span class="totals">
        <span class="events">
          {plural(count, 'event')}
          {bad && ' · '}
        </span>
        {bad}
      </span>
    </>
  )
}

const dateOf = (at: string): string => dateAndTime(at).slice(0, 10)
