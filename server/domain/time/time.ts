/** A moment as ISO 8601 text in UTC. All records use this format. */
export type Instant = string

/** The local time of the service: `YYYY-MM-DD HH:MM:SS` in Berlin. The Swedish locale has this format. */
export const berlinTime = cacheLastSecond(() => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return (at) => format.format(at)
})

/** The value of `ServerTime` in responses: `CET` or `CEST`. */
export const berlinZone = cacheLastSecond(() => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeZoneName: 'short' })
  return (at) => format.format(at).split(', ')[1] ?? 'CET'
})

/**
 * Caches the last formatted second: formatting is slow, and concurrent requests ask for the same second. Creates the
 * format at the first use, because the first one of a process loads the data of all locales.
 */
function cacheLastSecond(createFormat: () => (at: Date) => string): (at: Date | Instant) => string {
  let format: ((at: Date) => string) | undefined
  let last = { second: NaN, text: '' }
  return (at) => {
    const date = typeof at === 'string' ? new Date(at) : at
    const second = Math.floor(date.getTime() / 1000)
    if (second !== last.second) last = { second, text: (format ??= createFormat())(date) }
    return last.text
  }
}

/** A duration as stored in records, rounded to a tenth of a millisecond. */
export const roundMs = (ms: number): number => Math.round(ms * 10) / 10
