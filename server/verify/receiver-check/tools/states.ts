import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { NO_STATE, NotPossibleError } from '../../app/run/not-possible.ts'
import { checkFinalOrder, unreadableOrder } from '../../app/state/check-answer-and-order.ts'
import type { ReadState } from '../../app/state/read-order-state.ts'
import { isPaidAndFulfilled, type ObservedState, type OrderWatch } from '../../app/state/watch-order.ts'
import type { CaseContext } from '../case-context.ts'
import { CaseFailure } from '../case-failure.ts'
import { createRefundCallTools } from './refunds.ts'

/** Reads and checks the states of orders. With `orRefunded`, an order that must be paid may also be refunded or in review. */
export function createStateTools(context: CaseContext, orRefunded = false) {
  const { options, watch, patience } = context
  const { isRefunded } = createRefundCallTools(context)

  const needWatch = (): OrderWatch => {
    if (watch === undefined) throw new NotPossibleError(NO_STATE, 'option')
    return watch
  }

  /** The state of an order. Throws if it cannot be read, because otherwise a case would pass without having checked anything. */
  async function read(order: CheckedOrder): Promise<ReadState> {
    const seen = await needWatch().readPatiently(order)
    if ('unknown' in seen) throw new CaseFailure(unreadableOrder(seen), order)
    return seen
  }

  /** Waits for a state of an order, and returns the last state. */
  const waitForState = async (
    order: CheckedOrder,
    isWanted: (state: ReadState) => boolean,
    limitMs?: number,
  ): Promise<ReadState> => {
    const seen = await needWatch().waitUntil(order, isWanted, limitMs)
    return 'unknown' in seen ? read(order) : seen
  }

  /**
   * Whether the app has recorded the payment of a cancelled order, and has given the order a special state, so that the staff can
   * decide what to do.
   */
  async function isInReview(order: CheckedOrder, state: ObservedState): Promise<boolean> {
    const { cancelledValue } = options
    if ('unknown' in state || state.paid || (state.received ?? 0) < order.amount) return false
    if (cancelledValue === undefined || state.value === cancelledValue) return false
    if (!context.cancelledLinks.has(order.id) || context.untouched === undefined) return false
    return (await read(context.untouched)).value !== state.value
  }

  const isRefundedOrInReview = async (order: CheckedOrder, state?: ObservedState): Promise<boolean> =>
    (await isRefunded(order)) || (await isInReview(order, state ?? (await read(order))))

  /** Waits until the order is paid once, or refunded or in review if the case allows that. */
  async function expectPaid(
    order: CheckedOrder,
    wasPaid = false,
    limitMs = patience.forPaymentMs(),
  ): Promise<void> {
    if (watch === undefined) return
    let refunded = false
    const started = performance.now()
    const seen = await watch.waitUntil(
      order,
      async (state) => {
        if (isPaidAndFulfilled(state)) return true
        refunded = orRefunded && (await isRefundedOrInReview(order, state))
        return refunded
      },
      limitMs,
    )
    if (refunded) return
    const problem = checkFinalOrder('paid', seen, watch.source(order, limitMs), wasPaid)
    if (problem?.problem === 'not-paid') patience.recordUnpaid()
    else if ('paid' in seen && seen.paid) patience.recordPaid(performance.now() - started)
    if (problem !== undefined) throw new CaseFailure(problem, order)
  }

  /** Throws if the order is now in a different state. */
  async function expectNow(
    order: CheckedOrder,
    state: 'paid-once' | 'unpaid',
    wasPaid = false,
  ): Promise<void> {
    const problem =
      watch && checkFinalOrder(state, await watch.readPatiently(order), watch.source(order), wasPaid)
    if (problem !== undefined) throw new CaseFailure(problem, order)
  }

  return { needWatch, read, waitForState, isInReview, isRefundedOrInReview, expectPaid, expectNow }
}
