import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { CaseFailure, checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { NoOrderError, OrdersEndedError } from '../../app/run/check-error.ts'
import { returnPageOf } from '../../app/orders/open-page.ts'
import type { ReadState } from '../../app/state/read-order-state.ts'
import { payNow } from './refused-first.ts'
import { PAUSE_OF_CALLS_MS } from '../../app/run/time-limit.ts'

/** How many customers order while the service is down. Circuit breakers open after so many failures. */
const IMPATIENT_ORDERS = 10

/** How long the service stays down for customers who order, if the app repeats its calls. */
const DOWN_MS = 1_500

/** How long a circuit breaker may stay open. */
const BREAK_OF_CALLS_MS = 30_000

/**
 * A webhook arrives while every call of the service fails. If the app does not accept it, the service sends it again. Meanwhile, customers
 * order, open the pages of paid orders, and someone asks for a refund.
 */
export async function payWhileServiceIsDown(tools: CaseTools): Promise<void> {
  const { signal, refundUrl } = tools.context.options
  const order = await tools.make()
  const paid = await makePaid(tools)
  const before = await tools.read(paid)
  const repair = await tools.sandbox.failCalls(order.accountId)
  let isAccepted = false
  let impatient: Promise<unknown> | undefined
  try {
    isAccepted = await tools.tryPost(order)
    if (returnPageOf(paid) !== '') tools.assertPage(paid, await tools.browse(paid, 'none'))
    impatient = Promise.allSettled(
      Array.from({ length: IMPATIENT_ORDERS }, () => tools.orders.orderImpatiently(tools.name)),
    )
    await Promise.race([impatient, pause(DOWN_MS, undefined, { signal })])
    if (refundUrl !== undefined) await tools.tryRefund(paid)
  } finally {
    await repair()
    await impatient
  }
  // After failures, an app may pause its calls for a while.
  const end = performance.now() + PAUSE_OF_CALLS_MS
  while (!isAccepted && performance.now() < end) {
    await pause(TRY_AGAIN_MS, undefined, { signal })
    isAccepted = await tools.tryPost(order)
  }
  await checkWith('after a webhook that arrived while the service answered no calls', async () => {
    if (isAccepted)
      await tools.expectPaid(order, false, Math.max(PAUSE_OF_CALLS_MS, tools.context.patience.fullMs))
    else await payNow(tools, order)
  })
  await expectFurtherOrders(tools, paid)
  await expectNoRecordOfRefund(tools, paid, before)
}

async function makePaid(tools: CaseTools): Promise<CheckedOrder> {
  const order = await tools.make()
  await tools.pay(order)
  await tools.expectPaid(order)
  return order
}

/** Throws if the app takes no orders after the service was down. */
async function expectFurtherOrders(tools: CaseTools, order: CheckedOrder): Promise<void> {
  const end = performance.now() + BREAK_OF_CALLS_MS
  for (;;) {
    try {
      await tools.make()
      return
    } catch (error) {
      // If the orders end right after calls have failed, the stock is not the reason.
      if (!(error instanceof NoOrderError || error instanceof OrdersEndedError)) throw error
      if (performance.now() < end) continue
      tools.context.harmedSince = tools.name
      const seen = `${IMPATIENT_ORDERS} customers ordered while the service answered every call with HTTP 503. For ${BREAK_OF_CALLS_MS / 1000} s after that, no customer got a payment link, although the service worked again: ${error.reason}`
      throw new CaseFailure({ problem: 'order-refused', seen }, order)
    }
  }
}

/** Throws if a refund that was asked for while the service was down is recorded, and the app does not request it later either. */
async function expectNoRecordOfRefund(
  tools: CaseTools,
  order: CheckedOrder,
  { refunded: before }: ReadState,
): Promise<void> {
  const isRecorded = async (): Promise<boolean> => (await tools.read(order)).refunded !== before
  if (!(await isRecorded())) return
  if (
    await tools.waitUntil(
      async () => (await tools.isRefundAccepted(order)) || !(await isRecorded()),
      PAUSE_OF_CALLS_MS,
    )
  )
    return
  const seen = `a refund was asked for after many calls had failed, because the service was down. The order is refunded by ${(await tools.read(order)).refunded}, and the service has accepted no refund`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

const TRY_AGAIN_MS = 500
