import {
  formatTime,
  formatDateTime,
  formatSecondsOrDate,
  formatDateTimeSeconds,
} from '../../server/contract/format/values.ts'
import { timeZone } from '../browser/time-zone.ts'

interface Props {
  readonly at: string
  /**
   * `clock` is the time of day in milliseconds, `full` adds the date. `ticking` is date and time in seconds, `brief`
   * the time of day in minutes. `since` is in seconds and adds the date if it is not today's.
   */
  readonly style?: 'clock' | 'full' | 'ticking' | 'brief' | 'since'
}

/** Renders every time of the inspector, so that the choice of local time or UTC applies everywhere. */
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
      {style === 'clock' ? (
        <>
          {text.clock().slice(0, 8)}
          <span class="ms">{text.clock().slice(8)}</span>
        </>
      ) : (
        text[style]()
      )}
    </time>
  )
}
