import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { fromEuros, toEuros } from '../../../domain/money/cents.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { asked } from '../../app/run/sandbox-port.ts'
import { CaseFailure, checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { refundRefusal } from '../tools/refunds.ts'
import { CANCELLED_LINK_AGAIN, NotPossibleError, secondPaymentUnseen } from '../../app/run/not-possible.ts'
import { returnPageOf } from '../../app/orders/open-page.ts'
import { showsPrice, visibleText } from '../../app/orders/page-says.ts'
import { isRecordOf } from '../../app/state/read-money.ts'
import type { ReadState } from '../../app/state/read-order-state.ts'
import { SETTLING_MS } from '../../app/run/time-limit.ts'
import { during, newLinkOf } from './webhook-during-call.ts'

/** A customer orders the same again. If the app gives the order a new link, it must have the same amount. Returns the link that the customer gets. */
export async function orderAgain(tools: CaseTools, older: CheckedOrder): Promise<CheckedOrder | undefined> {
  const newer = await tools.orders.linkOfAgain(older)
  if (newer === undefined || newer.id === older.id || newer.amount === older.amount) return newer
  const seen = `the customer cancelled and ordered again, and the second link costs ${formatAmount(newer.amount)}, not ${formatAmount(older.amount)}`
  throw new CaseFailure({ problem: 'wrong-link', seen }, newer)
}

/** Floating-point arithmetic makes this amount inexact. */
export const ODD_AMOUNT = 19.99

export interface BothLinks {
  readonly older: CheckedOrder
  readonly newer: CheckedOrder
}

/** A customer cancels, and orders the same again. `newer` says why there is no second link, if the app gives the order none. */
export async function cancelAndOrderAgain(
  tools: CaseTools,
): Promise<{ older: CheckedOrder; newer: CheckedOrder | NotPossibleError }> {
  const older = await tools.make(tools.orders.canChooseAmounts ? { wantedOrder: { amount: ODD_AMOUNT } } : {})
  await tools.post(older, { status: 'cancel' })
  let newer = await orderAgain(tools, older)
  // An app with a queue may handle the cancel only now.
  if (isFirstLink(older, newer) && (await isCancelled(tools, older))) newer = await orderAgain(tools, older)
  if (newer !== undefined && !isFirstLink(older, newer)) return { older, newer }
  return { older, newer: new NotPossibleError(newer === undefined ? NO_LINK : CANCELLED_LINK_AGAIN) }
}

const isFirstLink = (older: CheckedOrder, newer: CheckedOrder | undefined): boolean =>
  newer === undefined || newer.id === older.id

/** Whether an order is cancelled soon. */
async function isCancelled(tools: CaseTools, order: CheckedOrder): Promise<boolean> {
  const { cancelledValue } = tools.context.options
  if (cancelledValue === undefined) return false
  const state = await tools.waitForState(order, ({ value }) => value === cancelledValue, SETTLING_MS)
  return state.value === cancelledValue
}

const NO_LINK = 'the app gave no second link to a customer who had cancelled and ordered again'

/** A customer orders the same again for a higher price. `undefined` if there is no second link. Its price may be the old one. */
export async function orderForMore(tools: CaseTools): Promise<BothLinks | undefined> {
  if (!tools.orders.canOrderAgain || !tools.orders.canChooseAmounts) return undefined
  const older = await tools.make()
  const newer = await tools.orders.again(older, older.amount + MORE)
  return newer && { older, newer }
}

export async function orderTwice(tools: CaseTools): Promise<BothLinks> {
  const { older, newer } = await cancelAndOrderAgain(tools)
  if (newer instanceof NotPossibleError) throw newer
  return { older, newer }
}

/** The newer of two links is paid. Then the late cancel of the older one is sent again. */
export async function cancelOlderLink(tools: CaseTools): Promise<void> {
  const { older, newer } = await orderTwice(tools)
  await tools.post(newer)
  await tools.expectPaid(newer)
  await tools.post(older, { status: 'cancel' })
  await tools.waitForOtherOrder()
  await tools.expectNow(newer, 'paid-once', true)
  await tools.expectNoRefund(newer)
  rememberPaid(tools, newer)
}

/** The older of two links is paid. Then the customer cancels the newer one, which is open in another tab. */
export async function cancelNewerLink(tools: CaseTools): Promise<void> {
  const { older, newer } = await orderTwice(tools)
  await tools.post(older)
  await tools.expectPaid(older)
  if (await tools.isRefunded(older)) return
  await tools.post(newer, { status: 'cancel' })
  await tools.waitForOtherOrder()
  await tools.expectNow(newer, 'paid-once', true)
  // An app may request the refund a moment later.
  await tools.waitForRefund(older, SETTLING_MS)
  await tools.expectNoRefund(older)
}

/** Two tabs pay both links of an order at the same moment. */
export async function payBothLinksAtOnce(tools: CaseTools): Promise<void> {
  const { older, newer } = await orderTwice(tools)
  await tools.postTogether(
    [older, newer].map((order) => ({ order, variant: {} })),
    'accepted',
  )
  await tools.expectPaid(newer)
  await tools.waitForOtherOrder()
  await tools.expectPossibleRefund([newer, older])
  await tools.expectNow(newer, 'paid-once', true)
}

export async function payOlderLink(tools: CaseTools): Promise<void> {
  const { older } = await orderTwice(tools)
  await tools.post(older)
  await tools.expectPaid(older)
}

/** How much more an order costs when it is placed again. */
export const MORE = 10

/** A customer orders again for another price. The newest link must have this price, and pay the order. */
export async function payChangedOrder(tools: CaseTools): Promise<void> {
  await Promise.all([payNewPrice(tools), payAfterCancelOfOlder(tools), orderForLess(tools)])
}

/** The customer adds something, orders again, and pays the newest link that the app has shown. */
async function payNewPrice(tools: CaseTools): Promise<void> {
  const first = await tools.make()
  const shown = await tools.orders.linkOfAgain(first, first.amount + MORE)
  const latest = shown ?? first
  if (latest.id !== first.id) await expectNewestLink(tools, first, latest)
  const isSame = shown?.id === first.id
  const same = isSame ? `, and got the same link, of ${priceOf(shown)}` : ''
  await checkWith(
    `ordered again for ${formatAmount(first.amount + MORE)} instead of ${priceOf(first)}${same}`,
    async () => {
      await tools.post(latest)
      await tools.expectPaid(latest)
    },
  ).catch((error: unknown) => {
    // An app may keep the price of an order. If it does not, its customers must not get the old link.
    if (!isSame || !(error instanceof CaseFailure) || error.seenProblem.isLate) throw error
    throw new CaseFailure({ ...error.seenProblem, problem: 'wrong-link' }, error.order, error.probe)
  })
  rememberPaid(tools, latest)
}

/** The customer orders again for the same price or another one, cancels the older link in its tab, and pays the newer one. */
async function payAfterCancelOfOlder(tools: CaseTools): Promise<void> {
  await Promise.all(
    [0, MORE].map(async (more) => {
      const older = await tools.make()
      const newer = await tools.orders.again(older, older.amount + more)
      if (newer === undefined || newer.amount !== older.amount + more) return
      await tools.post(older, { status: 'cancel' }, 'tolerated')
      await tools.waitForOtherOrder()
      const price = more === 0 ? '' : ` for ${priceOf(newer)} instead of ${priceOf(older)}`
      await checkWith(
        `ordered again${price}, cancelled with the older link, and paid with the newer one`,
        async () => {
          await tools.post(newer)
          await tools.expectPaid(newer)
        },
      )
      rememberPaid(tools, newer)
    }),
  )
}

/** A customer orders again for a lower price or a higher one, and pays the older link. */
export async function payOldPrice(tools: CaseTools): Promise<void> {
  await payOlder(tools, ODD_AMOUNT + MORE, ODD_AMOUNT)
  await payOlder(tools, ODD_AMOUNT, ODD_AMOUNT + MORE)
}

/**
 * If the order counts as paid, the app must have recorded what was paid, and the page of the customer shows whether the order is worth
 * more. An app may also give the customer the same link again, and keep the price.
 */
async function payOlder(tools: CaseTools, oldPrice: number, price: number): Promise<void> {
  const older = await tools.make({ wantedOrder: { amount: oldPrice } })
  const shown = await tools.orders.linkOfAgain(older, price)
  if (shown === undefined || older.amount !== oldPrice) return
  const isSame = shown.id === older.id
  if (!isSame && shown.amount !== price) return
  await tools.post(older)
  await tools.waitForOtherOrder()
  const { paid: isPaid, received, names } = await tools.read(shown)
  if (!isPaid || (await tools.isRefundedOrInReview(older))) return
  const link = isSame ? 'the same link' : 'the older link'
  const paid = `the customer ordered again for ${formatAmount(price)} instead of ${priceOf(older)}, and paid ${link}, of ${priceOf(older)}. The order counts as paid`
  if (received !== undefined && isRecordOf(price, received)) {
    const seen = `${paid}, and the app has recorded ${received} as received`
    throw new CaseFailure({ problem: 'wrong-record', seen }, shown)
  }
  if (oldPrice > price) return
  const page = returnPageOf(shown) === '' ? '' : visibleText(await tools.browse(shown, 'none'))
  const isOnPage = showsPrice(page, price) && !showsPrice(page, oldPrice)
  const isInState = names?.(price) === true && !names(oldPrice) && !showsPrice(page, oldPrice)
  if (isOnPage || isInState) {
    const where = isOnPage ? 'page' : 'state'
    const seen = `${paid}, and its ${where} names ${formatAmount(price)} as the price`
    throw new CaseFailure({ problem: 'paid-without-payment', seen, fact: OLD_PRICE_PAYS }, shown)
  }
  if (!isSame)
    throw new NotPossibleError(
      `${paid}. If your app ships what the paid link was for, this is right. ${OLD_PRICE}`,
    )
}

const OLD_PRICE =
  'If it ships what the customer ordered last, customers get dear orders for the price of cheap ones'

const OLD_PRICE_PAYS: Fact = {
  title: 'An older link with a lower price pays the whole order',
  remedy:
    'Compare what was paid with the price of the order today. If it is less, refund the payment or tell your staff.',
}

/** Remembers an order that the newer of its two links has paid, so that the closing look reads it once more. */
function rememberPaid({ context: { remembered } }: CaseTools, order: CheckedOrder): void {
  // The closing look reads only some orders, and most others have one link.
  remembered.unshift({ order, state: 'paid-once', isPaidOnce: true, endedAt: performance.now() })
}

/** Throws if the page of an order offers only its older link, which has an old price. */
async function expectNewestLink(tools: CaseTools, older: CheckedOrder, newer: CheckedOrder): Promise<void> {
  if (returnPageOf(newer) === '' || newer.amount === older.amount) return
  const { payLinks } = await tools.browse(newer, 'none')
  const offered = await Promise.all(payLinks.map((link) => tools.sandbox.link(link)))
  const isOffered = ({ id }: CheckedOrder): boolean => offered.some((link) => link?.id === id)
  if (isOffered(newer) || !isOffered(older)) return
  const seen = `the customer ordered again for ${priceOf(newer)} instead of ${priceOf(older)}, and the page of the order offers the link of ${priceOf(older)}`
  // Without the name of its order, the page is opened without cookies.
  const { order: _order, ...ofStranger } = newer
  const withoutCookies = await tools.browse(ofStranger, 'none')
  const shown = await Promise.all(withoutCookies.payLinks.map((link) => tools.sandbox.link(link)))
  const dependsOnBrowser = shown.some((link) => link?.id === newer.id)
  throw new CaseFailure(
    { problem: 'wrong-link', seen, ...(dependsOnBrowser ? { fact: LINK_OF_BROWSER } : {}) },
    newer,
  )
}

const LINK_OF_BROWSER: Fact = {
  title: 'The page of an order offers the pay link that the browser has got last, not that of the order',
  remedy:
    'The page offers an old link to a browser with the cookies of the customer, and the right one to a browser without cookies. Take the link from the order that the address names. A customer who has several orders would pay the wrong one.',
}

/** If a higher price leads to a new link, a lower price must lead to one as well. */
async function orderForLess(tools: CaseTools): Promise<void> {
  const first = await tools.make()
  const raised = await tools.orders.again(first, first.amount + 2 * MORE)
  if (raised === undefined || raised.amount <= first.amount) return
  const wanted = first.amount + MORE
  const lowered = await tools.orders.linkOfAgain(first, wanted)
  if (lowered === undefined || lowered.amount <= wanted) return
  const seen = `the customer ordered again for ${formatAmount(wanted)} instead of ${priceOf(raised)}, and got a link of ${priceOf(lowered)}`
  throw new CaseFailure({ problem: 'wrong-link', seen }, lowered)
}

/** When the older link is paid, in milliseconds after the customer has ordered again. */
const PAUSES_MS = [0, 2, 5, 10, 15, 20, 30, 50, 80]

/** How late the service answers. Longer than a webhook takes, also on a busy machine. */
const SLOW_MS = 1_000

/** The customer has cancelled and orders again, and the older link is paid at the same moment. */
export async function payDuringSecondOrder(tools: CaseTools): Promise<void> {
  const orders = await Promise.all(PAUSES_MS.map(() => tools.make()))
  await Promise.all(orders.map((order) => tools.post(order, { status: 'cancel' })))
  const newer = await Promise.all(
    orders.map(async (order, index) => {
      const payment = pause(PAUSES_MS[index]).then(() => tools.post(order))
      const [link] = await Promise.all([tools.orders.again(order), payment])
      return link
    }),
  )
  if (newer.some((link) => link !== undefined)) orders.push(...(await payDuringSlowOrder(tools)))
  await Promise.all(orders.map((order) => tools.expectPaid(order)))
  await tools.waitForOtherOrder()
  for (const order of orders)
    if (!(await tools.isRefundedOrInReview(order))) await tools.expectNow(order, 'paid-once', true)
}

/** The service answers the second order late, so that the payment comes meanwhile on any machine. Returns the orders that were paid. */
async function payDuringSlowOrder(tools: CaseTools): Promise<readonly CheckedOrder[]> {
  const order = await tools.make()
  await tools.post(order, { status: 'cancel' })
  const call = await newLinkOf(tools, order.accountId, () => tools.orders.again(order))
  const paid = await during(tools, call, SLOW_MS, async () => {
    await tools.post(order)
    return [order]
  })
  return paid ?? []
}

/** Before the newer link is paid, the cancel of the older one is sent again, and webhooks with a wrong amount and a wrong account. */
export async function payNewerLink(tools: CaseTools): Promise<void> {
  const { older, newer } = await orderTwice(tools)
  await tools.post(older, { status: 'cancel' })
  await tools.post(newer, { amount: 'forged' }, 'tolerated')
  await tools.post(newer, { user: 'forged' }, 'tolerated')
  await tools.waitForOtherOrder()
  await checkWith('after webhooks with a wrong amount and a wrong account for the second link', () =>
    tools.expectNow(newer, 'unpaid'),
  )
  await tools.post(newer)
  await tools.expectPaid(newer)
}

/** Both links of an order are paid: of one order whose links have the same amount, and of one that was placed again for another price. */
export async function payBothLinks(tools: CaseTools): Promise<void> {
  const [links, changed] = await Promise.all([orderTwice(tools), orderForAnotherPrice(tools)])
  const pairs = await Promise.allSettled([
    payBoth(tools, links),
    changed && payBoth(tools, changed),
    payThreeLinks(tools),
  ])
  const reasons = pairs.flatMap((pair) => (pair.status === 'rejected' ? [pair.reason as unknown] : []))
  const failure = reasons.find((reason) => !(reason instanceof NotPossibleError))
  if (failure !== undefined) throw failure
  if (pairs[0].status === 'rejected') throw pairs[0].reason
}

/** A customer cancels, and orders again for a higher price. `undefined` if the app keeps the price. */
async function orderForAnotherPrice(tools: CaseTools): Promise<BothLinks | undefined> {
  if (!tools.orders.canChooseAmounts) return undefined
  const older = await tools.make({ wantedOrder: { amount: ODD_AMOUNT } })
  await tools.post(older, { status: 'cancel' })
  const newer = await tools.orders.again(older, ODD_AMOUNT + MORE)
  return newer === undefined || newer.amount === older.amount ? undefined : { older, newer }
}

/** Whether the app returns the payment of a link whose order was cancelled and placed again for another price, or leaves it to its staff. */
async function returnsPayment(tools: CaseTools, newer: CheckedOrder): Promise<boolean> {
  const isDecided = (): Promise<boolean> => tools.isRefundedOrInReview(newer)
  await tools.waitUntil(async () => (await tools.read(newer)).paid || (await isDecided()))
  return isDecided()
}

/** Both links are paid. The app must fulfill the order once, and refund the second payment or record it. */
async function payBoth(tools: CaseTools, { older, newer }: BothLinks): Promise<void> {
  const links = [older, newer]
  await expectShares(tools, older, newer)
  await tools.pay(newer)
  if (older.amount !== newer.amount && (await returnsPayment(tools, newer))) return
  await tools.expectPaid(newer)
  await paySecond(tools, { older, newer })
  // Both webhooks are sent again, and must have no further effect.
  await Promise.all(links.map((link) => tools.post(link)))
  await tools.waitForOtherOrder()
  await expectRefundOfOne(tools, links)
  tools.context.paidTwice.push(links)
  await tools.expectNow(newer, 'paid-once', true)
  await refundRest(tools, links)
}

/** Pays the older link as well. Throws if the app neither refunds nor records this payment. */
async function paySecond(tools: CaseTools, { older, newer }: BothLinks): Promise<void> {
  const first = await tools.read(newer)
  await tools.pay(older)
  await tools.waitForOtherOrder()
  const isSeen = await tools.waitUntil(
    async () =>
      (await tools.isRefunded(older)) ||
      (await tools.isRefunded(newer)) ||
      ('received' in first && hasReceivedMore(first, await tools.read(newer))),
  )
  const isMadeThere = await tools.canPayAtSandbox(newer)
  await tools.expectPossibleRefund([newer, older], (call) =>
    isMadeThere ? call.isAccepted : call.isPossible,
  )
  if (isSeen) return
  if (!('received' in first)) throw secondPaymentUnseen()
  // If the app refuses the webhook of the payment, this is the reason.
  await checkWith('after the order was paid twice', async () => void (await tools.post(older)))
  const seen =
    'the order was paid twice, and the app neither requested a refund nor recorded the second payment'
  throw new CaseFailure({ problem: 'payment-forgotten', seen }, newer)
}

export const hasReceivedMore = (before: ReadState, now: ReadState): boolean =>
  (now.received ?? 0) > (before.received ?? 0)

async function expectRefundOfOne(tools: CaseTools, links: readonly CheckedOrder[]): Promise<void> {
  const newer = links.at(-1)!
  for (const link of links)
    await checkWith('after the order was paid twice', () => tools.expectOneRefund(link))
  const refunds = await Promise.all(links.map((link) => tools.refundsOf(link)))
  if (refunds.every(({ length }) => length > 0)) {
    const seen = 'the order was paid twice, and the app requested refunds of both payments'
    throw new CaseFailure({ problem: 'wrong-refund', seen }, newer)
  }
  await expectRefundAmounts(tools, links)
}

/** Throws if the app has requested a refund of one of several payments with another amount. */
export async function expectRefundAmounts(tools: CaseTools, links: readonly CheckedOrder[]): Promise<void> {
  const newer = links.at(-1)!
  for (const link of links) {
    const wrong = (await tools.refundsOf(link)).find(({ amount }) => amount !== link.amount)
    if (wrong === undefined) continue
    const prices = links[0]!.amount === newer.amount ? '' : `, with ${links.map(priceOf).join(' and ')}`
    const seen = `the order was paid twice${prices}, and the app requested a refund of ${asked(wrong.amount)} for a payment of ${priceOf(link)}`
    throw new CaseFailure({ problem: 'refund-amount', seen }, newer)
  }
}

/** A customer has cancelled twice, and all three links of the order are paid. If the app sees the second payment, it must also see the third one. */
async function payThreeLinks(tools: CaseTools): Promise<void> {
  const { older, newer } = await cancelAndOrderAgain(tools)
  if (newer instanceof NotPossibleError) return
  await tools.post(newer, { status: 'cancel' })
  const newest = await tools.orders.again(newer)
  if (newest === undefined || newest.id === older.id) return
  const seen = async (): Promise<{ readonly refunds: number; readonly received: number }> => {
    const refunds = await Promise.all([older, newer, newest].map(tools.isRefunded))
    const { received = 0 } = await tools.read(newest)
    return { refunds: refunds.filter(Boolean).length, received }
  }
  const paysVisibly = async (link: CheckedOrder): Promise<boolean> => {
    const before = await seen()
    await tools.pay(link)
    await tools.waitForOtherOrder()
    return tools.waitUntil(async () => {
      const now = await seen()
      return now.refunds > before.refunds || now.received > before.received
    })
  }
  await tools.pay(newest)
  await tools.expectPaid(newest)
  if (!(await paysVisibly(newer)) || (await paysVisibly(older))) return
  const what =
    'the order had three links, and all were paid. The app refunded or recorded the second payment, but not the third one'
  throw new CaseFailure({ problem: 'payment-forgotten', seen: what, fact: THIRD_FORGOTTEN }, newest)
}

/** What all recipients of a link get together, in euros. */
const sharesOf = ({ payout }: CheckedOrder): number =>
  toEuros((payout?.recipients ?? []).reduce((cents, { amount }) => cents + fromEuros(amount), 0))

/** So many new orders show that the shares follow from the price alone. */
const TWINS = 2

/** The recipients of the second link of an order must get as much as those of new orders with the same price. */
async function expectShares(tools: CaseTools, older: CheckedOrder, newer: CheckedOrder): Promise<void> {
  if (sharesOf(older) === 0 && sharesOf(newer) === 0) return
  const { amount } = newer
  const twins = await Promise.all(
    Array.from({ length: TWINS }, () =>
      tools.make(tools.orders.canChooseAmounts ? { wantedOrder: { amount } } : {}),
    ),
  )
  const alike = older.amount === amount ? [older, ...twins] : twins
  const wanted = sharesOf(alike[0]!)
  const isFixed = alike.every((one) => one.amount === amount && sharesOf(one) === wanted)
  if (!isFixed || sharesOf(newer) === wanted) return
  const seen = `the recipients of the second link of an order, of ${priceOf(newer)}, get ${formatAmount(sharesOf(newer))}. Those of new orders for this price get ${formatAmount(wanted)}`
  throw new CaseFailure({ problem: 'wrong-link', seen, fact: WRONG_SHARES }, newer)
}

const WRONG_SHARES: Fact = {
  title: 'The recipients of the second link of an order get a wrong share',
  remedy: 'Compute the shares for each link from its own price, in the one place that creates all links.',
}

const THIRD_FORGOTTEN: Fact = {
  title: 'A third payment of an order is neither refunded nor recorded',
  remedy: 'Handle every payment after the first one alike: refund it, or tell your staff.',
}

const priceOf = ({ amount }: CheckedOrder): string => formatAmount(amount)

const SENT_BACK_AGAIN: Fact = {
  title: 'If an order was paid twice, a refund names the payment that was sent back already',
  remedy:
    'Store which payment your app has kept. A refund of the order names this payment, and the refund of the surplus the other one.',
}

/** One of two payments was sent back. Someone asks for the refund of the order, and the app must send back the other one. */
async function refundRest(tools: CaseTools, links: readonly CheckedOrder[]): Promise<void> {
  const { options } = tools.context
  if (options.refundUrl === undefined || !tools.orders.appMakesOrders) return
  const areBack = await Promise.all(links.map(tools.isRefundAccepted))
  const kept = links.filter((_link, index) => !areBack[index])
  const [rest] = kept
  if (rest === undefined || kept.length === links.length) return
  const since = await tools.now()
  await tools.tryRefund(rest)
  if (await tools.waitUntil(() => tools.isRefundAccepted(rest))) return
  const calls = await tools.sandbox.refundCalls(since, rest.accountId)
  const again = calls.find(({ payId }) => links.some((link) => link.payId === payId))
  const what =
    again === undefined
      ? 'it requested none'
      : again.payId === rest.payId
        ? `the service refused it: ${again.message}`
        : 'it named the payment that was sent back already'
  const seen = `the order was paid twice, and the app sent back one payment. Then a refund of the order was asked for, and ${what}. The customer does not get back ${priceOf(rest)}`
  const explained =
    again === undefined
      ? await tools.ignoredClick(rest)
      : { fact: again.payId === rest.payId ? refundRefusal(again, rest) : SENT_BACK_AGAIN }
  throw new CaseFailure({ problem: 'wrong-refund', seen, ...explained }, rest)
}
