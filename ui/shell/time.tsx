import {
  formatTime,
  formatDateTime,
  formatSecondsOrDate,
  formatDateTimeSeconds,
} from '../../server/format/values.ts'
import { timeZone } from '../time-zone.ts'

interface Props {
  /** An ISO timestamp. */
  readonly at: string
  /**
   * Rows have room for the time of day, to the millisecond; elsewhere the date belongs to it. What ticks
   * does so by the second, or by the minute where there is least room. Something by
   * the machine's time has the date only where that is another day.
   */
  readonly style?: 'clock' | 'full' | 'ticking' | 'brief' | 'since'
}

/** The only place that writes a time, so that the choice between local time and UTC holds everywhere. */
export function Time({ at, style = 'clock' }: Props) {
  const isUtc = timeZone.value === 'UTC'
  const full = formatDateTime(at, isUtc)
  const text = {
    clock: () => formatTime(at, isUtc),
    full: () => full,
    ticking: () => formatDateTimeSeconds(at, isUtc),
    since: () => formatSecondsOrDate(at, Date.now(), isUtc),
    brief: () => formatTime(at, isUtc).slice(0, 5),
  }
  return (
    <time dateTime={at} title={style === 'full' ? at : full}>
      {text[style]()}
    </time>
  )
}
