import type { CheckedOrder } from '../../contract/checks/check.ts'
import { CaseFailure, type CaseTools } from './case-tools.ts'
import { NotPossibleError } from './not-possible.ts'
import type { RefundCall, RefundFailure } from './sandbox-port.ts'
import { PAUSE_OF_CALLS_MS, SETTLING_MS } from './time-limit.ts'
import { type BothLinks, orderTwice } from './two-links.ts'

/** How the refunds of second payments fail. */
const FAILURES = ['refusal', 'web page', 'lost call'] as const satisfies readonly RefundFailure[]

/**
 * Orders are paid twice, and the refunds fail that the app requests by itself. It must not record them as made, and must send back the
 * second payment of a later order.
 */
export async function failSurplusRefunds(tools: CaseTools): Promise<void> {
  if (!tools.orders.canOrderAgain) return
  const pairs = await Promise.all(FAILURES.map(() => payNewer(tools))).catch(unlessNotPossible)
  if (pairs === undefined) return
  const undo = await tools.sandbox.failRefund(pairs[0]!.newer.accountId, ...FAILURES)
  let areRequested: readonly boolean[]
  try {
    areRequested = await Promise.all(pairs.map((pair) => payOlder(tools, pair, SETTLING_MS)))
    await tools.waitForOtherOrder()
  } finally {
    await undo()
  }
  // After an unclear answer, the time between two calls of an app may grow.
  await Promise.all(
    pairs.map(({ older, newer }) => expectTruthAboutRefunds(tools, newer, [older, newer], PAUSE_OF_CALLS_MS)),
  )
  if (areRequested.includes(true)) await expectFurtherRefunds(tools)
}

/** An order with two links, of which the newer one is paid. */
async function payNewer(tools: CaseTools): Promise<BothLinks> {
  const links = await orderTwice(tools)
  await tools.pay(links.newer)
  await tools.expectPaid(links.newer)
  return links
}

function unlessNotPossible(error: unknown): undefined {
  if (!(error instanceof NotPossibleError)) throw error
}

const refundsOf = async (
  tools: CaseTools,
  payments: readonly CheckedOrder[],
): Promise<readonly RefundCall[]> => (await Promise.all(payments.map(tools.refundsOf))).flat()

/** Pays the older link as well. Returns whether the app requests a refund. */
async function payOlder(tools: CaseTools, { older, newer }: BothLinks, timeoutMs?: number): Promise<boolean> {
  await tools.pay(older)
  return tools.waitUntil(async () => {
    // An app without a background process does its remaining work when someone loads a page.
    await tools.read(newer)
    return (await refundsOf(tools, [older, newer])).length > 0
  }, timeoutMs)
}

/** Throws if the order is recorded as refunded, and the service has refused each refund of its payments that the app has requested. */
export async function expectTruthAboutRefunds(
  tools: CaseTools,
  order: CheckedOrder,
  payments: readonly CheckedOrder[],
  limitMs = SETTLING_MS,
): Promise<void> {
  if (tools.context.watch === undefined || (await refundsOf(tools, payments)).length === 0) return
  const read = async (): Promise<number> => {
    const { received, refunded = 0 } = await tools.read(order)
    // An app may list payments and refunds together.
    return received === refunded ? 0 : refunded
  }
  // The app may repeat a call, or correct its record.
  const isTrue = async (): Promise<boolean> =>
    (await read()) === 0 || (await refundsOf(tools, payments)).some(({ isAccepted }) => isAccepted)
  if (await tools.waitUntil(isTrue, limitMs)) return
  const [call] = await refundsOf(tools, payments)
  const seen = `the order was paid twice, the service did not make the refund of one payment ("${call!.message}"), and the order is refunded by ${await read()}`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

/** How long an app may take to send back a second payment, such as an app that tries again twice a minute. Only apps that are late take so long. */
const LATE_REFUND_MS = 31_000

/** Throws if the app sends back no second payments after calls have failed. It may pause its calls for a while. */
async function expectFurtherRefunds(tools: CaseTools): Promise<void> {
  const links = await payNewer(tools)
  const limitMs = Math.max(LATE_REFUND_MS, tools.context.timeoutMs)
  if (await payOlder(tools, links, limitMs)) return
  const seen = `orders were paid twice, the app requested refunds, and the service did not make them. Then another order was paid twice, and the app requested no refund within ${Math.round(limitMs / 1000)} s. If your app requests it later, raise --timeout`
  throw new CaseFailure({ problem: 'payment-forgotten', seen }, links.newer)
}
