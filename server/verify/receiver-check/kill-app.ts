import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import { formatAmount } from '../../contract/format/values.ts'
import type { AppProcess } from './app-process.ts'
import { CaseFailure, type CaseTools, checkWith } from './case-tools.ts'
import type { ReadState } from './read-order-state.ts'
import { canRefundParts, isNoted, PART, waitForRefund } from './refunds.ts'
import { asked } from './sandbox-port.ts'
import { RESTART_PATIENCE, SETTLING_MS } from './time-limit.ts'

/** How long before the kill the app gets each webhook, in milliseconds. The kill meets each payment at a different moment. */
const BEFORE_KILL_MS = [0, 2, 5, 10, 15, 20, 30, 40, 60, 80, 100]
const KILL_AFTER_MS = Math.max(...BEFORE_KILL_MS)

/** Sends webhooks until the app is killed, and starts it. Returns the orders whose webhook the app has accepted. */
export async function killDuringPayments(
  tools: CaseTools,
  app: AppProcess,
): Promise<readonly CheckedOrder[]> {
  const orders = await Promise.all(BEFORE_KILL_MS.map(() => tools.make()))
  const [accepted] = await Promise.all([
    Promise.all(
      orders.map(async (order, index) => {
        await pause(KILL_AFTER_MS - BEFORE_KILL_MS[index]!)
        return tools.tryPost(order)
      }),
    ),
    pause(KILL_AFTER_MS).then(() => app.restart()),
  ])
  return orders.filter((_order, index) => accepted[index])
}

/** Throws if a payment is lost that the app had accepted before it was killed. A job that was begun may be done only after a while. */
export async function expectPayments(tools: CaseTools, orders: readonly CheckedOrder[]): Promise<void> {
  const patienceMs = tools.context.timeoutMs * RESTART_PATIENCE
  await checkWith(
    'the app accepted a webhook, was killed some milliseconds later, and started again',
    async () => void (await Promise.all(orders.map((order) => tools.expectPaid(order, false, patienceMs)))),
  )
}

/** A refund that is underway when the app is killed. */
interface RefundUnderway {
  readonly order: CheckedOrder
  readonly euros: number
  readonly before: ReadState
  /** How often the app has called `refundPayment`. */
  readonly calls: number
}

/** Long enough for the kill to come before the answer of the service. */
const ANSWER_AFTER_MS = 3_000

/** A paid order that the app can refund. `undefined` if it cannot. */
async function makeRefundable(tools: CaseTools): Promise<CheckedOrder | undefined> {
  if (tools.context.options.refundUrl === undefined || !tools.orders.appMakesOrders) return undefined
  const order = await tools.make()
  if (!(await tools.canPayAtSandbox(order))) return undefined
  await tools.sandbox.pay(order)
  await tools.expectPaid(order)
  return order
}

/** Starts a refund whose answer comes late, so that it is underway when the app is killed. `undefined` if the app starts none. */
export async function startRefund(tools: CaseTools): Promise<RefundUnderway | undefined> {
  const order = await makeRefundable(tools)
  if (order === undefined) return undefined
  const before = await tools.read(order)
  const euros = canRefundParts(tools) ? PART : order.amount
  const undo = await tools.sandbox.delayAnswer(order.accountId, ANSWER_AFTER_MS, 'refundPayment')
  try {
    const click = tools.tryRefund(order, euros)
    if (await waitForRefund(tools, order)) {
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
export async function finishRefund(
  tools: CaseTools,
  { order, euros, before, calls: callsBefore }: RefundUnderway,
): Promise<void> {
  const patienceMs = tools.context.timeoutMs * RESTART_PATIENCE
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
  if (isDone) return
  const seen = `${what}. For ${patienceMs / 1000} s, further clicks on the refund button made no call, and the order is as before the refund`
  throw new CaseFailure({ problem: 'refund-forgotten', seen }, order)
}

/** Pays and refunds an order. `undefined` if the app cannot refund it, or if the order still counts as paid afterwards. */
export async function refundOne(tools: CaseTools): Promise<CheckedOrder | undefined> {
  const order = await makeRefundable(tools)
  if (order === undefined) return undefined
  await tools.tryRefund(order)
  const { paid } = await tools.waitForState(order, (state) => !state.paid, SETTLING_MS)
  return paid ? undefined : order
}

/** Throws if an order that was refunded before the kill counts as paid again. */
export async function expectStillRefunded(tools: CaseTools, order: CheckedOrder): Promise<void> {
  if (!(await tools.read(order)).paid) return
  const seen =
    'an order was paid and refunded before the app was killed and started again, and now it is paid'
  throw new CaseFailure({ problem: 'changed-after-refund', seen }, order)
}
