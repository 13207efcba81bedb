import { durationMs } from '../time/duration.ts'

type Unit = 's' | 'm' | 'h' | 'd'

/** How long to wait before each further attempt, like `5s,30s,2m`. The compiler checks the first wait and the last unit. */
export type Waits = `${bigint}${Unit}` | `${bigint}${Unit},${string}${Unit}`

/** The waits before further attempts, or that there is none. */
export type Retries = 'none' | Waits

const MOST_WAITS = 20
const LONGEST_WAIT_MS = 30 * 86_400_000

/** Whether a text is a list of waits, none of them nothing and none longer than a month. */
export function areWaits(text: string): text is Waits {
  const waits = text.split(',')
  return (
    waits.length <= MOST_WAITS && waits.every((wait) => WAIT.test(wait) && lengthOf(wait) <= LONGEST_WAIT_MS)
  )
}

/** The waits in milliseconds. */
export const waitsOf = (retries: Retries): number[] =>
  retries === 'none' ? [] : retries.split(',').map(lengthOf)

const WAIT = /^[1-9]\d{0,6}[smhd]$/

const lengthOf = (wait: string): number => durationMs(wait) ?? 0
