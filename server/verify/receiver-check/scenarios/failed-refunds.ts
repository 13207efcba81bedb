import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { CaseFailure } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { expectRefund, isNoted, paidOrder } from './paid-orders.ts'
import { canRefundParts, PART } from './partial-refunds.ts'
import { type Count, type ReadState, SOLE_COUNT } from '../../app/state/read-order-state.ts'
import type { RefundCall, RefundFailure } from '../../app/run/sandbox-port.ts'
import { PAUSE_OF_CALLS_MS, SETTLING_MS } from '../../app/run/time-limit.ts'
import { type BothLinks, orderTwice, orderForMore } from './two-links.ts'
import {
  during,
  expectAnswerDuringCall,
  isWaiting,
  type SlowCall,
  webhookTimeDuring,
} from './webhook-during-call.ts'

/** The ways in which the service makes no refund, and what it does then. */
const FAILURES = {
  refusal: 'refused a refund',
  'web page': 'answered a refund with a web page',
  'lost call': 'never got the call of a refund',
} as const satisfies Partial<Record<RefundFailure, string>>

type Failure = keyof typeof FAILURES

const allFailures = Object.keys(FAILURES) as readonly Failure[]

const SLOW_CALL_MS = 1_000

/**
 * The service answers a refund late, and makes no refund in several ways. The app must not record such a refund as done. If only the answer
 * is lost, it must record the refund.
 */
export async function failRefund(tools: CaseTools): Promise<void> {
  const refunded = await paidOrder(tools)
  const paid = await tools.read(refunded)
  await refundSlowly(tools, refunded)
  await expectRefund(tools, refunded)
  if (!isNoted(paid, await tools.waitForState(refunded, (state) => isNoted(paid, state), SETTLING_MS))) {
    throw new NotPossibleError(
      'the state of an order does not show its refund: pass --refunded-pointer',
      'option',
    )
  }
  for (const failure of allFailures) await expectNoRecord(tools, refunded, failure)
  if (canRefundParts(tools)) await expectNoRecord(tools, refunded, 'lost call', PART)
  await loseAnswer(tools)
  await payDuringRefund(tools)
  await failSurplusRefunds(tools)
}

const slowRefund = (
  tools: CaseTools,
  order: CheckedOrder,
  start: SlowCall['start'] = () => tools.tryRefund(order),
): SlowCall => ({
  account: order.accountId,
  operation: 'refundPayment',
  start,
  arrives: () => tools.waitForRefund(order),
})

/** The service answers the refund of an order late. If a webhook seems to wait for it, makes sure with another refund. */
async function refundSlowly(tools: CaseTools, order: CheckedOrder): Promise<void> {
  const call = slowRefund(tools, order, () => tools.requestRefund(order))
  const webhookMs = await webhookTimeDuring(tools, call, SLOW_CALL_MS)
  if (!isWaiting(webhookMs ?? 0, SLOW_CALL_MS)) return
  await expectAnswerDuringCall(tools, 'refundPayment', slowRefund(tools, await paidOrder(tools)))
}

/** Throws if an order is recorded as refunded after its refund has failed. Another order is `refunded` as it should be. */
async function expectNoRecord(
  tools: CaseTools,
  refunded: CheckedOrder,
  failure: Failure,
  euros?: number,
): Promise<void> {
  const order = await paidOrder(tools)
  const before = await tools.read(order)
  await requestFailing(tools, order, failure, euros)
  if (await tools.isRefundAccepted(order)) return
  if (failure === 'refusal') await expectSameCounts(tools, order, before)
  const record = await recordOf(tools, order, before, refunded)
  if (record === undefined) return
  // The app may request it again in the meantime. The time between two calls may grow.
  const limitMs = failure === 'refusal' ? 0 : PAUSE_OF_CALLS_MS
  if (await tools.waitUntil(() => tools.isRefundAccepted(order), limitMs)) return
  const ofPart = euros === undefined ? '' : ` of ${formatAmount(euros)} of ${formatAmount(order.amount)}`
  const seen = `the service ${FAILURES[failure]}${ofPart}, and the order is ${record}`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

/** Throws if a count has fallen, such as the number of goods that were taken from the stock. */
async function expectSameCounts(tools: CaseTools, order: CheckedOrder, before: ReadState): Promise<void> {
  const fallenIn = ({ counts }: ReadState): Count | undefined =>
    counts.find(({ value }, index) => value < (before.counts[index]?.value ?? 0))
  const last = await tools.waitForState(order, (state) => fallenIn(state) === undefined, SETTLING_MS)
  const fallen = fallenIn(last)
  // In a state of its own, the order may wait for another try.
  if (fallen === undefined || last.value !== before.value) return
  const count = fallen.name === SOLE_COUNT ? 'the count' : fallen.name
  const seen = `the service refused a refund, and ${count} of the order fell to ${fallen.value}`
  throw new CaseFailure({ problem: 'taken-back', seen, fact: TAKEN_BACK }, order)
}

const TAKEN_BACK: Fact = {
  title: 'Your app takes back the goods of an order although the service has refused the refund',
  remedy: 'Read the answer of refundPayment first. Only ResponseCode 1 means that the refund was requested.',
}

/** Requests a refund that fails, and once more if the app cannot know whether it was made. */
async function requestFailing(
  tools: CaseTools,
  order: CheckedOrder,
  failure: Failure,
  euros: number | undefined,
): Promise<void> {
  const undo = await tools.sandbox.failRefund(order.accountId, failure)
  try {
    // The app may respond with an error, to inform its staff.
    await tools.tryRefund(order, euros)
    if (failure === 'refusal') await expectRefund(tools, order)
    else await tools.waitForRefund(order)
    await tools.waitForOtherOrder()
  } finally {
    await undo()
  }
  if (failure === 'refusal' || (await tools.isRefundAccepted(order))) return
  await tools.tryRefund(order, euros)
  await tools.waitForRefund(order)
}

/** What the app has recorded as the refund of an order. `undefined` if it has recorded none. */
async function recordOf(
  tools: CaseTools,
  order: CheckedOrder,
  before: ReadState,
  refunded: CheckedOrder,
): Promise<string | undefined> {
  const now = await tools.read(order)
  // An app may give an order a temporary state while a refund is underway, and the final state only later.
  const limitMs = now.value === before.value ? 0 : SETTLING_MS
  const done = await tools.waitForState(refunded, ({ value }) => value !== now.value, limitMs)
  const last = await tools.waitForState(
    order,
    (state) => state.value === done.value || state.refunded !== before.refunded,
    limitMs,
  )
  if (done.value !== before.value && last.value === done.value)
    return `${last.value ?? 'refunded'} as after a good one`
  return last.refunded === before.refunded ? undefined : `refunded by ${last.refunded}`
}

/** After a failure of the service, an app may pause its calls for some seconds. */
const MAX_CLICKS = 4

/** The service accepts a refund, and its answer is lost. Someone clicks again, and the service says that the refund was requested already. */
async function loseAnswer(tools: CaseTools): Promise<void> {
  const order = await paidOrder(tools)
  const before = await tools.read(order)
  const undo = await tools.sandbox.failRefund(order.accountId, 'lost answer')
  let hasCalled = false
  try {
    for (let clicks = 1; !hasCalled && clicks <= MAX_CLICKS; clicks += 1) {
      await tools.tryRefund(order)
      hasCalled = await tools.waitForRefund(order)
    }
  } finally {
    await undo()
  }
  if (hasCalled)
    await expectNoted(tools, order, before, 'the service accepted a refund, and its answer was lost')
}

/** Clicks again. Throws if the app calls again, learns that the service has the refund, and does not note it. */
export async function expectNoted(
  tools: CaseTools,
  order: CheckedOrder,
  before: ReadState,
  what: string,
  euros?: number,
): Promise<void> {
  const isRecorded = (state: ReadState): boolean => isNoted(before, state)
  for (let clicks = 1; clicks <= MAX_CLICKS; clicks += 1) {
    await tools.tryRefund(order, euros)
    if (isRecorded(await tools.waitForState(order, isRecorded, SETTLING_MS))) return
  }
  // If a refund got no answer, an app may leave it to its staff, and make no further call.
  const wereAccepted = (await tools.refundsOf(order)).map(({ isAccepted }) => isAccepted)
  if (!wereAccepted.includes(true) || !wereAccepted.includes(false)) return
  const seen = `${what}. After further clicks on the refund button the order is as before the refund`
  throw new CaseFailure({ problem: 'refund-forgotten', seen }, order)
}

/** While the service takes long to answer a refund, the customer also pays the older link of the order. The refund must not undo this payment. */
async function payDuringRefund(tools: CaseTools): Promise<void> {
  const links = await orderForMore(tools)
  if (links === undefined || links.newer.amount === links.older.amount) return
  const { older, newer } = links
  await tools.pay(newer)
  const before = await tools.waitForState(newer, ({ paid }) => paid)
  const { received = 0, refunded } = before
  if (!before.paid || received === 0 || refunded === undefined) return
  const meanwhile = await during(tools, slowRefund(tools, newer), SLOW_CALL_MS, async () => {
    await tools.pay(older)
    return tools.waitForState(newer, (state) => (state.received ?? 0) > received, SLOW_CALL_MS)
  })
  if ((meanwhile?.received ?? 0) <= received) return
  await tools.waitForState(newer, (state) => state.refunded !== refunded, SETTLING_MS)
  await tools.waitForOtherOrder()
  // An app may subtract refunds from what it has received, but then the sum differs.
  if ((await tools.read(newer)).received !== received) return
  const seen = `an order had received ${received}. While the service answered its refund, another payment came, and the order had received more. After the refund, it has received ${received} again`
  throw new CaseFailure({ problem: 'wrong-record', seen }, newer)
}

/**
 * Orders are paid twice, and the refunds fail that the app requests by itself. It must not record them as made, and must send back the
 * second payment of a later order.
 */
async function failSurplusRefunds(tools: CaseTools): Promise<void> {
  if (!tools.orders.canOrderAgain) return
  const pairs = await Promise.all(allFailures.map(() => payNewer(tools))).catch(unlessNotPossible)
  if (pairs === undefined) return
  const undo = await tools.sandbox.failRefund(pairs[0]!.newer.accountId, ...allFailures)
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
  const limitMs = Math.max(LATE_REFUND_MS, tools.context.patience.fullMs)
  if (await payOlder(tools, links, limitMs)) return
  const seen = `orders were paid twice, the app requested refunds, and the service did not make them. Then another order was paid twice, and the app requested no refund within ${Math.round(limitMs / 1000)} s. If your app requests it later, raise --timeout`
  throw new CaseFailure({ problem: 'payment-forgotten', seen }, links.newer)
}
