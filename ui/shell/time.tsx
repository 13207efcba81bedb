import { clockTime, dateAndTime } from '../format.ts'
import { timeZone } from '../time-zone.ts'

interface Props {
  /** An ISO timestamp. */
  readonly at: string
  /** Rows have room for the time of day, to the millisecond; elsewhere the date belongs to it. */
  readonly style?: 'clock' | 'full'
}

/** The only place that writes a time, so that the choice between local time and UTC holds everywhere. */
export function Time({ at, style = 'clock' }: Props) {
  const isUtc = timeZone.value === 'UTC'
  const full = dateAndTime(at, isUtc)
  return (
    <time dateTime={at} title={style === 'clock' ? full : at}>
      {style === 'clock' ? clockTime(at, isUtc) : full}
    </time>
  )
}
