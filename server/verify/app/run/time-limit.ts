import { setMaxListeners } from 'node:events'
import { CheckError } from './check-error.ts'
import type { CheckRunOptions } from './check-run-options.ts'

/** How long a slow body takes to arrive. */
export const SLOW_MS = 2_000

/** How long a webhook is retried while the rate limit of the app refuses it (429). Other cases use up this limit as well. */
export const RATE_LIMIT_PATIENCE_MS = 60_000

/** How long the sandbox repeats the webhook of a payment while the app handles a different webhook. */
export const BUSY_PATIENCE_MS = 5_000

/** How long an app may pause its calls after the service has failed. */
export const PAUSE_OF_CALLS_MS = 12_000

/** How long an app may take to show a refund. Some apps never show it. */
export const SETTLING_MS = 2_000

/** How long a page may be cached. */
export const CACHED_MS = 3_000

/** So many times the time limit of the app, people may have to wait for what was underway when the app was killed. */
export const RESTART_PATIENCE = 13

/** Runs a check until the caller aborts it, or until its time is over. */
export async function withTimeLimit<Report>(
  { signal, totalTimeoutMs }: Pick<CheckRunOptions, 'signal' | 'totalTimeoutMs'>,
  cases: readonly unknown[],
  results: readonly unknown[],
  run: (signal: AbortSignal | undefined) => Promise<Report>,
): Promise<Report> {
  // Removes the limit, because all cases that run side by side listen to this signal, and Node would print a warning.
  if (signal !== undefined) setMaxListeners(0, signal)
  if (totalTimeoutMs === undefined) return run(signal)
  const timeUp = new AbortController()
  const timer = setTimeout(() => timeUp.abort(), totalTimeoutMs)
  try {
    const either = signal === undefined ? timeUp.signal : AbortSignal.any([signal, timeUp.signal])
    setMaxListeners(0, either)
    return await run(either)
  } catch (error) {
    if (error instanceof CheckError || !timeUp.signal.aborted) throw error
    throw new CheckError(
      `The check did not finish within ${totalTimeoutMs / 1000} s: ${results.length} of ${cases.length} cases have a result. Run fewer cases at once, or give the app less time for each webhook.`,
    )
  } finally {
    clearTimeout(timer)
  }
}
