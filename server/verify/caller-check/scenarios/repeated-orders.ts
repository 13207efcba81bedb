import { setTimeout as pause } from 'node:timers/promises'
import { extractLinkId } from '../../../domain/links/link-id.ts'
import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { type CookieJar, createCookieJar } from '../../app/orders/cookie-jar.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { type CallerContext, CallerFailure, failureOf, type PlacedOrder } from '../caller-case.ts'
import { checkSeveralLinks } from '../orders/check-links.ts'
import { continueOrder } from '../orders/continue-order.ts'
import {
  describePage,
  isOrderRefused,
  checkFailedOrder,
  checkFinalState,
  checkPlacedOrder,
} from '../orders/check-order.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { type PageAnswer, returnPageOf } from '../../app/orders/open-page.ts'
import { isInAddress, pageSays, showsPrice, visibleText } from '../../app/orders/page-says.ts'
import { isChosenByCheck, type WantedOrder } from '../../app/orders/order-template.ts'
import { confirmOrder, sendOrder } from '../../app/orders/submit-order.ts'
import {
  createOrder,
  openReturnPageIfAny,
  placeOrder,
  type PlaceOptions,
  postOrder,
} from '../orders/place-order.ts'
import { payOrder, placeGoodOrder } from '../orders/pay-order.ts'

/**
 * Places an order while calls fail, and checks what the customer gets. Then, when the service works again, the customer orders
 * once more. `backgroundMs` says how long the app may repeat the failed call in the background.
 */
export async function orderAgainAfterFailure(
  context: CallerContext,
  wanted: 'failure' | 'link or failure',
  options: PlaceOptions,
  backgroundMs = 0,
): Promise<void> {
  const order = createOrder()
  const seq = await context.sandbox.newestSeq()
  const failed = await placeOrder(context, order, options)
  checkFailedOrder(context, failed, wanted, options)
  const hasLink = failed.answers.some(({ payLinks }) => payLinks.length > 0)
  if (hasLink || !isChosenByCheck('order', [context.orderUrl, context.options.orderBody])) return
  const second = await placeOrder(context, order, { cookies: failed.cookies })
  const again = (await continueOrder(context, second, seq)) ?? second
  // An app may pause its calls, and tell customers how long to wait.
  const asksToWait =
    again.calls.length === 0 && again.answers.some(({ headerLines }) => RETRY_AFTER.test(headerLines))
  if (asksToWait || (await opensLater(context, again))) return
  const failure = await failureOf(() => checkPlacedOrder(context, again, 'link'))
  if (failure === undefined)
    return backgroundMs > 0 ? expectNoLateLink(context, again, seq, backgroundMs) : undefined
  const seen = `once the service worked again: ${failure.seenProblem.seen}`
  throw new CallerFailure({ ...failure.seenProblem, seen })
}

/** Waits for another link of an order that has failed once, and now has a link. Throws if both can be paid. */
async function expectNoLateLink(
  context: CallerContext,
  { order, links }: PlacedOrder,
  seq: number,
  timeoutMs: number,
): Promise<void> {
  const { sandbox, account, passesNotes } = context
  if (!passesNotes) return
  const late = await sandbox.waitForLink(
    seq,
    account,
    timeoutMs,
    ({ id, note }) => note.includes(order.note) && links.every((link) => link.id !== id),
  )
  if (late === undefined) return
  const failure = await failureOf(() =>
    checkSeveralLinks(context, [...links, { ...late, order: order.order }]),
  )
  if (failure === undefined) return
  const seen = `the customer was told of the failure, and ordered again. After that, ${failure.seenProblem.seen}`
  throw new CallerFailure({ ...failure.seenProblem, seen, fact: JOB })
}

const JOB: Fact = {
  title: 'After a failed call, a job in the background creates another link of the order',
  remedy:
    'Repeat no call after the customer has been told that it failed. The customer orders again, and then both links can be paid. Or let the next click take the link of the job.',
}

/** How long an app may refuse to create another link of an order whose call got no answer. */
const UNCLEAR_MS = 30_000

const CLICK_AGAIN_MS = 2_000

/** Whether an app that answers 503, without a call, takes the same order later. The check waits once, because other orders have to wait as long. */
async function opensLater(context: CallerContext, placed: PlacedOrder): Promise<boolean> {
  if (placed.calls.length > 0 || placed.answers.some(({ status }) => status !== 503)) return false
  context.pauses.areOver ??= clickUntilOpen(context, placed)
  return context.pauses.areOver
}

async function clickUntilOpen(context: CallerContext, { order, cookies }: PlacedOrder): Promise<boolean> {
  const end = performance.now() + UNCLEAR_MS
  while (performance.now() < end) {
    await pause(CLICK_AGAIN_MS, undefined, { signal: context.options.signal })
    if ((await placeOrder(context, order, { cookies })).links.length > 0) return true
  }
  return false
}

const RETRY_AFTER = /^retry-after:/im

/** Places the same order twice, either in a second tab of the same browser or in a different browser. */
export async function checkSecondTab(context: CallerContext, browser: 'same' | 'other'): Promise<void> {
  const first = await placeGoodOrder(context)
  const second = await placeOrder(context, first.order, {
    cookies: browser === 'same' ? first.cookies : createCookieJar(),
  })
  return checkClicks(context, {
    ...second,
    answers: [...first.answers, ...second.answers],
    links: [...first.links, ...second.links],
  })
}

/** The customer clicks twice. The second click arrives while the first link is being created. */
export const checkDoubleClick = async (context: CallerContext): Promise<void> =>
  checkClicks(
    context,
    await placeOrder(context, createOrder(), { faults: ['latency:2s'], isClickedTwice: true }),
  )

/** Several clicks may get several links only if the app refunds an order that is paid twice. */
async function checkClicks(context: CallerContext, placed: PlacedOrder): Promise<void> {
  if (placed.links.length <= 1) return checkPlacedOrder(context, placed, 'link')
  await checkSeveralLinks(context, placed.links)
  checkPlacedOrder(context, { ...placed, areSeveralLinksRight: true }, 'link')
}

export async function orderAgainAfterPayment(context: CallerContext): Promise<void> {
  const placed = await placeGoodOrder(context)
  await payOrder(context, placed)
  for (const cookies of [placed.cookies, createCookieJar()]) {
    const [second] = (await placeOrder(context, placed.order, { cookies })).links
    if (second !== undefined)
      throw new CallerFailure({
        problem: 'second-link',
        seen: `the paid order got another link: ${second.id}`,
      })
  }
  await checkFinalState(context, placed, 'paid')
}

/** A customer who has ordered something orders something else. */
export async function orderSomethingElse(context: CallerContext): Promise<void> {
  const first = await placeGoodOrder(context)
  const second = await placeOrder(context, createOrder({ amount: OTHER_AMOUNT }), { cookies: first.cookies })
  if (isOrderRefused(second)) {
    throw new NotPossibleError(
      `a customer cannot have two open orders: ${describePage(second.answers[0]!)}`,
      'order',
    )
  }
  checkPlacedOrder(context, second, 'link')
  const [link] = second.links
  if (link === undefined) return
  if (link.amount === OTHER_AMOUNT) {
    await openFirstPage(context, first, second)
    return confirmInFirstTab(context)
  }
  throw new CallerFailure({
    problem: 'wrong-amount',
    seen: `the second order of a customer, of ${formatAmount(OTHER_AMOUNT)}, got a link of ${formatAmount(link.amount)}`,
  })
}

const OTHER_AMOUNT = 17.5

/**
 * A customer fills in two orders in two tabs of one browser, and then confirms the first one. An app that confirms the latest order of the
 * session gives this customer the link of the other order.
 */
async function confirmInFirstTab({ page, sandbox }: CallerContext): Promise<void> {
  if ((page.confirmations ?? 0) === 0) return
  const cookies = createCookieJar()
  const [order, other] = [createOrder(), createOrder({ amount: OTHER_AMOUNT })]
  const firstTab = await sendOrder(page, order, cookies)
  await sendOrder(page, other, cookies)
  const [payLink] = (await confirmOrder(page, firstTab, order, cookies)).payLinks
  if (payLink === undefined || (await sandbox.link(payLink)).amount !== other.amount) return
  const [price, otherPrice] = [order, other].map(({ amount }) => formatAmount(amount))
  throw new CallerFailure({
    problem: 'wrong-amount',
    seen: `a customer opened an order of ${price} in one tab and one of ${otherPrice} in another, confirmed the first one, and got a pay link of ${otherPrice}`,
    fact: {
      title: 'Who has two tabs open confirms one order and gets the pay link of the other',
      remedy:
        'Put the key of the order into the form that confirms it. The session knows only the latest order.',
    },
  })
}

/** A customer with two orders opens the page of the first one. It must not show the second one in its place. */
async function openFirstPage(context: CallerContext, first: PlacedOrder, second: PlacedOrder): Promise<void> {
  const [[link], [other]] = [first.links, second.links]
  // All customers may return to one address, which shows the latest order.
  if (link === undefined || returnPageOf(link) === returnPageOf(other ?? link)) return
  const page = await openReturnPageIfAny(context, link, { cookies: first.cookies })
  if (page === undefined) return
  const isShown = ({ order: { note } }: PlacedOrder): boolean =>
    !isInAddress(page.url, note) && pageSays(page.text, note)
  const isOffered = ({ links }: PlacedOrder): boolean =>
    page.payLinks.some((payLink) => extractLinkId(payLink) === links[0]?.linkId)
  const opened = 'a customer placed two orders, and opened the return page of the first one. The page'
  const seen =
    isShown(second) && !isShown(first)
      ? `${opened} shows only the second one: ${page.url}`
      : isOffered(second) && !isOffered(first)
        ? `${opened} offers the pay link of the second one: ${page.url}`
        : undefined
  if (seen !== undefined) throw new CallerFailure({ problem: 'false-message', seen })
}

/** Two customers place different orders with the same amount and note. */
export async function orderTheSame(context: CallerContext): Promise<void> {
  const first = await placeGoodOrder(context)
  const second = await placeOrder(context, createOrder({ note: first.order.note }))
  const { linkId } = first.links[0]!
  if (second.answers.some(({ payLinks }) => payLinks.some((link) => extractLinkId(link) === linkId))) {
    throw new CallerFailure({
      problem: 'shared-link',
      seen: `two customers with different orders got the same pay link: ${linkId}`,
    })
  }
  checkPlacedOrder(context, second, 'link')
}

/**
 * Two customers order different things. The answer of the service to the first call comes after the answer to the second one. Each customer
 * must get a link of the right amount, at the first and at the second click.
 */
export async function orderAtOnce(context: CallerContext): Promise<void> {
  const orders = [createOrder(), createOrder({ amount: OTHER_AMOUNT })] as const
  await clickDuring(context, orders, async (firstClicks) => {
    const secondClicks = [await click(context, orders[0]), await click(context, orders[1])]
    await checkOwnLinks(context, orders, [firstClicks, secondClicks])
  })
  await orderForOtherPrice(context)
  await checkOwnAddresses(context)
}

const click = (
  context: CallerContext,
  order: WantedOrder,
  cookies = createCookieJar(),
): Promise<PageAnswer> => postOrder(context, order, cookies)

/** Places the second of two orders while the service creates the link of the first one. Then runs `check` with the two answers. */
async function clickDuring<Result>(
  context: CallerContext,
  [order, other]: readonly [WantedOrder, WantedOrder],
  check: (answers: readonly [PageAnswer, PageAnswer]) => Promise<Result>,
): Promise<Result> {
  const { sandbox, account } = context
  const seq = await sandbox.newestSeq()
  const removeFault = await sandbox.addFault(account, ['latency:1s'], 1)
  try {
    const first = click(context, order)
    await Promise.race([first, sandbox.waitForLink(seq, account, LINK_TIMEOUT_MS)])
    return await check(await Promise.all([first, click(context, other)]))
  } finally {
    await removeFault()
  }
}

/**
 * A customer orders, and orders the same for another price while the first link is created. An app that gives such a customer a link of the
 * new price later must not sell for the old one now. If it keeps the first price of an order, or only the price of each link, it does so on
 * purpose.
 */
async function orderForOtherPrice(context: CallerContext): Promise<void> {
  const { sandbox, watch } = context
  const linkOf = async ({ payLinks: [payLink] }: PageAnswer): Promise<CheckedOrder | undefined> =>
    payLink === undefined ? undefined : sandbox.link(payLink)
  const usual = createOrder({ amount: OTHER_AMOUNT })
  const dearer = usual.amount + OTHER_AMOUNT
  const cookies = createCookieJar()
  await click(context, usual, cookies)
  const wanted = { ...usual, amount: dearer }
  const changed = await linkOf(await click(context, wanted, cookies))
  if (changed?.amount === usual.amount) await expectOldPrice(context, wanted, changed, cookies)
  if (watch === undefined || changed?.amount !== dearer) return
  const order = createOrder({ amount: OTHER_AMOUNT })
  const isPaid = await clickDuring(context, [order, { ...order, amount: dearer }], async ([, second]) => {
    const link = await linkOf(second)
    if (link === undefined || link.amount !== OTHER_AMOUNT || link.targets.length === 0) return undefined
    await sandbox.pay(link)
    const state = await watch.waitUntilPaid({ ...link, order: order.order })
    return 'paid' in state && state.paid
  })
  if (isPaid === undefined) return
  const prices = [OTHER_AMOUNT, dearer].map(formatAmount)
  throw new CallerFailure({
    problem: 'wrong-amount',
    seen: `a customer ordered for ${prices[0]}, and for ${prices[1]} while the first link was created. The second click got the link of ${prices[0]}, and its payment ${isPaid ? 'paid' : 'does not pay'} the order. Ordered one after the other, the second click gets a link of ${prices[1]}`,
    fact: OLD_PRICE,
  })
}

/** A customer who orders again for another price, and gets the old link, pays it. The page must not name the new price as what was paid. */
async function expectOldPrice(
  context: CallerContext,
  { order, amount }: WantedOrder,
  link: CheckedOrder,
  cookies: CookieJar,
): Promise<void> {
  const { watch, sandbox } = context
  if (watch === undefined || link.targets.length === 0) return
  await sandbox.pay(link)
  const state = await watch.waitUntilPaid({ ...link, order })
  if (!('paid' in state) || !state.paid) return
  const page = await openReturnPageIfAny(context, link, { cookies })
  if (page === undefined) return
  const text = visibleText(page)
  if (!showsPrice(text, amount) || showsPrice(text, link.amount)) return
  const [price, old] = [amount, link.amount].map(formatAmount)
  throw new CallerFailure({
    problem: 'wrong-amount',
    seen: `a customer ordered again for ${price} instead of ${old}, got the old link, and paid ${old}. The order counts as paid, and its page names ${price}: ${page.url}`,
    fact: OLD_LINK,
  })
}

const OLD_LINK: Fact = {
  title: 'An old link pays an order whose page names a higher price',
  remedy: 'Store the price with each link, and create a new link if the order has another price now.',
}

const OLD_PRICE: Fact = {
  title:
    'Who orders again for another price, while the first link is created, gets a link with the old price',
  remedy:
    'If a click waits for the link of another click, compare the price of this link afterwards, and create a new one if it differs. Store the price with each link.',
}

/** Some customers order one after another, and then some at the same moment. Compares the addresses of their links. */
async function checkOwnAddresses(context: CallerContext): Promise<void> {
  const { sandbox, addresses } = context
  for (let alone = 0; alone < 2; alone += 1) await placeOrder(context, createOrder())
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { order, ...wanted } = createOrder()
      const [payLink] = (await postOrder(context, { order, ...wanted }, createCookieJar())).payLinks
      if (payLink !== undefined) addresses.add({ ...(await sandbox.link(payLink)), order }, false)
    }),
  )
  if (addresses.mixedUp() === undefined) return
  const seen = 'three customers ordered at the same moment, and the links of two orders have the same address'
  throw new CallerFailure({ problem: 'foreign-order', seen })
}

const LINK_TIMEOUT_MS = 5_000

/** Compares the amounts of the links. Ignores clicks that got no link, because other cases are about that. */
async function checkOwnLinks(
  { sandbox }: CallerContext,
  orders: readonly WantedOrder[],
  rounds: readonly (readonly PageAnswer[])[],
): Promise<void> {
  for (const [round, answers] of rounds.entries()) {
    for (const [index, { payLinks }] of answers.entries()) {
      const [payLink] = payLinks
      if (payLink === undefined) continue
      const { amount } = await sandbox.link(payLink)
      const wanted = orders[index]!.amount
      // An app may choose prices itself.
      if (amount === wanted || !orders.some((order) => order.amount === amount)) continue
      const which = round === 0 ? 'the first click' : 'a second click'
      throw new CallerFailure({
        problem: 'shared-link',
        seen: `two customers ordered at the same moment, for ${orders.map((order) => formatAmount(order.amount)).join(' and ')}. At ${which}, the customer of ${formatAmount(wanted)} got the pay link of ${formatAmount(amount)}`,
      })
    }
  }
}
