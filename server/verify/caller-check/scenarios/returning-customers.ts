import type { Fact } from '../../../contract/checks/check.ts'
import { createCookieJar } from '../../app/orders/cookie-jar.ts'
import { openPage, type PageAnswer } from '../../app/orders/open-page.ts'
import { type CallerContext, CallerFailure, failureOf, type PlacedOrder } from '../caller-case.ts'
import { clickCancel } from '../pages/cancel-clicks.ts'
import { checkPage } from '../pages/check-page.ts'
import type { PaymentOutcome } from '../../../domain/webhooks/webhook.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { PAID, sentencesOf, visibleText } from '../../app/orders/page-says.ts'
import { CACHED_MS } from '../../app/run/time-limit.ts'
import { freshness, headerIn, openUntil } from '../pages/freshness.ts'
import { FAILED, THANKS } from '../pages/page-texts.ts'
import { extractLinkId } from '../../../domain/links/link-id.ts'
import { isLoopback } from '../../../domain/network/loopback.ts'
import { quoteText } from '../../../domain/text/quote-text.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { openReturnPage } from '../orders/place-order.ts'
import { checkFinalState, describePage } from '../orders/check-order.ts'
import { payOrder, placeGoodOrder } from '../orders/pay-order.ts'
import { saysPaidText } from '../pages/says-paid-text.ts'

const openAfterPayment = async (
  context: CallerContext,
  { links, cookies }: PlacedOrder,
): Promise<PageAnswer> => openReturnPage(context, links[0]!, { cookies, status: 'Success' })

const returnToShop = async (context: CallerContext, placed: PlacedOrder, isPaid: boolean): Promise<void> =>
  checkPage(context, await openAfterPayment(context, placed), isPaid)

/** The customer returns before paying. For the app, the redirect has arrived before the webhook. */
export async function returnBeforeWebhook(context: CallerContext): Promise<void> {
  const placed = await placeGoodOrder(context)
  const early = await openAfterPayment(context, placed)
  // For all the app knows, the customer has paid and the webhook is still underway. This does not check pages that say so.
  await checkPage(context, early, 'underway')
  checkOffer(placed, early)
  await payOrder(context, placed)
  await expectNoClaim(context, placed, early)
  await checkStalePage(context, placed, early)
}

/** Throws if the page said before the webhook that the payment has failed. What the page of a paid order says as well, a script may hide. */
async function expectNoClaim(context: CallerContext, placed: PlacedOrder, early: PageAnswer): Promise<void> {
  const claim = sentencesOf(early).find(claimsFailure)
  if (claim === undefined || sentencesOf(await openAfterPayment(context, placed)).includes(claim)) return
  const seen = `the customer has paid, and returned before the webhook came. The page says ${quoteText(truncate(claim, 120))}: ${early.url}`
  throw new CallerFailure({ problem: 'false-message', seen, fact: CLAIMS_FAILURE })
}

/** A question or a condition, as in a link to help, says nothing about this payment. */
const claimsFailure = (sentence: string): boolean =>
  /\b(payment|zahlung|paiement|betaling)\b[^:]{0,40}?(\bfailed|\bdeclined|unsuccessful|not successful|fehlgeschlagen|abgelehnt|échoué|mislukt)/i.test(
    sentence,
  ) &&
  !/\?|\bnot (mean|failed|declined)\b|\b(if|in case|when|what|how|should|unless|or|once|until|whether|as soon as|wenn|falls|sollte|oder|ob|sobald|bis|nicht|si|quand|indien|als)\b/i.test(
    sentence,
  )

const CLAIMS_FAILURE: Fact = {
  title: 'Customers who return before the webhook are told that their payment has failed',
  remedy:
    'Until the webhook comes, say that the payment is not confirmed yet, and let the page reload itself. Who reads that it has failed pays again.',
}

/** The page of an open order must offer the link that the customer got, and say its price. */
function checkOffer({ answers, links }: PlacedOrder, page: PageAnswer): void {
  const { linkId, amount } = links[0]!
  const own = answers.flatMap(({ payLinks }) => payLinks)
  const other = page.payLinks.find(
    (link) =>
      extractLinkId(link) === linkId &&
      !isLoopback(link) &&
      own.every((one) => new URL(one).host !== new URL(link).host),
  )
  if (other !== undefined && own.length > 0) {
    const seen = `the page ${page.url} offers ${other}, and the customer had got ${own[0]}`
    throw new CallerFailure({ problem: 'foreign-link', seen })
  }
  const prices = pricesIn(page)
  const near = prices.find((price) => [Math.floor(amount), Math.ceil(amount)].includes(price))
  if (near === undefined || prices.includes(amount)) return
  const seen = `the page ${page.url} says ${near} €, and the payment link has ${formatAmount(amount)}`
  throw new CallerFailure({ problem: 'false-message', seen })
}

const PRICE = /(?:€|EUR)\s*(\d[\d.,]*)|(\d[\d.,]*)\s*(?:€|EUR\b)/g

/** The amounts of a page that have the sign of the euro. */
const pricesIn = (page: PageAnswer): readonly number[] =>
  [
    ...decodeEscapes(visibleText(page)).replaceAll('&euro;', '€').replaceAll('&nbsp;', ' ').matchAll(PRICE),
  ].map(([, after, before]) => Number((after ?? before ?? '').replace(/[.,]$/, '').replace(',', '.')))

/** The customer opens the page before the payment. After the payment, the same page must say that the order is paid. */
async function checkStalePage(
  context: CallerContext,
  seenBefore: PlacedOrder,
  early: PageAnswer,
): Promise<void> {
  const { paidText, signal } = context.options
  if (paidText === undefined) return
  const open = (placed: PlacedOrder): Promise<PageAnswer> => openAfterPayment(context, placed)
  const page = await openUntil(
    () => open(seenBefore),
    (one) => saysPaidText(context, one),
    signal,
  )
  if (await saysPaidText(context, page)) return checkCaching(context, seenBefore, early, page)
  const other = await placeGoodOrder(context)
  await payOrder(context, other)
  // If the page never says that the order is paid, for example because it keeps waiting, it proves nothing.
  if (!(await saysPaidText(context, await open(other)))) return
  const seen = `the customer opened the return page before the webhook came, and opened it again after it. The order was paid by then, but the page still did not say ${JSON.stringify(paidText)}: ${describePage(page)}, at ${page.url}`
  throw new CallerFailure({ problem: 'stale-page', seen })
}

/** If a page or a redirect from before the payment may be cached, a browser can show it again after the payment. */
async function checkCaching(
  context: CallerContext,
  { cookies }: PlacedOrder,
  early: PageAnswer,
  later: PageAnswer,
): Promise<void> {
  const { paidText = '' } = context.options
  if (await saysPaidText(context, early)) return
  const stale = (what: string): CallerFailure =>
    new CallerFailure({
      problem: 'stale-page',
      seen: `the return page, opened before the webhook came, did not say ${JSON.stringify(paidText)}, and ${what}`,
    })
  const moved = early.redirectedBy
  const isMoved = moved !== null && later.redirectedBy?.location !== moved.location
  for (const { response, url, isKept } of [
    { response: early, url: early.url, isKept: true },
    ...(moved === null ? [] : [{ response: moved, url: moved.url, isKept: isMoved }]),
  ]) {
    const { ms, because } = freshness(response) ?? { ms: 0, because: '' }
    if (isKept && ms > CACHED_MS)
      throw stale(
        `${because} lets browsers show it ${ms === Infinity ? 'for ever' : `for ${Math.round(ms / 1000)} s`} without asking again: ${url}`,
      )
  }
  const headers = validatorsOf(early)
  if (Object.keys(headers).length === 0) return
  const { status } = await openPage(context, early.url, { cookies, headers })
  if (status !== 304) return
  throw stale(
    `after the webhook, the app still answered 304 to ${JSON.stringify(headers)}, so browsers keep the old page: ${early.url}`,
  )
}

/** What a browser sends to ask whether a page that it knows has changed. A page that has just changed can do so again in the same second. */
function validatorsOf({ headerLines }: PageAnswer): Record<string, string> {
  const [etag, modified] = [headerIn(headerLines, 'etag'), headerIn(headerLines, 'last-modified')]
  const isOld = Date.now() - Date.parse(modified) > CACHED_MS
  return {
    ...(etag === '' ? {} : { 'if-none-match': etag }),
    ...(isOld ? { 'if-modified-since': modified } : {}),
  }
}

/** The customer pays, and returns several times afterwards. */
export async function payAndReturn(context: CallerContext, times: number): Promise<void> {
  const placed = await placeGoodOrder(context)
  await payOrder(context, placed)
  for (let time = 0; time < times; time += 1) await returnToShop(context, placed, true)
  await checkFinalState(context, placed, 'paid')
}

/**
 * The customer pays, and returns with `status=cancel`, as from a second tab. The page must not say that the payment has failed, and its
 * buttons must not cancel the order.
 */
export async function returnCancelledAfterPayment(context: CallerContext): Promise<void> {
  const placed = await placeGoodOrder(context)
  await payOrder(context, placed)
  const open = (status: PaymentOutcome): Promise<PageAnswer> =>
    openReturnPage(context, placed.links[0]!, { cookies: placed.cookies, status })
  const usual = await open('Success')
  const page = await open('cancel')
  await checkPage(context, usual, true)
  await checkPage(context, page, true)
  await checkFinalState(context, placed, 'paid')
  await clickCancel(context, placed.links[0]!, placed.cookies, [usual, page])
  const { paidText } = context.options
  const saysPaid = async (one: PageAnswer): Promise<boolean> =>
    PAID.test(visibleText(one)) || saysPaidText(context, one)
  if (!(await saysPaid(usual))) throw notSaying(usual, paidText)
  // The usual page may contain such a word too, for example in a hint about returns.
  if ((await saysPaid(page)) || !FAILED.test(visibleText(page)) || FAILED.test(visibleText(usual))) return
  const seen = `the order was paid, and the customer returned with status=cancel: ${describePage(page)}, at ${page.url}`
  throw new CallerFailure({ problem: 'false-message', seen })
}

/** Why nothing follows from the page of a paid order that does not say so. */
function notSaying(page: PageAnswer, paidText: string | undefined): NotPossibleError {
  const what = paidText === undefined ? 'that it is paid' : JSON.stringify(paidText)
  const option = paidText === undefined ? 'pass' : 'correct'
  const scripts = /<script\b/i.test(page.text)
    ? '. The check runs no scripts. If a script writes this text, open the page of an unpaid order in a browser, with status=Success in its address: it must not say that the order is paid'
    : ''
  return new NotPossibleError(
    `the page of a paid order does not say ${what}: ${option} --paid-text${scripts}`,
    'option',
  )
}

const LOGIN = /type=["']?password|\b(log ?in|sign ?in|anmelden|einloggen)\b/i

/** Matches texts of pages that ask customers for something that only they know. */
const IDENTIFY =
  /\b(enter|confirm|verify|type in|geben sie|bestätigen sie)\b[^<]{0,40}\b((e-?)?mail|order number|post ?code|zip|phone|bestellnummer|postleitzahl)/i

/** The customer pays. The page is opened with the cookies of the order, and then in a browser without them. */
export async function returnElsewhere(context: CallerContext): Promise<void> {
  const { paidText } = context.options
  const placed = await placeGoodOrder(context)
  await payOrder(context, placed)
  const usual = await openAfterPayment(context, placed)
  const elsewhere = await openAfterPayment(context, { ...placed, cookies: createCookieJar() })
  await checkPage(context, usual, true)
  await checkPage(context, elsewhere, true)
  // The page proves nothing if it never says that the order is paid, for example because it waits.
  if (!(await saysPaidText(context, usual))) {
    await checkFinalState(context, placed, 'paid')
    throw notSaying(usual, paidText)
  }
  if (await saysPaidText(context, elsewhere)) return
  const isNeutral =
    [401, 403].includes(elsewhere.status) ||
    LOGIN.test(elsewhere.text) ||
    LOGIN.test(elsewhere.url) ||
    IDENTIFY.test(elsewhere.text) ||
    THANKS.test(elsewhere.text)
  if (isNeutral) return
  const seen = `in another browser, ${describePage(elsewhere)}, although the order is paid`
  throw new CallerFailure({ problem: 'page-fails', seen })
}

/** The customer returns with the status of a payment, but has not paid. */
export async function returnForged(context: CallerContext): Promise<void> {
  const placed = await placeGoodOrder(context)
  const failure = await failureOf(() => returnToShop(context, placed, false))
  // Reported first, because an order that is marked as paid by mistake costs more than a wrong page.
  await checkFinalState(context, placed, 'unpaid')
  if (failure !== undefined) throw failure
}
