import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import type { AppProcess } from '../app-process.ts'
import { CaseFailure, checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { isBusy } from '../../app/state/check-answer-and-order.ts'
import { expectNoted } from './failed-refunds.ts'
import { returnPageOf } from '../../app/orders/open-page.ts'
import type { ReadState } from '../../app/state/read-order-state.ts'
import { checkUnlessRefunded, isFulfilled, isNoted, raisedCount } from './paid-orders.ts'
import { canRefundParts, PART } from './partial-refunds.ts'
import { asked } from '../../app/run/sandbox-port.ts'
import { RESTART_PATIENCE, SETTLING_MS } from '../../app/run/time-limit.ts'
import { hasReceivedMore } from './two-links.ts'
import { unknownPayIdOf } from '../../app/webhooks/write-webhook.ts'

/** How many orders of earlier cases are read after a restart. */
const MAX_EARLIER = 15

/**
 * Kills the app while it handles payments and a refund, and starts it. The orders of earlier cases must be as before, and stay so when their
 * webhooks come again. Then kills it once more while it creates a link.
 */
export async function restart(tools: CaseTools): Promise<void> {
  const { app, paidBefore, remembered } = tools.context
  if (app === undefined) return
  const placed = await tools.make()
  const page = await openReturnPage(tools, placed)
  const [refunded, cancelled, paidTwice] = await Promise.all([
    refundOne(tools),
    cancelOne(tools),
    payOneTwice(tools),
  ])
  const refundUnderway = await startRefund(tools)
  const paid = await killDuringPayments(tools, app)
  const earlier = remembered.filter(({ isPaidOnce: isOne }) => isOne).slice(0, MAX_EARLIER)
  const orders = [...(paidBefore ? [paidBefore] : []), ...earlier.map(({ order }) => order)]
  const expectUnchanged = (): Promise<unknown> =>
    Promise.all(
      orders.map(async (order) => {
        await checkUnlessRefunded(tools, order, async () => {
          await tools.expectPaid(order, true)
          await tools.expectNow(order, 'paid-once', true)
        })
        await tools.expectNoRefund(order)
      }),
    )
  await checkWith('after an order was paid, and the app was killed and started again', async () => {
    await expectUnchanged()
    await Promise.all(orders.map((order) => tools.post(order)))
  })
  await tools.waitForOtherOrder()
  // An app may request a refund a moment later.
  const { accountId } = placed
  await tools.waitUntil(async () => {
    const calls = await tools.sandbox.refundCalls(tools.context.startSeq, accountId)
    return calls.some(({ payId }) => orders.some((order) => order.payId === payId))
  }, SETTLING_MS)
  await checkWith(
    'after the app was killed and started again, and the webhook of an order came again',
    async () => void (await expectUnchanged()),
  )
  if (refunded !== undefined) await expectStillRefunded(tools, refunded)
  if (cancelled !== undefined) await expectStillCancelled(tools, cancelled)
  if (paidTwice !== undefined) await expectStillPaidTwice(tools, paidTwice)
  await expectPage(tools, placed, page)
  await payPlacedBefore(tools, placed)
  await expectPayments(tools, paid)
  if (refundUnderway !== undefined) await finishRefund(tools, refundUnderway)
  await killDuringOrder(tools, app, placed)
  await killAfterSecondPayment(tools, app)
}

/** The status of the return page of an order. 0 if it cannot be opened. */
const openReturnPage = async (tools: CaseTools, order: CheckedOrder): Promise<number> =>
  tools.browse(order, 'none').then(
    ({ status }) => status,
    () => 0,
  )

/** Throws if the app no longer finds the return page of an order. */
async function expectPage(tools: CaseTools, order: CheckedOrder, before: number): Promise<void> {
  if (before === 0 || before >= 400) return
  const status = await openReturnPage(tools, order)
  if (status !== 404 && status !== 410) return
  const seen = `the return page of an order answered ${before}, and ${status} after the app was killed and started again: ${returnPageOf(order)}`
  throw new CaseFailure({ problem: 'page-fails', seen }, order)
}

async function payPlacedBefore(tools: CaseTools, order: CheckedOrder): Promise<void> {
  try {
    await tools.post(order)
    await tools.expectPaid(order)
  } catch (error) {
    if (!(error instanceof CaseFailure) || error.seenProblem.isLate) throw error
    // An app that is busy still has the order, for example with a lock that expires later.
    const problem =
      error.probe !== undefined && isBusy(error.probe) ? error.seenProblem.problem : 'order-lost'
    const seen = `a customer ordered right before the app was killed and started again, and paid afterwards: ${error.seenProblem.seen}`
    throw new CaseFailure({ ...error.seenProblem, problem, seen }, order, error.probe)
  }
}

/** Kills the app while it creates a link, and starts it. Then the customer orders the same again. */
async function killDuringOrder(tools: CaseTools, app: AppProcess, other: CheckedOrder): Promise<void> {
  const patienceMs = tools.context.patience.fullMs * RESTART_PATIENCE
  if (!tools.orders.canOrderAgain) return
  const refusal = await tools.orders.interruptOrder(tools.name, () => app.restart(), patienceMs)
  if (refusal === undefined) return
  const seen = `the app was killed while it created a link, and started again. The customer ordered the same again for ${patienceMs / 1000} s, and got no link: ${refusal}. The check waited no longer`
  throw new CaseFailure({ problem: 'order-refused', seen }, other)
}

/** Kills the app right after its answer to a second payment. It must still send this payment back, if it does so by itself at other times. */
async function killAfterSecondPayment(tools: CaseTools, app: AppProcess): Promise<void> {
  const patienceMs = tools.context.patience.fullMs * RESTART_PATIENCE
  const payTwice = async (): Promise<CheckedOrder> => {
    const order = await tools.make()
    await tools.post(order)
    await tools.expectPaid(order)
    await tools.post(order, { payId: 'unknown' }, 'tolerated')
    return order
  }
  const waitForReturn = (order: CheckedOrder): Promise<boolean> =>
    tools.waitUntil(async () => {
      const calls = await Promise.all(
        [order.payId, unknownPayIdOf(order)].map((payId) => tools.refundsOf({ ...order, payId })),
      )
      return calls.flat().length > 0
    })
  if (!tools.orders.appMakesOrders || !(await waitForReturn(await payTwice()))) return
  const order = await payTwice()
  await app.restart()
  for (let waits = 0; waits < RESTART_PATIENCE; waits += 1) if (await waitForReturn(order)) return
  const seen = `an order was paid twice, and the app was killed right after its answer to the second payment, and started again. It requested no refund within ${patienceMs / 1000} s, and it had requested one for another order that was paid twice`
  throw new CaseFailure({ problem: 'payment-forgotten', seen }, order)
}

/**
 * How long before the last webhook the app gets the others, in milliseconds. It is killed as soon as it has answered the last one, so the
 * kill meets each payment at a different moment, and at least one right after its answer.
 */
const BEFORE_LAST_MS = [100, 80, 60, 40, 30, 20, 15, 10, 5, 2, 0]
/** How long the app may take for the answer to the last webhook before it is killed. */
const MAX_ANSWER_MS = 100

/** Sends webhooks until the app is killed, and starts it. Returns the orders whose webhook the app has accepted. */
async function killDuringPayments(tools: CaseTools, app: AppProcess): Promise<readonly CheckedOrder[]> {
  const orders = await Promise.all(BEFORE_LAST_MS.map(() => tools.make()))
  const answers = orders.map(async (order, index) => {
    await pause(BEFORE_LAST_MS[0]! - BEFORE_LAST_MS[index]!)
    return tools.tryPost(order)
  })
  await Promise.race([answers.at(-1), pause(BEFORE_LAST_MS[0]! + MAX_ANSWER_MS)])
  await app.restart()
  const accepted = await Promise.all(answers)
  return orders.filter((_order, index) => accepted[index])
}

/** Throws if a payment is lost that the app had accepted before it was killed. A job that was begun may be done only after a while. */
async function expectPayments(tools: CaseTools, orders: readonly CheckedOrder[]): Promise<void> {
  const patienceMs = tools.context.patience.fullMs * RESTART_PATIENCE
  await checkWith(
    'after the app accepted a webhook, was killed some milliseconds later, and started again',
    async () => void (await Promise.all(orders.map((order) => tools.expectPaid(order, false, patienceMs)))),
  )
}

interface RefundUnderway {
  readonly order: CheckedOrder
  readonly euros: number
  readonly before: ReadState
  readonly calls: number
}

/** Long enough for the kill to come before the answer of the service. */
const ANSWER_AFTER_MS = 3_000

/** A paid order that the app can refund. `undefined` if it cannot. */
async function makeRefundable(
  tools: CaseTools,
  isReady?: (state: ReadState) => boolean,
): Promise<CheckedOrder | undefined> {
  if (tools.context.options.refundUrl === undefined || !tools.orders.appMakesOrders) return undefined
  const order = await tools.make()
  if (!(await tools.canPayAtSandbox(order))) return undefined
  await tools.sandbox.pay(order)
  if (isReady === undefined) await tools.expectPaid(order)
  else await tools.waitForState(order, isReady)
  return order
}

/** Starts a refund whose answer comes late, so that it is underway when the app is killed. `undefined` if the app starts none. */
async function startRefund(tools: CaseTools): Promise<RefundUnderway | undefined> {
  const order = await makeRefundable(tools)
  if (order === undefined) return undefined
  const before = await tools.read(order)
  const euros = canRefundParts(tools) ? PART : order.amount
  const undo = await tools.sandbox.delayAnswer(order.accountId, ANSWER_AFTER_MS, 'refundPayment')
  try {
    const click = tools.tryRefund(order, euros)
    if (await tools.waitForRefund(order)) {
      // The kill breaks the connection of the click.
      void click.catch(() => undefined)
      return { order, euros, before, calls: (await tools.refundsOf(order)).length }
    }
    await click
    return undefined
  } finally {
    await undo()
  }
}

const CENTS = 100

/** Clicks on the refund button again after the app was killed during the refund, and started again. The app must call the service again, or show that the refund may be underway. */
async function finishRefund(
  tools: CaseTools,
  { order, euros, before, calls: callsBefore }: RefundUnderway,
): Promise<void> {
  const patienceMs = tools.context.patience.fullMs * RESTART_PATIENCE
  const end = performance.now() + patienceMs
  const isKnown = async (): Promise<boolean> =>
    (await tools.refundsOf(order)).length > callsBefore || isNoted(before, await tools.read(order))
  let isDone = false
  do {
    await tools.tryRefund(order, euros)
    isDone = await tools.waitUntil(isKnown)
  } while (!isDone && performance.now() < end)
  const what = `the app was killed while it requested a refund of ${formatAmount(euros)} of ${formatAmount(order.amount)}, and started again`
  const isRight = (amount: number): boolean => Math.round(amount * CENTS) === Math.round(euros * CENTS)
  const wrong = (await tools.refundsOf(order)).find(({ amount }) => !isRight(amount))
  if (wrong !== undefined) {
    const seen = `${what}. It requested ${asked(wrong.amount)}`
    throw new CaseFailure({ problem: 'refund-amount', seen }, order)
  }
  if (isDone) return expectNoted(tools, order, before, `${what}. The service has accepted the refund`, euros)
  const seen = `${what}. For ${patienceMs / 1000} s, further clicks on the refund button made no call, and the order is as before the refund`
  throw new CaseFailure({ problem: 'refund-forgotten', seen }, order)
}

/** An order in a state that it must keep. */
interface StillOrder {
  readonly order: CheckedOrder
  readonly before: ReadState
}

/** Refunds an order right after its payment. `undefined` if the app cannot refund it, or if the order still counts as paid afterwards. */
async function refundOne(tools: CaseTools): Promise<StillOrder | undefined> {
  const started = performance.now()
  const order = await makeRefundable(tools, ({ paid }) => paid)
  if (order === undefined) return undefined
  await tools.tryRefund(order)
  const { paid } = await tools.waitForState(order, (state) => !state.paid, SETTLING_MS)
  if (paid) return undefined
  if (isFulfilled(await tools.read(order))) return { order, before: await tools.read(order) }
  // An app that fulfills later may still send its email. Another order shows how long it takes.
  await makeRefundable(tools)
  return { order, before: await tools.waitForState(order, isFulfilled, performance.now() - started) }
}

/** Throws if an order that was refunded before the kill counts as paid again, or is fulfilled. */
async function expectStillRefunded(tools: CaseTools, { order, before }: StillOrder): Promise<void> {
  const now = await tools.read(order)
  if (!now.paid && raisedCount(before, now) === undefined) return
  const seen = `an order was paid and refunded before the app was killed and started again, and now it is ${now.paid ? 'paid' : 'fulfilled'}`
  throw new CaseFailure({ problem: now.paid ? 'changed-after-refund' : 'wrong-refund', seen }, order)
}

/** Cancels an order. `before` is its state before the cancel. `undefined` if a cancel does not change the state. */
async function cancelOne(tools: CaseTools): Promise<StillOrder | undefined> {
  const order = await tools.make()
  const before = await tools.read(order)
  await tools.post(order, { status: 'cancel' }, 'tolerated')
  const { value } = await tools.waitForState(order, (state) => state.value !== before.value, SETTLING_MS)
  return value === before.value ? undefined : { order, before }
}

/** Throws if an order that was cancelled before the kill has the state again that it had before the cancel. */
async function expectStillCancelled(tools: CaseTools, { order, before }: StillOrder): Promise<void> {
  const { value } = await tools.read(order)
  if (value !== before.value) return
  const seen = `an order was cancelled before the app was killed and started again, and now it is ${JSON.stringify(value)} again`
  throw new CaseFailure({ problem: 'not-cancelled', seen }, order)
}

/** Pays an order twice. `undefined` if the app does not record both payments, or sends one back. */
async function payOneTwice(tools: CaseTools): Promise<StillOrder | undefined> {
  const order = await tools.make()
  await tools.post(order)
  await tools.expectPaid(order)
  const once = await tools.read(order)
  await tools.post(order, { payId: 'unknown' }, 'tolerated')
  const before = await tools.waitForState(order, (state) => hasReceivedMore(once, state), SETTLING_MS)
  return hasReceivedMore(once, before) ? { order, before } : undefined
}

/** Throws if the app has forgotten the second payment of an order since the kill. */
async function expectStillPaidTwice(tools: CaseTools, { order, before }: StillOrder): Promise<void> {
  const now = await tools.read(order)
  // An app may send a payment back, and subtract it.
  if (!hasReceivedMore(now, before) || now.refunded !== before.refunded) return
  const calls = await tools.refundsOf({ ...order, payId: unknownPayIdOf(order) })
  if (calls.length > 0) return
  const seen = `an order was paid twice before the app was killed and started again. It had received ${before.received}, and now ${now.received ?? 0}`
  throw new CaseFailure({ problem: 'payment-forgotten', seen, fact: FORGETS_SECOND }, order)
}

const FORGETS_SECOND: Fact = {
  title: 'After your app starts again, it has forgotten the second payment of an order',
  remedy: 'Store each payment before you answer its webhook, also one of an order that is paid already.',
}
