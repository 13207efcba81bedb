import { quoteText } from '../../../domain/text/quote-text.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { CANCELLED_LINK_AGAIN, NotPossibleError } from '../../app/run/not-possible.ts'
import { pageSays, sentencesOf, visibleText } from '../../app/orders/page-says.ts'
import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'
import { extractLinkId } from '../../../domain/links/link-id.ts'
import type { Fact } from '../../../contract/checks/check.ts'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import { type CallerContext, CallerFailure, type PlacedOrder } from '../caller-case.ts'
import { checkFinalState, describePage } from '../orders/check-order.ts'
import { CACHED_MS } from '../../app/run/time-limit.ts'
import { freshness, openUntil } from '../pages/freshness.ts'
import { openReturnPage, openReturnPageIfAny, placeOrder } from '../orders/place-order.ts'
import { placeGoodOrder } from '../orders/pay-order.ts'
import { checkPage } from '../pages/check-page.ts'
import { FAILED, THANKS } from '../pages/page-texts.ts'

/** The customer returns with `status=cancel`, before the service has cancelled the payment and after it. Then orders again. */
export async function returnCancelled(context: CallerContext): Promise<void> {
  const placed = await placeGoodOrder(context)
  const [link] = placed.links
  const open = (status?: string): Promise<PageAnswer> =>
    openReturnPage(context, link!, { cookies: placed.cookies, status })
  const waiting = await open()
  const page = await open('cancel')
  await checkFinalState(context, placed, 'unpaid')
  await checkPage(context, page, false)
  if (!(await context.sandbox.cancel(link!))) return
  const cancelled = await open('cancel')
  for (const one of [cancelled, await open('Success')]) await checkPage(context, one, false)
  expectNoPromise(waiting, cancelled)
  const isKnown = await knowsCancel(context, placed)
  if (isKnown) await checkOffer(context, placed, open)
  await orderAfterCancel(context, placed, isKnown)
}

/** Whether the state of an order says that it was cancelled. */
async function knowsCancel(
  { watch, options: { cancelledValue } }: CallerContext,
  { links }: PlacedOrder,
): Promise<boolean> {
  if (watch === undefined || cancelledValue === undefined) return false
  const isCancelled = ({ value }: { readonly value?: string | undefined }): boolean =>
    value === cancelledValue
  const state = await watch.waitUntil(links[0]!, isCancelled, CACHED_MS)
  return 'value' in state && isCancelled(state)
}

/** The page of an order that the app has cancelled must not offer the cancelled link. */
async function checkOffer(
  { options: { signal } }: CallerContext,
  { links }: PlacedOrder,
  open: () => Promise<PageAnswer>,
): Promise<void> {
  const isOffered = (page: PageAnswer): boolean => offers(page, links[0]!)
  const page = await openUntil(open, (one) => !isOffered(one), signal)
  if (!isOffered(page)) return
  throw new CallerFailure({
    problem: 'dead-link',
    seen: `the customer cancelled, and the app knows it, but the page of the order still offers the cancelled link: ${page.url}`,
  })
}

/** Whether a page has the pay link or the QR code of a link. */
const offers = ({ text, payLinks }: PageAnswer, { linkId }: { readonly linkId: string }): boolean =>
  payLinks.some((payLink) => extractLinkId(payLink) === linkId) ||
  [linkId, encodeURIComponent(linkId)].some((id) => decodeEscapes(text).includes(`/qr/${id}`))

/** The customer orders the same again after a cancel. What the browser and the page know of the cancelled link must not lead there. */
async function orderAfterCancel(
  context: CallerContext,
  { order, cookies, links: [old], answers: [before] }: PlacedOrder,
  isKnown: boolean,
): Promise<void> {
  const { links, answers } = await placeOrder(context, order, { cookies })
  const [link] = links
  const [again] = answers
  if (again !== undefined && link === undefined && again.payLinks.length === 0)
    throw noSecondLink(context, again)
  if (isKnown && again?.payLinks.some((payLink) => extractLinkId(payLink) === old?.linkId))
    throw new NotPossibleError(CANCELLED_LINK_AGAIN, 'order')
  if (old === undefined || link === undefined || before === undefined || again === undefined) return
  const fresh = before.isPosted ? undefined : freshness(before)
  if (fresh !== undefined && fresh.ms > CACHED_MS && before.url === again.url)
    throw new CallerFailure({
      problem: 'dead-link',
      seen: `${before.url} led to the pay link of an order, and ${fresh.because} lets browsers keep that. After a cancel and a new click it leads to another link, but browsers still open the cancelled one`,
    })
  for (const one of [link, old]) {
    const page = await openReturnPageIfAny(context, one, { cookies })
    if (page === undefined || !offers(page, old)) continue
    throw new CallerFailure({
      problem: 'dead-link',
      seen: `the customer cancelled, and ordered the same again. The page still has the pay link or the QR code of the cancelled link: ${page.url}`,
    })
  }
}

/** An app may refuse an order that was cancelled. Then it must say so. */
function noSecondLink(
  { options: { failureText } }: CallerContext,
  again: PageAnswer,
): CallerFailure | NotPossibleError {
  const seen = `the customer cancelled, and ordered the same again: ${describePage(again)}`
  if (again.error !== null) return new CallerFailure({ problem: 'no-answer', seen })
  const isEmpty = again.status < 300 && again.text.trim() === ''
  const isNamed = failureText !== undefined && pageSays(again.text, failureText)
  if (isEmpty || (again.status === 500 && !isNamed))
    return new CallerFailure({
      problem: 'no-link',
      seen: `${seen}, without a pay link or a message`,
      fact: NO_SECOND_ORDER,
    })
  return new NotPossibleError(
    'a customer who has cancelled gets no pay link for the same order: if this customer can still buy, this is right',
    'order',
    describePage(again),
  )
}

const NO_SECOND_ORDER: Fact = {
  title: 'Customers who have cancelled get no pay link when they order again, and no message',
  remedy:
    'Create a new link when a customer orders again after a cancel. If your app closes cancelled orders, say so on the page, and how to place a new one.',
}

/** Matches what pages promise to customers who have paid. */
const PROMISE =
  /\b(payment|zahlung)\b[^.]{0,30}(clears|is (being )?process|wird (gerade )?(bearbeitet|verarbeitet))|(?<!\b(not|unable to|cannot|can't|couldn't) )process(ing)? your (payment|order)/i

/** Matches what pages say about a payment that was not made, in other words than FAILED. */
const NOT_MADE =
  /cancel|abort|stopped|abgebrochen|storniert|annul|not (been )?(paid|completed|finished|charged)|nothing was charged|expired|left the payment|nicht (bezahlt|abgeschlossen|durchgeführt)/i

/** Throws if the page thanks a customer who has cancelled, or promises something, and the page of the open order did not. */
function expectNoPromise(waiting: PageAnswer, page: PageAnswer): void {
  const text = visibleText(page)
  const said = [THANKS, PROMISE].find((one) => one.test(text) && !one.test(visibleText(waiting)))
  // Another page of the shop, such as its first one, may thank visitors.
  if (said === undefined || page.redirectedBy !== null || page.payLinks.length > 0) return
  if (FAILED.test(text) || NOT_MADE.test(text)) return
  const sentence = sentencesOf(page).find((one) => said.test(one)) ?? text
  throw new CallerFailure({
    problem: 'false-message',
    seen: `the customer has cancelled. The page says ${quoteText(truncate(sentence, 120))}: ${page.url}`,
    fact: THANKS_AFTER_CANCEL,
  })
}

const THANKS_AFTER_CANCEL: Fact = {
  title: 'The page speaks to customers who have cancelled as if they had paid',
  remedy:
    'Say that the payment was cancelled, and offer another one. Otherwise the customer waits for goods that never come.',
}
