/** A moment as ISO 8601 text in UTC, the form every record keeps. */
export type Instant = string

/** The service's clock on the wall: `YYYY-MM-DD HH:MM:SS` in Berlin. Swedes write dates this way. */
export const berlinTime = cacheLastSecond((at) => berlinFormat.format(at))

/** The label the envelope carries as `ServerTime`: `CET` or `CEST`. */
export const berlinZone = cacheLastSecond((at) => zoneFormat.format(at).split(', ')[1] ?? 'CET')

const berlinFormat = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'medium',
})

const zoneFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeZoneName: 'short' })

/** Of the last second it was asked for: formatting takes long, and what comes at a time asks for the same. */
function cacheLastSecond(format: (at: Date) => string): (at: Date | Instant) => string {
  let last = { second: NaN, text: '' }
  return (at) => {
    const date = typeof at === 'string' ? new Date(at) : at
    const second = Math.floor(date.getTime() / 1000)
    if (second !== last.second) last = { second, text: format(date) }
    return last.text
  }
}

/** A duration as records keep it, to a tenth of a millisecond. */
export const roundMs = (ms: number): number => Math.round(ms * 10) / 10
