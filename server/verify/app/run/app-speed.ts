import { formatCount, formatDuration } from '../../../contract/format/values.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { fetchDirectly } from '../orders/request-app.ts'

/** An app is slow if its median request takes this long. */
const SLOW_MS = 200

/** After so many requests, the check says that the app is slow. */
const FIRST_REQUESTS = 20

/** In a check of all cases, about so many requests for each case follow one another. */
const SERIAL_REQUESTS = 4

/** After so many payments, the check says that it takes long because of the work of the app. */
const FIRST_PAYMENTS = 3

/** In a check of all cases, about so many orders and payments for each case follow one another. */
const SERIAL_ORDERS = 1.3
const SERIAL_PAYMENTS = 0.7

/** How long a case of an app takes that does everything at once. */
const USUAL_CASE_MS = 150

/** A shorter check needs no notice. */
const LONG_CHECK_MS = 60_000

const medianOf = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0

/** Measures how long an app takes for its requests, because most of a check of a slow app is waiting. */
export function createAppSpeed(
  { onNotice, quick, only }: Pick<CheckRunOptions, 'onNotice' | 'quick' | 'only'>,
  cases: number,
) {
  const started = performance.now()
  const times: number[] = []
  const orderTimes: number[] = []
  const paymentTimes: number[] = []
  let underway = 0
  let busySince = 0
  let busyMs = 0
  let hasNoticed = false

  const median = (): number => medianOf(times)
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
      if (times.length === FIRST_REQUESTS && isSlow() && !hasNoticed) {
        hasNoticed = true
        const ms = median() * cases * SERIAL_REQUESTS
        onNotice?.(
          `Your app takes about ${seconds(median())} for each request, so the check takes about ${seconds(ms)} longer than usual.`,
        )
      }
    }
  }

  async function measureOrder<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const began = performance.now()
    const answer = await measure(request)
    orderTimes.push(performance.now() - began)
    return answer
  }

  return {
    measure,
    /** Notes how long a payment took to reach its order. If this makes the check long, says so once. */
    hasPaid(ms: number): void {
      paymentTimes.push(ms)
      // The notice about slow requests says the same.
      if (paymentTimes.length !== FIRST_PAYMENTS || isSlow() || hasNoticed) return
      const [order, payment] = [medianOf(orderTimes), medianOf(paymentTimes)]
      const all = cases * (USUAL_CASE_MS + SERIAL_ORDERS * order + SERIAL_PAYMENTS * payment)
      if (all < LONG_CHECK_MS) return
      hasNoticed = true
      const advice = quick || only !== undefined ? '' : ' Pass --quick for a shorter check.'
      onNotice?.(
        `Your app takes about ${seconds(order)} for an order, and ${seconds(payment)} until its payment has arrived, so the check takes about ${formatDuration(all)}.${advice}`,
      )
    },
    /** The options of the check, with requests that are measured. */
    measured: <Options extends Pick<CheckRunOptions, 'fetchApp'>>(options: Options): Options => {
      const { fetchApp = fetchDirectly } = options
      // Only orders and refunds are sent with a body.
      return {
        ...options,
        fetchApp: (...request) =>
          (request[1].body === undefined ? measure : measureOrder)(() => fetchApp(...request)),
      }
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
