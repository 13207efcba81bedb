import { parseDurationMs } from '../time/duration.ts'

type Unit = 's' | 'm' | 'h' | 'd'

/** The waits between attempts, like `5s,30s,2m`. The type covers only the first wait and the last unit. */
type WaitList = `${bigint}${Unit}` | `${bigint}${Unit},${string}${Unit}`

/** The waits between attempts, or `none`. */
export type RetryWaits = 'none' | WaitList

export const MAX_WAITS = 20
export const MAX_WAIT_DAYS = 30
const MAX_RETRY_WAIT_MS = MAX_WAIT_DAYS * 86_400_000

/** Whether a text is a list of waits. Each wait must be longer than zero and no longer than a month. */
export function isRetryWaits(text: string): text is WaitList {
  const waits = text.split(',')
  return (
    waits.length <= MAX_WAITS &&
    waits.every((wait) => WAIT_PATTERN.test(wait) && parseWaitMs(wait) <= MAX_RETRY_WAIT_MS)
  )
}

/** The waits in milliseconds. */
export const parseRetryWaits = (retries: RetryWaits): number[] =>
  retries === 'none' ? [] : retries.split(',').map(parseWaitMs)

const WAIT_PATTERN = /^[1-9]\d{0,6}[smhd]$/

const parseWaitMs = (wait: string): number => parseDurationMs(wait) ?? 0
