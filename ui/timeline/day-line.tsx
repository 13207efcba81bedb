import { computed } from '@preact/signals'
import { plural } from '../../server/contract/format/values.ts'
import { now, utcOffset } from '../data/clock.ts'
import { timeZone } from '../browser/time-zone.ts'
import type { Day } from './days.ts'

/** Cached, because creating a formatter takes longer than rendering a row. */
const formats = computed(() => {
  void utcOffset.value
  const zone = timeZone.value === 'UTC' ? { timeZone: 'UTC' } : {}
  return {
    full: new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', ...zone }),
    date: new Intl.DateTimeFormat('en-CA', zone),
  }
})

/** The name of a day, and the number of its events in the list. */
export function DayLine({ day: { at, count, failed, held } }: { readonly day: Day }) {
  const { full, date } = formats.value
  const isToday = date.format(new Date(at)) === date.format(now.value)
  const bad = [failed > 0 && `${failed} failed`, held > 0 && `${held} held`].filter(Boolean).join(' · ')
  return (
    <>
      <span class="day">
        {full.format(new Date(at))}
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
