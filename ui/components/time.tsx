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
   * `clock`: the time of day with milliseconds. `full`: `clock` with the date. `ticking`: date and time with seconds. `brief`:
   * the time of day with minutes. `since`: the time with seconds, and the date if it is not today.
   */
  readonly style?: 'clock' | 'full' | 'ticking' | 'brief' | 'since'
  /** The time above it in a list. If that is another day, the date is also shown. */
  readonly after?: string | undefined
}

/** Renders a time. Every time in the inspector uses this, so that the choice of local time or UTC applies everywhere. */
export function Time({ at, style = 'clock', after = at }: Props) {
  const isUtc = timeZone.value === 'UTC'
  const full = formatDateTime(at, isUtc)
  const date = full.slice(0, 10)
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
          {formatDateTime(after, isUtc).startsWith(date) ? '' : `${date} `}
          {text.clock().slice(0, 8)}
          <span class="ms">{text.clock().slice(8)}</span>
        </>
      ) : (
        text[style]()
      )}
    </time>
  )
}
