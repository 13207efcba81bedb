import { UsageError } from '../../domain/text/usage-error.ts'

export interface Rate {
  readonly calls: number
  readonly perMs: number
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000 }

/** Reads a rate like `20/min`. */
export function readRate(text: string): Rate {
  const [, calls, unit] = /^([1-9]\d{0,5})\/(s|min)$/.exec(text) ?? []
  if (calls !== undefined) return { calls: Number(calls), perMs: UNITS[unit!]! }
  throw new UsageError(
    `--rate is ${text}. It must be a number of calls per minute or second, like 20/min or 5/s.`,
  )
}

interface Timing {
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
}

/** Waits before each call, so that calls never exceed the rate. */
export function createRateLimit({ calls, perMs }: Rate, { now, wait }: Timing): () => Promise<void> {
  const times: number[] = []
  return async () => {
    const oldest = times.length < calls ? undefined : times.shift()
    const waitMs = oldest === undefined ? 0 : oldest + perMs - now()
    if (waitMs > 0) await wait(waitMs)
    times.push(now())
  }
}
