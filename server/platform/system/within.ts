import { setTimeout as pause } from 'node:timers/promises'

/** Resolves to the result of `running`, or to `undefined` if that takes longer than `ms`. */
export async function within<Result>(ms: number, running: Promise<Result>): Promise<Result | undefined> {
  const over = new AbortController()
  const late = pause(ms, undefined, { signal: over.signal })
  try {
    return await Promise.race([running, late])
  } finally {
    late.catch(() => undefined)
    over.abort()
  }
}
