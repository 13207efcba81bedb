import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { CaseFailure } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { unlessRefused } from '../../app/run/check-error.ts'
import { needTargets, NotPossibleError, secondPaymentUnseen } from '../../app/run/not-possible.ts'
import {
  expectRefund,
  isFulfilled,
  isFulfilledAgain,
  paidOrder,
  payAtSandbox,
  raisedCount,
} from './paid-orders.ts'
import { canRefundParts, PART } from './partial-refunds.ts'
import { isRecordOf } from '../../app/state/read-money.ts'
import type { ReadState } from '../../app/state/read-order-state.ts'
import { asked, type RefundCall } from '../../app/run/sandbox-port.ts'
import { SETTLING_MS } from '../../app/run/time-limit.ts'
import {
  cancelAndOrderAgain,
  hasReceivedMore,
  MORE,
  ODD_AMOUNT,
  orderTwice,
  orderForMore,
} from './two-links.ts'
import type { WebhookVariant } from '../../app/webhooks/webhook-variant.ts'
import { unknownPayIdOf } from '../../app/webhooks/write-webhook.ts'

/** Someone clicks the refund button twice, and once more after the refund was requested. Then the customer orders the same again. */
export async function refundTwice(tools: CaseTools): Promise<void> {
  await Promise.all([clickOften(tools), refundLarge(tools)])
  await Promise.all(Array.from({ length: DOUBLE_CLICKS }, () => clickTwice(tools)))
}

/** One double click often meets no race, because a busy server handles the clicks one after the other. */
const DOUBLE_CLICKS = 4

async function clickTwice(tools: CaseTools): Promise<void> {
  const order = await paidOrder(tools)
  await Promise.all([tools.tryRefund(order), tools.tryRefund(order)])
  await tools.waitForOtherOrder()
  await expectOneCall(tools, order, 'two clicks')
}

/** The one call for the refund of an order. Throws if the app has made several. */
async function expectOneCall(
  tools: CaseTools,
  order: CheckedOrder,
  clicks: string,
): Promise<RefundCall | undefined> {
  const calls = await tools.refundsOf(order)
  if (calls.length <= 1) return calls[0]
  const seen = `${clicks} on the button that refunds an order called refundPayment ${calls.length} times`
  throw new CaseFailure({ problem: 'refund-repeated', seen }, order)
}

/** Each is more than a thousand euros. A column of the type FLOAT loses the cents of the first one, and 1234.35 * 100 is 123434.99999999999. */
const LARGE_AMOUNTS = [654_321.09, 1_234.35]

async function refundLarge(tools: CaseTools): Promise<void> {
  if (!tools.orders.canChooseAmounts) return
  for (const amount of LARGE_AMOUNTS) {
    const order = await tools.make({ wantedOrder: { amount } }).catch(unlessRefused)
    if (order?.amount !== amount || order.targets.length === 0) continue
    return refundExactly(tools, order)
  }
}

/** The refund of a large order must be requested with its amount. */
async function refundExactly(tools: CaseTools, order: CheckedOrder): Promise<void> {
  await payAtSandbox(tools, order)
  const since = await tools.now()
  await tools.tryRefund(order)
  await tools.waitForRefund(order)
  const refusal = async (): Promise<string | undefined> => {
    const refused = await tools.sandbox.refusalAfter(since, [String(order.payId)], order.accountId)
    return refused?.operation === 'refundPayment'
      ? `the service refused the call: ${refused.message}`
      : undefined
  }
  const calls = await tools.refundsOf(order)
  if (calls.some(({ amount }) => amount === order.amount)) return
  const what = calls[0] === undefined ? await refusal() : `the app requested ${asked(calls[0].amount)}`
  // A large refund may need the consent of a second person.
  if (what === undefined) return
  const seen = `the refund of an order of ${formatAmount(order.amount)} was asked for, and ${what}`
  throw new CaseFailure({ problem: 'refund-amount', seen }, order)
}

async function clickOften(tools: CaseTools): Promise<void> {
  const order = await paidOrder(tools, tools.orders.canChooseAmounts ? { amount: ODD_AMOUNT } : undefined)
  const before = await tools.read(order)
  // The app may refuse one of two clicks.
  const clicks = await Promise.allSettled([tools.requestRefund(order), tools.requestRefund(order)])
  const [refused, alsoRefused] = clicks.filter((click) => click.status === 'rejected')
  if (alsoRefused !== undefined) throw refused?.reason
  await expectRefund(tools, order)
  await tools.waitForOtherOrder()
  await tools.tryRefund(order)
  await tools.waitForOtherOrder()
  const { amount } = (await expectOneCall(tools, order, 'three clicks'))!
  if (amount !== order.amount) {
    const seen = `the refund of an order of ${formatAmount(order.amount)} was requested with the amount ${asked(amount)}`
    throw new CaseFailure({ problem: 'refund-amount', seen }, order)
  }
  await expectRecorded(tools, order, before)
  await orderAfterRefund(tools, order)
}

/** The customer of a refunded order orders the same again, and must not be sent to the link that was paid. */
async function orderAfterRefund(tools: CaseTools, order: CheckedOrder): Promise<void> {
  // Until the refund is made, the order may count as bought.
  const state = await tools.read(order)
  if (!tools.orders.canOrderAgain || state.paid) return
  const isSentToOldLink = async (): Promise<boolean> => {
    const link = await tools.orders.linkOfAgain(order)
    return link?.id === order.id && link.isRedirect
  }
  if (!(await isSentToOldLink())) return repeatForNewLink(tools, order)
  // While the refund is underway, an app may give the order a temporary state that does not count as paid.
  const later = await tools.waitForState(order, ({ value }) => value !== state.value, SETTLING_MS)
  if (later.value !== state.value && !(await isSentToOldLink())) return
  const seen = `the order was paid and refunded. The customer ordered the same again, and the app redirected to the pay link that was used before: ${order.id}`
  throw new CaseFailure({ problem: 'wrong-link', seen }, order)
}

/** The customer of a refunded order pays the new link. If the order counts as paid, it must be fulfilled as well. */
async function payNewLink(tools: CaseTools, order: CheckedOrder, before: ReadState): Promise<void> {
  const newer = await tools.orders.again(order)
  if (newer === undefined || before.paid || before.counts.length === 0) return
  await tools.post(newer)
  await tools.waitForOtherOrder()
  const state = await tools.waitForState(newer, (now) => isFulfilledAgain(before, now))
  if (!state.paid || isFulfilledAgain(before, state) || (await tools.isRefunded(newer))) return
  const seen =
    'the order was paid and refunded, the customer ordered the same again, and paid. The order counts as paid, and is not fulfilled again'
  throw new CaseFailure({ problem: 'not-fulfilled', seen }, newer)
}

/** The customer of a refunded order has ordered again. The webhook of the refunded payment must not pay the new link. */
async function repeatForNewLink(tools: CaseTools, order: CheckedOrder): Promise<void> {
  const before = await tools.read(order)
  await tools.post(order, {}, 'tolerated')
  await tools.waitForOtherOrder()
  const after = await tools.read(order)
  const isUnchanged = !after.paid && raisedCount(before, after) === undefined
  if (before.paid || isUnchanged) return payNewLink(tools, order, after)
  const seen = `the order was paid and refunded, the customer ordered the same again, and the webhook of the refunded payment came again. Now the order is ${after.paid ? 'paid' : 'fulfilled'}`
  throw new CaseFailure({ problem: 'changed-after-refund', seen }, order)
}

/** Throws if a full refund is recorded with a different amount. The app may record it later. */
async function expectRecorded(tools: CaseTools, order: CheckedOrder, before: ReadState): Promise<void> {
  if (before.refunded === undefined) return
  const state = await tools.waitForState(order, ({ refunded }) => refunded !== before.refunded, SETTLING_MS)
  if (state.refunded === undefined || state.refunded === before.refunded) return
  if (isRecordOf(order.amount, state.refunded)) return
  const seen = `the refund of an order of ${formatAmount(order.amount)} is recorded as ${state.refunded}`
  throw new CaseFailure({ problem: 'refund-amount', seen }, order)
}

/** One of two links is paid. The refund must be for the payment. */
export async function refundRightPayment(tools: CaseTools): Promise<void> {
  await Promise.all([
    refundNewerLink(tools),
    tools.orders.canOrderAgain && refundOlderLink(tools),
    refundKept(tools),
    refundAfterFirstCancel(tools),
    refundFirstOfTwo(tools),
  ])
}

/** The older link of an order is paid, whose price is higher now, and then the newer one. A refund must name the payment that pays the order. */
async function refundKept(tools: CaseTools): Promise<void> {
  const links = await orderForMore(tools)
  if (links === undefined || links.newer.amount === links.older.amount) return
  const { older, newer } = links
  if (older.targets.length === 0) return
  await tools.sandbox.pay(older)
  await tools.waitForOtherOrder()
  // An app may keep the price of each link, or send the payment back.
  if ((await tools.read(newer)).paid || (await tools.isRefunded(older))) return
  await payAtSandbox(tools, newer)
  await expectRefundOf(tools, newer, older)
}

/** The older of two links is paid. An app may send back this payment at once. */
async function refundOlderLink(tools: CaseTools): Promise<void> {
  const { older, newer } = await cancelAndOrderAgain(tools)
  if (newer instanceof NotPossibleError || older.targets.length === 0) return
  await tools.sandbox.pay(older)
  if (!(await tools.waitForState(older, ({ paid }) => paid)).paid || (await tools.isRefunded(older))) return
  await expectRefundOf(tools, older, newer)
}

/** The newer of two links is paid, and the cancel of the older one is sent again. */
async function refundNewerLink(tools: CaseTools): Promise<void> {
  const { older, newer } = tools.orders.canOrderAgain ? await cancelAndOrderAgain(tools) : {}
  const isFirst = newer === undefined || newer instanceof NotPossibleError
  const order = await payAtSandbox(tools, isFirst ? await tools.make() : newer)
  if (older !== undefined) await tools.post(older, { status: 'cancel' })
  await expectRefundOf(tools, order, older)
}

/** The newer link of an order is paid, and then the older one, whose price is lower. If the app keeps both payments, a refund must name the first one. */
async function refundFirstOfTwo(tools: CaseTools): Promise<void> {
  const links = await orderForMore(tools)
  if (links === undefined || links.newer.amount === links.older.amount) return
  const { older, newer } = links
  await payAtSandbox(tools, newer)
  await tools.pay(older)
  await tools.waitForOtherOrder()
  await tools.waitForRefund(older, SETTLING_MS)
  const areKept = (await Promise.all([older, newer].map(tools.refundsOf))).every(({ length }) => length === 0)
  if (!areKept) return
  await tools.tryRefund(newer)
  await tools.waitForRefund(newer)
  if (!(await tools.isRefundAccepted(older))) return expectRefundOf(tools, newer, older)
  await tools.waitForOtherOrder()
  const { paid, value } = await tools.read(newer)
  // An app may send back the surplus first, and then the order stays paid.
  if (paid || (await tools.isRefundAccepted(newer))) return
  const [kept, sentBack] = [newer, older].map(({ amount }) => formatAmount(amount))
  const seen = `the order was paid with ${kept}, and then once more with an older link, of ${sentBack}. After a click on the refund button, the app sent back only ${sentBack}, and the order is ${JSON.stringify(value)}`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, newer)
}

/** The newer link of an order is paid, and only then the older one is cancelled, for the first time. */
async function refundAfterFirstCancel(tools: CaseTools): Promise<void> {
  const links = await orderForMore(tools)
  if (links === undefined || links.newer.amount === links.older.amount) return
  const { older, newer } = links
  await payAtSandbox(tools, newer)
  await tools.post(older, { status: 'cancel' }, 'tolerated')
  await tools.waitForOtherOrder()
  await expectRefundOf(tools, newer, older)
}

/** Requests the refund of an order. It must name the payment, not another link of the order. */
async function expectRefundOf(
  tools: CaseTools,
  order: CheckedOrder,
  other: CheckedOrder | undefined,
): Promise<void> {
  const since = await tools.now()
  // The service may refuse the call, and the app may answer with an error.
  await tools.tryRefund(order)
  if (await tools.waitForRefund(order)) return
  const calls = await tools.sandbox.refundCalls(since, order.accountId)
  // Other refunds are underway at the same time.
  const wrong = calls.map(({ payId }) => payId).find((payId) => payId === other?.payId || payId === order.id)
  if (wrong === undefined) return expectRefund(tools, order)
  const seen = `the order was paid by the payment ${order.payId}, and the app requested a refund of ${wrong}`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

/** A paid order is placed again for a higher price, as from an old tab, and then refunded. */
export async function refundChangedOrder(tools: CaseTools): Promise<void> {
  const order = await paidOrder(tools)
  await tools.orders.again(order, order.amount + MORE)
  await tools.waitForOtherOrder()
  if (!(await tools.read(order)).paid)
    throw new NotPossibleError('an order that is placed again for another price is no longer the paid one')
  // The service refuses a refund that is higher than the payment, and the app may answer that it has failed.
  await tools.tryRefund(order)
  await expectRefund(tools, order)
  const wrong = (await tools.refundsOf(order)).find(({ amount }) => amount !== order.amount)
  if (wrong === undefined) return
  const seen = `the order was paid with ${formatAmount(order.amount)}, and then placed again for ${formatAmount(order.amount + MORE)}. A refund of ${asked(wrong.amount)} was requested`
  throw new CaseFailure({ problem: 'refund-amount', seen }, order)
}

/** Someone clicks the refund button before the order is paid. Then the customer pays. */
export async function refundUnpaid(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  await tools.tryRefund(order)
  await tools.waitForOtherOrder()
  await tools.post(order)
  await tools.expectPaid(order)
  // The service does not know this payment, and refuses the refund. At its end, the check looks whether the app continues to call.
  await tools.tryRefund(order)
}

/** One of two links is paid and refunded, and then the other one is paid. */
export async function payAfterRefund(tools: CaseTools): Promise<void> {
  const { older, newer } = await orderTwice(tools)
  await payAtSandbox(tools, newer)
  await tools.requestRefund(newer)
  await expectRefund(tools, newer)
  await tools.waitForOtherOrder()
  await cancelOlder(tools, older, newer)
  const before = await tools.read(newer)
  await tools.post(older)
  await tools.waitForOtherOrder()
  const isKept = await tools.waitUntil(async () => {
    const now = await tools.read(newer)
    return hasReceivedMore(before, now) || now.paid || (await tools.isRefunded(older))
  })
  await tools.waitForOtherOrder()
  await tools.expectPossibleRefund([older])
  if (isKept) return
  if ('received' in before) {
    const seen =
      'the order was refunded and paid again, and the app neither paid the order, nor requested a refund, nor received more'
    throw new CaseFailure({ problem: 'payment-forgotten', seen }, newer)
  }
  throw secondPaymentUnseen()
}

/** A late cancel of the older link must not change an order whose newer link was paid and refunded. */
async function cancelOlder(tools: CaseTools, older: CheckedOrder, newer: CheckedOrder): Promise<void> {
  const before = await tools.read(newer)
  await tools.post(older, { status: 'cancel' })
  await tools.waitForOtherOrder()
  const after = await tools.read(newer)
  const { cancelledValue } = tools.context.options
  if (after.value === before.value || after.value !== cancelledValue) return
  const seen = `the newer link of an order was paid and refunded, and after a late cancel of the older one the state of the order is ${JSON.stringify(after.value)}, not ${JSON.stringify(before.value)}`
  throw new CaseFailure({ problem: 'changed-after-refund', seen }, newer)
}

/** Webhooks that must not pay, each with a different pay_id or amount. */
const FORGERIES: readonly WebhookVariant[] = [
  { amount: 'forged' },
  { payId: 'unknown', user: 'forged' },
  { payId: 'unknown', amount: 'cent-less' },
]

/** After the payment, sends webhooks that must not pay. The refund must still have the pay_id and the amount of the payment. */
export async function refundAfterForgeries(tools: CaseTools): Promise<void> {
  const order = await paidOrder(tools)
  const since = await tools.now()
  for (const forgery of FORGERIES) await tools.post(order, forgery, 'tolerated')
  await tools.waitForOtherOrder()
  // The service may refuse the call, and the app may answer with an error.
  await tools.tryRefund(order)
  const hasCalled = await tools.waitForRefund(order)
  const calls = hasCalled
    ? await tools.refundsOf(order)
    : (await tools.sandbox.refundCalls(since, order.accountId)).filter(
        ({ payId }) => payId === unknownPayIdOf(order),
      )
  const [call] = calls
  if (call === undefined) return expectRefund(tools, order)
  if (hasCalled && call.amount === order.amount) return
  const what = hasCalled
    ? `the amount ${asked(call.amount)} instead of ${formatAmount(order.amount)}`
    : `the payment ${call.payId} instead of ${order.payId}`
  const seen = `forged webhooks came after the payment, and then the app requested a refund of ${what}`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

/** If an app fulfills later, it must check again whether the order is still paid. A refund of a part must not stop the parcel. */
export async function refundBeforeFulfillment(tools: CaseTools): Promise<void> {
  await Promise.all([refundAllBefore(tools), canRefundParts(tools) && refundPartBefore(tools)])
}

/** Refunds a part of an order before it is fulfilled. Another order shows how long the fulfillment takes. */
async function refundPartBefore(tools: CaseTools): Promise<void> {
  const [order, other] = [await paidSoon(tools), await paidSoon(tools)]
  if (!areZero(await tools.read(order))) return
  await tools.tryRefund(order, PART)
  if (!(await tools.waitForRefund(order)) || !areZero(await tools.read(order))) return
  if (!isFulfilled(await tools.waitForState(other, isFulfilled))) return
  await tools.waitForOtherOrder()
  if (isFulfilled(await tools.waitForState(order, isFulfilled, SETTLING_MS))) return
  const seen = `the order was paid, and ${formatAmount(PART)} of it refunded before it was fulfilled. It is not fulfilled`
  throw new CaseFailure({ problem: 'not-fulfilled', seen }, order)
}

/** Pays an order at the sandbox. It may be fulfilled only later. */
async function paidSoon(tools: CaseTools): Promise<CheckedOrder> {
  const order = await tools.make()
  needTargets(order)
  await tools.sandbox.pay(order)
  await tools.waitForState(order, ({ paid }) => paid)
  return order
}

async function refundAllBefore(tools: CaseTools): Promise<void> {
  const order = await paidSoon(tools)
  const paid = await tools.read(order)
  if (paid.counts.length === 0)
    throw new NotPossibleError('how often an order is fulfilled is not known: pass --count-pointer', 'option')
  // If an app fulfills at once, a refund cannot come in between.
  if (!paid.paid || !areZero(paid)) return
  await tools.requestRefund(order)
  if (!(await tools.waitForRefund(order)))
    throw new NotPossibleError('the app requested no refund before it fulfilled the order')
  if (!areZero(await tools.read(order))) return
  await tools.waitForOtherOrder()
  const after = await tools.read(order)
  // A refund itself may raise a count, such as the number of emails.
  if (!isFulfilled(after)) return
  const seen = 'the order was paid, and refunded before it was fulfilled. Later it was fulfilled all the same'
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

const areZero = ({ counts }: ReadState): boolean => counts.every(({ value }) => value === 0)

/**
 * Someone clicks the refund button just when the webhook of the payment is sent again, or a late cancel. The order must be refunded afterwards.
 */
async function repeatDuringRefund(tools: CaseTools, refunded: CheckedOrder, paid: ReadState): Promise<void> {
  const orders = await Promise.all(PAUSES_MS.map(() => paidOrder(tools)))
  await Promise.all(
    orders.map((order, index) =>
      Promise.all([
        tools.post(order, index % 2 === 0 ? {} : { status: 'cancel' }),
        pause(PAUSES_MS[index]).then(() => tools.tryRefund(order)),
      ]),
    ),
  )
  await Promise.all(orders.map((order) => tools.waitForRefund(order)))
  await tools.waitForOtherOrder()
  const shown = await tools.waitForState(refunded, ({ value }) => value !== paid.value, SETTLING_MS)
  // The app may not show refunds.
  if (shown.value === paid.value) return
  for (const order of orders) {
    const calls = await tools.refundsOf(order)
    if (!calls.some(({ isAccepted }) => isAccepted)) continue
    // Reads both, because an app may give an order a temporary state while a refund is underway.
    const read = (): Promise<ReadState[]> => Promise.all([tools.read(order), tools.read(refunded)])
    const isSame = await tools.waitUntil(async () => {
      const [now, wanted] = await read()
      return now!.value === wanted!.value
    })
    if (isSame) continue
    const [now, wanted] = await read()
    const seen = `a late webhook came during a refund, and the order is ${now!.value ?? 'unnamed'}, not ${wanted!.value ?? 'unnamed'}`
    throw new CaseFailure({ problem: 'changed-after-refund', seen }, order)
  }
}

/** After a refund, the webhook of the payment is sent again. The app must not request another refund. */
export async function repeatAfterRefund(tools: CaseTools): Promise<void> {
  const order = await paidOrder(tools)
  const paid = await tools.read(order)
  await tools.requestRefund(order)
  await expectRefund(tools, order)
  await tools.waitForOtherOrder()
  await tools.post(order)
  await tools.post(order, { extraFields: true })
  await tools.waitForOtherOrder()
  await repeatDuringRefund(tools, order, paid)
  const calls = await tools.refundsOf(order)
  if (calls.length <= 1) return
  const seen = `the app called refundPayment ${calls.length} times for one refund, after the webhook of the payment came again`
  throw new CaseFailure({ problem: 'refund-repeated', seen }, order)
}

/** The times between a webhook and the request of its refund, in milliseconds. A busy app may get the webhook later. */
const PAUSES_MS = [0, 0, 5, 5, 10, 10, 20, 20, 50, 50, 100, 100, 200, 200, 400, 400]
