import { setTimeout as pause } from 'node:timers/promises'

/** Resolves with the result of `running`, or with `undefined` after `ms`. */
export async function resultWithin<Result>(
  ms: number,
  running: Promise<Result>,
): Promise<Result | undefined> {
  const over = new AbortController()
  const late = pause(ms, undefined, { signal: over.signal })
  try {
    return await Promise.race([running, late])
  } finally {
    late.catch(() => undefined)
    over.abort()
  }
}
