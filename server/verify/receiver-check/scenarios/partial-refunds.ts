import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { CaseFailure } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { checkChange } from '../../app/state/check-answer-and-order.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { paidOrder, payAtSandbox, raisedCount } from './paid-orders.ts'
import { isRecordOf } from '../../app/state/read-money.ts'
import type { ReadState } from '../../app/state/read-order-state.ts'
import { asked } from '../../app/run/sandbox-port.ts'
import { SETTLING_MS } from '../../app/run/time-limit.ts'
import { cancelAndOrderAgain, orderForMore } from './two-links.ts'

/** Floating-point arithmetic makes this amount inexact: 1.15 * 100 is 114.99999999999999. */
export const PART = 1.15

export const canRefundParts = ({ context: { options } }: CaseTools): boolean =>
  options.refundUrl?.includes('{refundAmount}') === true

/** Refunds a part of an order, nothing of another one, and a part of one whose other link is paid afterwards. */
export async function refundPart(tools: CaseTools): Promise<void> {
  await Promise.all([refundOnePart(tools), refundNothing(tools), payOtherLink(tools), refundPartOfTwo(tools)])
}

/** Asks for a refund of 0. The app must refuse it, or leave this to the service. */
async function refundNothing(tools: CaseTools): Promise<void> {
  const order = await paidOrder(tools)
  await tools.tryRefund(order, 0)
  await tools.waitForOtherOrder()
  const call = (await tools.refundsOf(order)).find(({ isAccepted }) => isAccepted)
  if (call === undefined) return
  const seen = `a refund of 0 was asked for, and the app requested ${asked(call.amount)}`
  throw new CaseFailure({ problem: 'unasked-refund', seen }, order)
}

/** The states of an order of which a part was refunded, and of another one that was refunded completely at the same time. */
interface Refunded {
  readonly part: ReadState
  readonly all: ReadState
}

async function refundOnePart(tools: CaseTools): Promise<void> {
  const whole = await paidOrder(tools)
  const order = await paidOrder(tools)
  const before = await tools.read(order)
  await requestBoth(tools, order, whole)
  const refunded = await readBoth(tools, order, whole, before)
  await expectUnchanged(tools, order, refunded)
  await expectNoSecondRefund(tools, order, refunded)
}

/** Of an order with two links, the newer one is paid, and a part of it refunded. Then the older one is paid, which must not fulfill the order again. */
async function payOtherLink(tools: CaseTools): Promise<void> {
  if (!tools.orders.canOrderAgain) return
  const { older, newer } = await cancelAndOrderAgain(tools)
  if (newer instanceof NotPossibleError) return
  await payAtSandbox(tools, newer)
  await tools.tryRefund(newer, PART)
  await tools.waitForRefund(newer)
  await tools.waitForOtherOrder()
  const before = await tools.read(newer)
  await tools.pay(older)
  await tools.waitForOtherOrder()
  const again = raisedCount(before, await tools.read(newer))
  if (!before.paid || again === undefined) return
  const seen = `${refundOf(newer)} was requested, and then the older link of the order was paid. ${again.name} is ${again.value} now`
  throw new CaseFailure({ problem: 'fulfilled-again', seen }, newer)
}

/** Both links of an order are paid, and a part of the order is refunded. If the app keeps both payments, only one of them may be refunded. */
async function refundPartOfTwo(tools: CaseTools): Promise<void> {
  const links = await orderForMore(tools)
  if (links === undefined || links.older.targets.length === 0) return
  const { older, newer } = links
  await payAtSandbox(tools, newer)
  await tools.sandbox.pay(older)
  await tools.waitForOtherOrder()
  await tools.tryRefund(newer, PART)
  await tools.waitForRefund(newer)
  await tools.waitForOtherOrder()
  const ofPart = async (link: CheckedOrder): Promise<boolean> =>
    (await tools.refundsOf(link)).some(({ amount }) => amount === PART)
  if (!(await ofPart(newer)) || !(await ofPart(older))) return
  const seen = `the order was paid twice, ${refundOf(newer)} was asked for, and the app requested it for both payments`
  throw new CaseFailure({ problem: 'refund-repeated', seen }, newer)
}

const refundOf = ({ amount }: CheckedOrder): string =>
  `a refund of ${formatAmount(PART)} of ${formatAmount(amount)}`

async function requestBoth(tools: CaseTools, order: CheckedOrder, whole: CheckedOrder): Promise<void> {
  await Promise.all([tools.requestRefund(whole), tools.requestRefund(order, PART)])
  await Promise.all([tools.waitForRefund(order), tools.waitForRefund(whole)])
  await tools.waitForOtherOrder()
  const [call] = await tools.refundsOf(order)
  if (call === undefined) {
    const seen = `the app requested no refund of ${formatAmount(PART)}`
    throw new CaseFailure({ problem: 'no-refund', seen }, order)
  }
  if (call.amount === PART) return
  const seen = `${refundOf(order)} was asked for, while another order was refunded completely, and the app requested ${asked(call.amount)}`
  throw new CaseFailure({ problem: 'refund-amount', seen }, order)
}

/** Throws if the refund of a part is recorded as that of the whole order, or with another amount. */
async function readBoth(
  tools: CaseTools,
  order: CheckedOrder,
  whole: CheckedOrder,
  before: ReadState,
): Promise<Refunded> {
  // If the whole order costs 115 euros, its amount must not be mistaken for the part in cents.
  const isPart = (recorded: number): boolean => isRecordOf(PART, recorded) && recorded !== order.amount
  let all = await tools.waitForState(whole, ({ value }) => value !== before.value)
  let part = await tools.waitForState(
    order,
    ({ value, refunded }) => (refunded === undefined ? value !== before.value : isPart(refunded)),
    'refunded' in before ? undefined : SETTLING_MS,
  )
  // An app may count an order as paid whose refund is only requested.
  const isAlike = (): boolean =>
    part.value !== before.value && part.value === all.value && !(part.paid && 'refunded' in part)
  if (isAlike()) {
    // An app may give an order a temporary state while a refund is underway, and the final state only later.
    all = await tools.waitForState(whole, ({ value }) => value !== part.value, SETTLING_MS)
    part = await tools.waitForState(order, ({ value }) => value === all.value, SETTLING_MS)
  }
  if (isAlike()) {
    const seen = `${refundOf(order)} gives the order the state ${JSON.stringify(part.value)}, as a full refund does`
    throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
  }
  if (part.refunded !== undefined && !isPart(part.refunded)) {
    const seen = `${refundOf(order)} is recorded as ${part.refunded}`
    throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
  }
  return { part, all }
}

/** Sends the webhook of the payment again, and a late cancel, and orders the same again. The order must stay as it is after each. */
async function expectUnchanged(tools: CaseTools, order: CheckedOrder, { part }: Refunded): Promise<void> {
  const events: Readonly<Record<string, () => Promise<unknown>>> = {
    'the webhook of the payment came again': () => tools.post(order),
    'a late cancel': () => tools.post(order, { status: 'cancel' }),
    'the customer ordered the same again': async () =>
      tools.orders.canOrderAgain && tools.orders.linkOfAgain(order),
  }
  for (const [event, happen] of Object.entries(events)) {
    await happen()
    await tools.waitForOtherOrder()
    const after = await tools.read(order)
    const changed = checkChange(part, after, tools.needWatch().source(order))
    if (changed !== undefined)
      throw new CaseFailure({ ...changed, seen: `after ${event}, ${changed.seen}` }, order)
    if (after.refunded === part.refunded) continue
    const seen = `${refundOf(order)} is recorded as ${after.refunded} after ${event}`
    throw new CaseFailure(
      { problem: 'wrong-refund', seen, ...(event === 'a late cancel' ? { fact: CANCEL_CHANGES } : {}) },
      order,
    )
  }
}

const CANCEL_CHANGES: Fact = {
  title: 'A late cancel changes what is recorded for a paid order',
  remedy: 'If the order is paid, ignore the cancel. Its payment and its refund stay as they are.',
}

/** Asks for the refund of the whole order, which the service refuses. The app must not record it. */
async function expectNoSecondRefund(
  tools: CaseTools,
  order: CheckedOrder,
  { part, all }: Refunded,
): Promise<void> {
  await tools.tryRefund(order)
  await tools.waitForOtherOrder()
  const last = await tools.read(order)
  const accepted = (await tools.refundsOf(order)).filter(({ isAccepted }) => isAccepted)
  if (accepted.length > 1) return
  const isBooked = last.refunded !== part.refunded || (last.value === all.value && all.value !== part.value)
  if (!isBooked) return
  const booked = last.refunded === undefined ? JSON.stringify(last.value) : `refunded by ${last.refunded}`
  const seen = `after ${refundOf(order)}, the service refused a second refund, and the order is ${booked}`
  throw new CaseFailure({ problem: 'wrong-refund', seen }, order)
}
