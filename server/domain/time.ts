/** A moment as ISO 8601 text in UTC, the form every record keeps. */
export type Instant = string

/** The service's clock on the wall: `YYYY-MM-DD HH:MM:SS` in Berlin. Swedes write dates this way. */
export const berlinTime = (at: Date | Instant): string => berlin.format(toDate(at))

/** The label the envelope carries as `ServerTime`: `CET` or `CEST`. */
export const berlinZone = (at: Date | Instant): string => zoned.format(toDate(at)).split(', ')[1] ?? 'CET'

const berlin = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'medium',
})

const zoned = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeZoneName: 'short' })

const toDate = (at: Date | Instant): Date => (typeof at === 'string' ? new Date(at) : at)

/** A duration as records keep it, to a tenth of a millisecond. */
export const roundMs = (ms: number): number => Math.round(ms * 10) / 10
