import { computed } from '@preact/signals'
import { dateFormat } from '../browser/time-text.ts'
import { utcOffset } from './clock.ts'

/** Names days in the chosen time zone. The formats are cached, because creating one takes longer than rendering a row. */
export const dayNames = computed(() => {
  void utcOffset.value
  return {
    /** `Fri` */
    weekday: names({ weekday: 'short' }),
    /** `Friday 20 November` */
    day: names({ weekday: 'long', day: 'numeric', month: 'long' }),
    /** `Fri, 20 Nov 2026` */
    date: names({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  }
})

function names(options: Intl.DateTimeFormatOptions): (at: string) => string {
  const format = dateFormat(options)
  return (at) => format.format(new Date(at))
}
