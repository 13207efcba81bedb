import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { PLACED_AND_CANCELLED } from '../../mistakes/find-mistakes.ts'
import { CaseFailure, checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import type { ReadState } from '../../app/state/read-order-state.ts'
import type { RememberedOrder } from '../case-context.ts'
import { isAskedFor } from '../../app/run/sandbox-port.ts'
import { PAUSE_OF_CALLS_MS } from '../../app/run/time-limit.ts'
import { expectRefundAmounts } from './two-links.ts'

/** After this time, timers of the app that cancel, repeat or forget something have certainly run. */
const AGE_MS = 6_000

/** With `--restart`, the check takes about this long anyway. Then it also sees timers of half a minute. */
const AGE_WITH_RESTART_MS = 31_000

const MAX_ORDERS = 15

/** Waits until the check is old enough to show what timers of the app do. */
async function waitForAge({ context: { startedAt, options, app } }: CaseTools): Promise<void> {
  const age = app === undefined ? AGE_MS : AGE_WITH_RESTART_MS
  const left = startedAt + age - performance.now()
  if (left > 0) await pause(left, undefined, { signal: options.signal })
}

/** The orders of the other cases. Makes one if no other case has run. */
async function ordersToReview(tools: CaseTools): Promise<readonly RememberedOrder[]> {
  const { remembered } = tools.context
  if (remembered.length === 0) {
    const order = await tools.make()
    await tools.post(order)
    await tools.expectPaid(order)
    remembered.push({ order, state: 'paid-once', isPaidOnce: true, endedAt: performance.now() })
  }
  await waitForAge(tools)
  return (['unpaid', 'paid-once'] as const).flatMap((state) =>
    remembered.filter((one) => one.state === state).slice(0, MAX_ORDERS),
  )
}

export async function reviewOrders(tools: CaseTools): Promise<void> {
  const orders = await ordersToReview(tools)
  await expectUnchanged(tools, orders, 'at the end of the check').catch((error: unknown) => {
    if (!(error instanceof CaseFailure) || error.seenProblem.problem !== 'not-kept') throw error
    // Nothing has happened to the order since the end of its case, so time alone has changed it.
    throw new CaseFailure({ ...error.seenProblem, problem: 'undone-later' }, error.order)
  })
}

export async function repeatLate(tools: CaseTools): Promise<void> {
  const orders = await unchangedOrders(tools)
  const paid = orders.filter(({ state }) => state === 'paid-once')
  const before = await Promise.all(paid.map(({ order }) => tools.read(order)))
  await Promise.all(paid.map(({ order }) => tools.post(order)))
  await tools.waitForOtherOrder()
  await expectUnchanged(tools, paid, 'after its webhook came again')
  await Promise.all(paid.map(({ order }, index) => expectNoWayBack(tools, order, before[index]!)))
}

/** Sends late cancels of paid orders, and loads the customers' pages. */
export async function cancelLate(tools: CaseTools): Promise<void> {
  const orders = await unchangedOrders(tools)
  await Promise.all(
    orders.map(async ({ order, state }) => {
      if (state === 'paid-once') await tools.post(order, { status: 'cancel' })
      if (order.callbackUrl !== '' && tools.orders.appMakesOrders)
        await tools.browse(order, state === 'unpaid' ? 'Success' : 'cancel')
    }),
  )
  await tools.waitForOtherOrder()
  await expectUnchanged(tools, orders, 'after a late cancel, or a late visit of the customer')
}

/** The orders of the other cases. A case proves nothing if an earlier case has already changed one. */
async function unchangedOrders(tools: CaseTools): Promise<readonly RememberedOrder[]> {
  const orders = await ordersToReview(tools)
  await expectUnchanged(tools, orders, '').catch((error: unknown) => {
    if (!(error instanceof CaseFailure)) throw error
    throw new NotPossibleError('an order had changed before: mend closing-look and late-repetition first')
  })
  return orders
}

/**
 * Throws if a paid order has a state again that it had before, such as `paid` after `shipped`. Waits, because an app may give an
 * order a temporary state while it handles a webhook.
 */
async function expectNoWayBack(tools: CaseTools, order: CheckedOrder, before: ReadState): Promise<void> {
  const values = tools.needWatch().paidValuesOf(order)
  const earlier = values.slice(0, Math.max(0, values.indexOf(before.value ?? '')))
  const isBack = ({ paid, value = '' }: ReadState): boolean => paid && earlier.includes(value)
  const now = await tools.waitForState(order, (state) => !isBack(state))
  if (!isBack(now)) return
  const seen = `the order was ${JSON.stringify(before.value)}, and is ${JSON.stringify(now.value)} again after its webhook came again`
  throw new CaseFailure({ problem: 'set-back', seen }, order)
}

/** Throws if an order has a different state than at the end of its case. `event` says what has happened to the orders. */
const expectUnchanged = (
  tools: CaseTools,
  orders: readonly RememberedOrder[],
  event: string,
): Promise<unknown> =>
  Promise.all(
    orders.map(({ order, state, isPaidOnce, endedAt }) => {
      const seconds = Math.round((performance.now() - endedAt) / 1000)
      return checkWith(`${event}, ${seconds} s later`, async () => {
        await tools.expectNow(order, state, true)
        if (isPaidOnce) await tools.expectNoRefund(order)
      })
    }),
  )

/**
 * Pays the first order of the check, which is still unpaid, and a cancelled one. Until then nothing has happened to the first one, so the
 * app must not have asked for the webhook of its payment.
 */
export async function payLate(tools: CaseTools): Promise<void> {
  const order = tools.context.untouched
  if (order === undefined)
    throw new NotPossibleError('no order was left unpaid at the beginning of the check')
  const cancelled = takeCancelled(tools.context)
  await waitForAge(tools)
  if (
    isAskedFor(await tools.sandbox.resendCalls(tools.context.startSeq, order.accountId), order, 'Success')
  ) {
    const seen =
      'an order was open, and no customer had returned. The app called sendWebhookViaPayId with its pay_id and the status Success'
    throw new CaseFailure({ problem: 'unpaid-webhook', seen }, order)
  }
  const ageMs = performance.now() - tools.context.startedAt
  // One after the other, so that only the age of an order differs from other cases.
  await payNow(tools, order, 'placed')
  if (cancelled !== undefined) await payNow(tools, cancelled, PLACED_AND_CANCELLED)
  tools.context.oldestPaidMs = ageMs
}

const payNow = (tools: CaseTools, order: CheckedOrder, what: string): Promise<void> =>
  checkWith(`after the order was ${what} ${tools.orders.ageOf(order)}`, async () => {
    tools.context.paidLate = order
    await tools.post(order)
    await tools.expectPaid(order)
  })

/** Takes a cancelled order from those that are read at the end of the check. */
function takeCancelled({ remembered, cancelledLinks }: CaseTools['context']): CheckedOrder | undefined {
  const index = remembered.findIndex(({ order, state }) => state === 'unpaid' && cancelledLinks.has(order.id))
  return index === -1 ? undefined : remembered.splice(index, 1)[0]!.order
}

/** How long an order may take while no call works, and how long its message may take to the log. */
const FAILED_ORDER_MS = 2_000
const LOG_MS = 200

/** Looks for the API key in the answers to orders, refunds and webhooks, in the pages of customers, and in the log of an app that it has started. */
export async function findShownKey({ context, sandbox, orders }: CaseTools): Promise<void> {
  const account = orders.knownAccount()
  if (account === undefined || context.untouched === undefined) throw new NotPossibleError(NO_ORDERS, 'order')
  if (context.app !== undefined) {
    const undo = await sandbox.failCalls(account)
    await orders.orderDuringFailure(FAILED_ORDER_MS).finally(undo)
    await pause(LOG_MS)
  }
  const seen = context.shown.showsKey(await sandbox.keyFinder(account))
  if (seen !== undefined) throw new CaseFailure({ problem: 'leaked-key', seen }, context.untouched)
}

const NO_ORDERS = 'the app has made no orders'

/** An app may ask a few times for the webhook of an order that is open for seconds. */
const MAX_RESENDS_OF_OPEN = 4

/** Visits and webhooks of an order may be reasons to ask again. */
const MAX_RESENDS = 20

/** Throws if the app asks the service for the webhooks of a payment again and again. */
async function expectFewResends({ context, sandbox }: CaseTools, untouched: CheckedOrder): Promise<void> {
  const counts = new Map<string, number>()
  for (const { payIds } of await sandbox.resendCalls(context.startSeq, untouched.accountId))
    counts.set(payIds, (counts.get(payIds) ?? 0) + 1)
  for (const [payIds, count] of counts) {
    const isOpen = payIds === String(untouched.payId)
    if (count <= (isOpen ? MAX_RESENDS_OF_OPEN : MAX_RESENDS)) continue
    const seen = `the app asked the service ${count} times to send the webhook of the payment ${payIds} again`
    throw new CaseFailure({ problem: 'webhook-loop', seen }, untouched)
  }
}

/** After so many calls for one refund, the check waits for further ones. Nobody clicks on a button meanwhile. */
const MANY_REFUND_CALLS = 6

/** So many further calls within `PAUSE_OF_CALLS_MS` follow no longer pauses. */
const FURTHER_REFUND_CALLS = 3

/** Throws if the app requests a refund that the service refuses again and again. */
async function expectFewRefundCalls(
  { context, sandbox, waitUntil }: CaseTools,
  untouched: CheckedOrder,
): Promise<void> {
  const countRefused = async (): Promise<ReadonlyMap<number, number>> => {
    const calls = await sandbox.refundCalls(context.startSeq, untouched.accountId)
    const accepted = new Set(calls.filter(({ isAccepted }) => isAccepted).map(({ payId }) => payId))
    const counts = new Map<number, number>()
    for (const { payId } of calls) if (!accepted.has(payId)) counts.set(payId, (counts.get(payId) ?? 0) + 1)
    return counts
  }
  const before = [...(await countRefused())].filter(([, count]) => count >= MANY_REFUND_CALLS)
  if (before.length === 0) return
  let repeated: readonly [payId: number, count: number] | undefined
  await waitUntil(async () => {
    const now = await countRefused()
    const found = before.find(([payId, count]) => (now.get(payId) ?? 0) >= count + FURTHER_REFUND_CALLS)
    if (found !== undefined) repeated = [found[0], now.get(found[0])!]
    return found !== undefined
  }, PAUSE_OF_CALLS_MS)
  if (repeated === undefined) return
  const seen = `the service refused the refund of the payment ${repeated[0]}, and the app has called refundPayment for it ${repeated[1]} times, and continues`
  throw new CaseFailure({ problem: 'refund-repeated', seen }, untouched)
}

/** Compares the number of links with the number of orders, and counts the requests for webhooks and refunds. */
export async function countLinks(tools: CaseTools): Promise<void> {
  const { context, sandbox, orders } = tools
  const account = orders.knownAccount()
  if (account === undefined || context.untouched === undefined) {
    throw new NotPossibleError(NO_ORDERS, 'order')
  }
  await waitForAge(tools)
  await expectFewResends(tools, context.untouched)
  await expectFewRefundCalls(tools, context.untouched)
  for (const links of context.paidTwice) await expectRefundAmounts(tools, links)
  const links = await sandbox.createdLinks(context.startSeq, account)
  const submissions = orders.submissions()
  // The page of a cancelled order may offer a new link.
  if (links.length <= submissions + context.revisitedLinks.size) return
  const seen = `the app created ${links.length} links for ${submissions} orders`
  throw new CaseFailure({ problem: 'unasked-link', seen }, context.untouched)
}
