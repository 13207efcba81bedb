import { CheckError } from './check-error.ts'
import type { CheckRunOptions } from './check-run-options.ts'

/** Runs a check until the caller aborts it or its time is up. */
export async function withTimeLimit<Report>(
  { signal, totalTimeoutMs }: Pick<CheckRunOptions, 'signal' | 'totalTimeoutMs'>,
  cases: readonly unknown[],
  results: readonly unknown[],
  run: (signal: AbortSignal | undefined) => Promise<Report>,
): Promise<Report> {
  if (totalTimeoutMs === undefined) return run(signal)
  const timeUp = new AbortController()
  const timer = setTimeout(() => timeUp.abort(), totalTimeoutMs)
  try {
    return await run(signal === undefined ? timeUp.signal : AbortSignal.any([signal, timeUp.signal]))
  } catch (error) {
    if (error instanceof CheckError || !timeUp.signal.aborted) throw error
    throw new CheckError(
      `The check did not finish within ${totalTimeoutMs / 1000} s: ${results.length} of ${cases.length} cases have a result. Run fewer cases at once, or give the app less time for each webhook.`,
    )
  } finally {
    clearTimeout(timer)
  }
}
