import { formatAge, formatAgo } from '../../server/contract/format/values.ts'
import { clockTime, dateAndSeconds, dateAndTime, secondsOrDate } from '../browser/time-text.ts'
import { now } from '../data/clock.ts'

interface Props {
  readonly at: string
  /**
   * `clock`: the time of day with milliseconds. `full`: `clock` with the date. `ticking`: date and time with seconds. `seconds` and
   * `brief`: the time of day with seconds, or with minutes. `since`: the time with seconds, and the date if it is not today.
   * `ago`: `3 hours ago`. `age`: `3 h`.
   */
  readonly style?: keyof typeof texts | 'clock'
  /** The time above it in a list. If that is another day, the date is also shown. */
  readonly after?: string | undefined
}

const dateOf = (at: string): string => dateAndTime(at).slice(0, 10)

const texts = {
  full: dateAndTime,
  ticking: dateAndSeconds,
  seconds: (at: string) => clockTime(at, 8),
  brief: (at: string) => clockTime(at),
  since: secondsOrDate,
  ago: (at: string) => formatAgo(at, now.value),
  age: (at: string) => formatAge(at, now.value),
}

/** Shows a time in the chosen time zone. Texts use `browser/time-text.ts`. */
export const Time = ({ at, style = 'clock', after = at }: Props) => (
  <time dateTime={at} title={style === 'full' ? at : dateAndTime(at)}>
    {style === 'clock' ? (
      <>
        {dateOf(after) === dateOf(at) ? '' : `${dateOf(at)} `}
        {clockTime(at, 8)}
        <span class="ms">{clockTime(at, 12).slice(8)}</span>
      </>
    ) : (
      texts[style](at)
    )}
  </time>
)
