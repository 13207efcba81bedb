import { formatCount } from '../../../contract/format/values.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { fetchDirectly } from '../orders/request-app.ts'

/** An app is slow if its median request takes this long. */
const SLOW_MS = 200

/** After so many requests, the check says that the app is slow. */
const FIRST_REQUESTS = 20

/** In a check of all cases, about so many requests for each case follow one another. */
const SERIAL_REQUESTS = 4

/** Measures how long an app takes for its requests, because most of a check of a slow app is waiting. */
export function createAppSpeed({ onNotice }: Pick<CheckRunOptions, 'onNotice'>, cases: number) {
  const started = performance.now()
  const times: number[] = []
  let underway = 0
  let busySince = 0
  let busyMs = 0

  const median = (): number => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
  const isSlow = (): boolean => median() >= SLOW_MS

  async function measure<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const began = performance.now()
    if (underway === 0) busySince = began
    underway += 1
    try {
      return await request()
    } finally {
      const now = performance.now()
      times.push(now - began)
      underway -= 1
      if (underway === 0) busyMs += now - busySince
      if (times.length === FIRST_REQUESTS && isSlow()) {
        const ms = median() * cases * SERIAL_REQUESTS
        onNotice?.(
          `Your app takes about ${seconds(median())} for each request, so the check takes about ${seconds(ms)} longer than usual.`,
        )
      }
    }
  }

  return {
    measure,
    /** The options of the check, with requests that are measured. */
    measured: <Options extends Pick<CheckRunOptions, 'fetchApp'>>(options: Options): Options => {
      const { fetchApp = fetchDirectly } = options
      return { ...options, fetchApp: (...request) => measure(() => fetchApp(...request)) }
    },
    describe(limit?: { readonly refused: number; readonly waitedMs: number }): string[] {
      const all = performance.now() - started
      const slow = `Your app took ${seconds(median())} for each request, the median of ${formatCount(times.length)}. At least one request was underway for ${seconds(busyMs)} of the ${seconds(all)} of the check.`
      const limited =
        limit &&
        `Your app answered 429 to ${formatCount(limit.refused)} orders, because it limits their number. The others waited ${seconds(limit.waitedMs)} of the ${seconds(all)} of the check for that. Raise the limit for the check.`
      return [
        ...(isSlow() ? [slow] : []),
        ...(limited !== undefined && limit !== undefined && limit.waitedMs >= LONG_WAIT_MS ? [limited] : []),
      ]
    },
  }
}

/** A shorter wait need not be explained. */
const LONG_WAIT_MS = 2_000

const seconds = (ms: number): string => `${ms < 10_000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`
