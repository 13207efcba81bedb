import { type CallerContext, CallerFailure } from '../caller-case.ts'
import { checkFailedOrder } from '../orders/check-order.ts'
import { createOrder, placeOrder } from '../orders/place-order.ts'

/** Timers may fire some milliseconds early. */
const TOLERANCE_MS = 100

/**
 * Refuses the first call for some seconds, and checks when the app calls again. The sandbox measures both times, so the wait can
 * only seem longer on a busy machine.
 */
export async function checkRetryAfter(context: CallerContext, seconds: number): Promise<void> {
  const options = { faults: [`rate-limit:${seconds}s`] }
  const placed = await placeOrder(context, createOrder(), options)
  const [first, second] = placed.calls
  if (first !== undefined && second !== undefined) {
    const waitedMs = Date.parse(second.at) - Date.parse(first.at)
    if (waitedMs < seconds * 1000 - TOLERANCE_MS) {
      throw new CallerFailure({ problem: 'no-backoff', seen: `the app called again after ${waitedMs} ms` })
    }
  }
  checkFailedOrder(context, placed, 'link or failure', options)
}
