import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import { CaseFailure, type CaseTools, NotPossible } from './case-tools.ts'

/** A customer cancels, and orders the same again. Returns both links of the order. */
async function orderTwice(tools: CaseTools): Promise<{ older: CheckedOrder; newer: CheckedOrder }> {
  const older = await tools.make()
  await tools.post(older, { status: 'cancel' })
  const newer = await tools.orders.again(older)
  if (newer === undefined) {
    throw new NotPossible('the app gave no second link to a customer who had cancelled and ordered again')
  }
  return { older, newer }
}

/** Pays the newer of two links. Then the cancel of the older one comes again, late. */
export async function cancelOlderLink(tools: CaseTools): Promise<void> {
  const { older, newer } = await orderTwice(tools)
  const since = await tools.now()
  await tools.post(newer)
  await tools.expectPaid(newer, since)
  await tools.post(older, { status: 'cancel' })
  await tools.waitForOtherOrder()
  await tools.expectNow(newer, 'paid-once', true)
}

/** Pays the older of two links, such as by a bank transfer that takes days. */
export async function payOlderLink(tools: CaseTools): Promise<void> {
  const { older } = await orderTwice(tools)
  await tools.post(older)
  await tools.expectPaid(older, 0)
}

/** The cancel of the older link comes again before the newer one is paid. */
export async function payNewerLink(tools: CaseTools): Promise<void> {
  const { older, newer } = await orderTwice(tools)
  await tools.post(older, { status: 'cancel' })
  const since = await tools.now()
  await tools.post(newer)
  await tools.expectPaid(newer, since)
}

/** Pays both links. The order is fulfilled once, and the app refunds the second payment, or notes that it has received it. */
export async function payBothLinks(tools: CaseTools): Promise<void> {
  const { older, newer } = await orderTwice(tools)
  const since = await tools.now()
  await tools.post(newer)
  await tools.expectPaid(newer, since)
  const first = await tools.read(newer)
  await tools.post(older)
  await tools.waitForOtherOrder()
  const isRefunded = async (): Promise<boolean> =>
    (await tools.isRefunded(older, since)) || (await tools.isRefunded(newer, since))
  const isNoted = async (): Promise<boolean> => {
    const state = await tools.read(newer)
    return 'received' in state && 'received' in first && (state.received ?? 0) > (first.received ?? 0)
  }
  const receivedIsKnown = 'received' in first
  const isKept = await tools.waitUntil(
    async () => (await isRefunded()) || (receivedIsKnown && (await isNoted())),
  )
  if (!isKept && !receivedIsKnown) {
    throw new NotPossible(
      'the app requested no refund of the second payment, and where it notes it is not known: pass --received-pointer',
      'option',
    )
  }
  if (!isKept) {
    const seen = 'the order was paid twice, and the app neither requested a refund nor received more'
    throw new CaseFailure({ problem: 'payment-forgotten', seen }, newer)
  }
  const refunds = await tools.sandbox.refundCalls(since, newer.accountId)
  const payments = [older.payId, newer.payId]
  if (payments.every((payId) => refunds.some((refund) => refund.payId === payId))) {
    const seen = 'the order was paid twice, and the app requested refunds of both payments'
    throw new CaseFailure({ problem: 'wrong-refund', seen }, newer)
  }
  await tools.expectNow(newer, 'paid-once', true)
}

/** Two orders have the same note, and one of them is paid. */
export async function shareNote(tools: CaseTools): Promise<void> {
  const { stateUrl = '' } = tools.context.options
  if (stateUrl.includes('{note}')) {
    throw new NotPossible('--state-url finds orders by their note, and two orders would share one', 'option')
  }
  const wanted = { wantedOrder: { note: `Roses ${randomUUID().slice(0, 8)}` }, isNoteShared: true } as const
  const first = await tools.make(wanted)
  const second = await tools.make(wanted)
  if (first.id === second.id || first.note !== second.note) {
    throw new NotPossible('the app gives the links of two orders different notes')
  }
  const since = await tools.now()
  await tools.post(second)
  await tools.expectPaid(second, since)
  await tools.expectNow(first, 'unpaid')
}

const PAUSES_MS = [0, 5, 10, 20, 30, 45, 60, 80, 100, 125, 150, 175, 200, 250, 300]

/** The page of return takes a while, and the webhook arrives meanwhile: a bit later for each order. Then the other way round. */
export async function webhookDuringRedirect(tools: CaseTools): Promise<void> {
  const since = await tools.now()
  const browse: Act = (order) => tools.browse(order, 'Success')
  const post: Act = (order) => tools.post(order)
  const orders = [...(await overlap(tools, browse, post)), ...(await overlap(tools, post, browse))]
  await Promise.all(orders.map((order) => tools.expectPaid(order, since)))
  await tools.waitForOtherOrder()
  await Promise.all(orders.map((order) => tools.expectNow(order, 'paid-once', true)))
}

type Act = (order: CheckedOrder) => Promise<unknown>

/** Does two things at nearly the same time, with another pause for each order. Returns the orders. */
const overlap = (tools: CaseTools, first: Act, second: Act): Promise<CheckedOrder[]> =>
  Promise.all(
    PAUSES_MS.map(async (pauseMs) => {
      const order = await tools.make()
      await Promise.all([first(order), pause(pauseMs).then(() => second(order))])
      return order
    }),
  )

/** Loads the page of an open order several times. Nothing must happen at the service. */
export async function reloadPage(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  const since = await tools.now()
  for (let load = 0; load < 3; load += 1) await tools.browse(order, load === 0 ? 'Success' : 'none')
  await tools.waitForOtherOrder()
  const { links } = await tools.sandbox.seenAfter(since, order.accountId)
  const extra = links.filter((link) => !tools.orders.hasPlaced(link))
  if (extra.length === 0) return
  const seen = `three visits of the page of an open order created ${extra.length} further links: ${extra.map(({ id }) => id).join(', ')}`
  throw new CaseFailure({ problem: 'unasked-link', seen }, order)
}

/** A paid order of the app, paid at the sandbox, so that it can be refunded. */
async function paidOrder(tools: CaseTools): Promise<CheckedOrder> {
  const order = await tools.make()
  if (order.targets.length === 0) {
    throw new NotPossible(
      'the sandbox sends no webhook, because the link of the order has no payment_endpoint',
    )
  }
  const since = await tools.now()
  await tools.sandbox.pay(order)
  await tools.expectPaid(order, since)
  return order
}

const refundCallsOf = async ({ sandbox }: CaseTools, { accountId, payId }: CheckedOrder, since: number) =>
  (await sandbox.refundCalls(since, accountId)).filter((call) => call.payId === payId)

/** Somebody clicks twice on the button that refunds an order. */
export async function refundTwice(tools: CaseTools): Promise<void> {
  const order = await paidOrder(tools)
  const since = await tools.now()
  await Promise.all([tools.requestRefund(order), tools.requestRefund(order)])
  await tools.waitUntil(async () => (await refundCallsOf(tools, order, since)).length > 0)
  await tools.waitForOtherOrder()
  const calls = await refundCallsOf(tools, order, since)
  if (calls.length <= 1) return
  const seen = `two clicks on the button that refunds an order called refundPayment ${calls.length} times`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

/** The service refuses a refund. The app must not record it as done. */
export async function refuseRefund(tools: CaseTools): Promise<void> {
  const refunded = await paidOrder(tools)
  const since = await tools.now()
  await tools.requestRefund(refunded)
  await tools.waitUntil(async () => (await refundCallsOf(tools, refunded, since)).length > 0)
  await tools.waitForOtherOrder()
  const order = await paidOrder(tools)
  const before = await tools.read(order)
  const undo = await tools.sandbox.refuseRefund(order.accountId)
  try {
    // The app may tell its staff with an error.
    await tools.requestRefund(order).catch((error: unknown) => {
      if (!(error instanceof CaseFailure)) throw error
    })
    await tools.waitUntil(async () => (await refundCallsOf(tools, order, since)).length > 0)
    await tools.waitForOtherOrder()
  } finally {
    await undo()
  }
  const [done, now] = [await tools.read(refunded), await tools.read(order)]
  if ('unknown' in done || 'unknown' in now || 'unknown' in before) return
  const isBooked = done.value !== before.value && now.value === done.value
  if (!isBooked && (now.refunded ?? 0) === 0) return
  const seen = `the service refused a refund, and the order is ${now.value ?? 'refunded'} as after a good one`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

const PART = 1

/** Refunds one euro of an order. */
export async function refundPart(tools: CaseTools): Promise<void> {
  const whole = await paidOrder(tools)
  const order = await paidOrder(tools)
  const before = await tools.read(order)
  const since = await tools.now()
  await Promise.all([tools.requestRefund(whole), tools.requestRefund(order, PART)])
  await tools.waitUntil(
    async () =>
      (await refundCallsOf(tools, order, since)).length > 0 &&
      (await refundCallsOf(tools, whole, since)).length > 0,
  )
  await tools.waitForOtherOrder()
  const [call] = await refundCallsOf(tools, order, since)
  if (call === undefined) {
    throw new CaseFailure(
      { problem: 'no-refund', seen: `the app requested no refund of ${PART} euro` },
      order,
    )
  }
  if (call.amount !== PART) {
    const seen = `a refund of ${PART} of ${order.amount} was asked for, and the app requested ${call.amount}`
    throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
  }
  const [all, part] = [await tools.read(whole), await tools.read(order)]
  if ('unknown' in all || 'unknown' in part || 'unknown' in before) return
  if (part.value !== before.value && part.value === all.value) {
    const seen = `a refund of ${PART} of ${order.amount} gives the order the state ${JSON.stringify(part.value)}, as a full refund does`
    throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
  }
  if (part.refunded === undefined || part.refunded === PART) return
  const seen = `a refund of ${PART} of ${order.amount} is recorded as ${part.refunded}`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

/** After a refund, the Success comes again. The app must not request another refund. */
export async function repeatAfterRefund(tools: CaseTools): Promise<void> {
  const order = await paidOrder(tools)
  const since = await tools.now()
  await tools.requestRefund(order)
  await tools.waitUntil(async () => (await refundCallsOf(tools, order, since)).length > 0)
  await tools.waitForOtherOrder()
  await tools.post(order)
  await tools.post(order, { extraFields: true })
  await tools.waitForOtherOrder()
  const calls = await refundCallsOf(tools, order, since)
  if (calls.length <= 1) return
  const seen = `the app called refundPayment ${calls.length} times for one refund, after the Success came again`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}

/** A cancel gives the order the state that the owner calls cancelled. */
export async function cancelOrder(tools: CaseTools): Promise<void> {
  const { cancelledValue } = tools.context.options
  if (cancelledValue === undefined) {
    throw new NotPossible('the state of a cancelled order is not known: pass --cancelled-value', 'option')
  }
  const order = await tools.make()
  await tools.post(order, { status: 'cancel' })
  const seen = await tools.needWatch().waitUntil(order, ({ value }) => value === cancelledValue)
  if ('unknown' in seen || seen.value === cancelledValue) return
  throw new CaseFailure(
    {
      problem: 'not-cancelled',
      seen: `after a cancel the state of the order is ${JSON.stringify(seen.value ?? 'unknown')}, not ${JSON.stringify(cancelledValue)}`,
    },
    order,
  )
}

/** A cancel comes twice, and the customer returns in between. What it does must happen once. */
export async function cancelTwice(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  await tools.post(order, { status: 'cancel' })
  await tools.waitForOtherOrder()
  const once = await tools.read(order)
  await tools.browse(order, 'cancel')
  await tools.post(order, { status: 'cancel' })
  await tools.waitForOtherOrder()
  await tools.expectNow(order, 'unpaid')
  const twice = await tools.read(order)
  if ('unknown' in once || 'unknown' in twice) return
  const [changed] = twice.counts.filter(({ value }, index) => value !== once.counts[index]?.value)
  if (changed === undefined) return
  const before = once.counts.find(({ name }) => name === changed.name)?.value ?? 0
  const seen = `${changed.name} changed by ${before} after a cancel, and by ${changed.value} after the same cancel again`
  throw new CaseFailure({ problem: 'changed-after-cancel', seen }, order)
}
