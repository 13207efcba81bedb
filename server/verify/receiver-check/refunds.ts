import type { CheckedOrder } from '../../contract/checks/check.ts'
import { CaseFailure, type CaseTools, NotPossible } from './case-tools.ts'

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
