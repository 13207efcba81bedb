import { setTimeout as pause } from 'node:timers/promises'
import { databaseTroubleOf } from './database-error.ts'
import type { Store } from './store.ts'

/**
 * Reads the result of a change after its commit. The change is done, so the response must not be an error. If the database has
 * become unusable, returns what the unit of work already knew.
 */
export async function readAfterCommit<Result>(
  fallback: Result,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (databaseTroubleOf(error) === undefined) throw error
    return fallback
  }
}

const CHECK_MS = 1_000

/**
 * Waits for an effect of later units of work. Rejects if the database becomes unusable, because these units may then never run.
 * `wait` ends when its signal is aborted.
 */
export async function waitWhileUsable<Result>(
  store: Pick<Store, 'ping'>,
  signal: AbortSignal,
  wait: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const end = (): void => over.abort()
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([wait(over.signal), failureOf(store, over.signal)])
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Never resolves. Rejects when the database cannot be read. */
async function failureOf(store: Pick<Store, 'ping'>, signal: AbortSignal): Promise<never> {
  try {
    for (;;) {
      await pause(CHECK_MS, undefined, { signal, ref: false })
      await store.ping()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return new Promise(() => undefined)
}
