import { extractLinkId } from '../../../domain/links/link-id.ts'
import type { Fact } from '../../../contract/checks/check.ts'
import { andList } from '../../../domain/text/word-lists.ts'
import { quoteText } from '../../../domain/text/quote-text.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import { type CallerContext, CallerFailure, type PlacedOrder } from '../caller-case.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { pageSays, visibleText } from '../../app/orders/page-says.ts'
import { checkFinalOrder } from '../../app/state/check-answer-and-order.ts'
import { hasNoFailedCall, type PlaceOptions } from './place-order.ts'

/** If an app makes more calls for one order, it repeats the call too often. */
export const MAX_CALLS = 5

/** What the customer must get: a pay link, an error message, or either of them. */
type ExpectedOutcome = 'link' | 'failure' | 'link or failure'

/** Throws if something is wrong with a placed order. */
export function checkPlacedOrder(
  context: Pick<CallerContext, 'options'>,
  placed: PlacedOrder,
  wanted: ExpectedOutcome,
): void {
  const { answers, calls, links } = placed
  if (links.length > 1 && !placed.areSeveralLinksRight) {
    const ids = andList(links.map(({ id }) => id))
    throw new CallerFailure({
      problem: 'second-link',
      seen: `the app created ${links.length} links for one order: ${ids}`,
    })
  }
  if (calls.length > MAX_CALLS) {
    throw new CallerFailure({
      problem: 'no-backoff',
      seen: `the app made ${calls.length} calls for one order`,
    })
  }
  if (wanted === 'link' && answers.every(({ payLinks, error }) => error === null && payLinks.length === 0)) {
    const refusal = refusalIn(placed)
    const reason = refusal === undefined ? '' : `, after the service refused the call: ${refusal}`
    throw new CallerFailure({
      problem: 'no-link',
      seen: `${describePage(answers[0]!)}, without a pay link${reason}`,
    })
  }
  for (const answer of answers) checkAnswer(context, placed, answer)
}

/** Like `checkPlacedOrder`, for an order during failures of the service. Throws `NotPossibleError` if a good order proves nothing. */
export function checkFailedOrder(
  context: Pick<CallerContext, 'options'>,
  placed: PlacedOrder,
  wanted: ExpectedOutcome,
  options: PlaceOptions,
): void {
  checkPlacedOrder(context, placed, wanted)
  if (hasNoFailedCall(placed, options))
    throw new NotPossibleError('the app made no call for this order, so no call could fail')
}

/** Whether the app itself has refused an order because of its contents, without calling the service. */
export const isOrderRefused = ({ answers, calls }: PlacedOrder): boolean =>
  calls.length === 0 && answers.every(({ status }) => status >= 400 && status < 500)

export const refusalIn = ({ calls }: Pick<PlacedOrder, 'calls'>): string | undefined =>
  calls.find(({ code }) => code === 0)?.message

function checkAnswer(
  { options: { failureText, paidText } }: Pick<CallerContext, 'options'>,
  { links, answers }: PlacedOrder,
  answer: PageAnswer,
): void {
  const { status, text, error, payLinks, redirectedBy, isPosted } = answer
  if (error !== null) throw new CallerFailure({ problem: 'no-answer', seen: error })
  const linkIds = links.map(({ linkId }) => linkId)
  const foreign = payLinks.find((link) => !linkIds.includes(extractLinkId(link)))
  if (foreign !== undefined) {
    throw new CallerFailure({
      problem: 'foreign-link',
      seen: `the pay link ${foreign} does not belong to the order`,
    })
  }
  if (isPosted && (status === 307 || status === 308) && payLinks.length > 0) {
    throw new CallerFailure({
      problem: 'posted-on',
      seen: `${describePage(answer)}. After this status, browsers repeat the POST, and the payment page only answers a GET. Redirect with 303`,
    })
  }
  if (paidText !== undefined && pageSays(visibleText(answer), paidText)) {
    throw new CallerFailure({
      problem: 'false-message',
      seen: `the page says ${JSON.stringify(paidText)}, and nobody has paid`,
    })
  }
  if (payLinks.length > 0 || (failureText !== undefined && pageSays(text, failureText))) return
  const seen = describePage(answer)
  if (status === 500) throw new CallerFailure({ problem: 'hidden-failure', seen, fact: FAILS })
  if (status >= 400 && (redirectedBy === null || !UNOPENED.has(status))) return
  // The customer got the pay link from the other click, so this page may say that the order already exists.
  if (status < 400 && answers.some((other) => other.payLinks.length > 0)) return
  const advice =
    status >= 300 || failureText !== undefined
      ? ''
      : '. If the page tells the customer that the payment could not be started, name its words with --failure-text'
  throw new CallerFailure({ problem: 'hidden-failure', seen: `${seen}, without a pay link${advice}` })
}

const FAILS: Fact = {
  title: 'If a payment cannot be started, your app answers 500, as if its own code had failed',
  remedy:
    'Catch each failure of the call that creates the link: a refusal, a web page, a broken connection. Tell the customer on a page of yours that no payment is possible now, with a status such as 502 or 503. If the page with 500 tells this already, name its words with --failure-text.',
}

/** After a redirect, these statuses say something about the page itself: it does not exist, or the customer may not open it. */
const UNOPENED: ReadonlySet<number> = new Set([401, 403, 404, 405, 410])

/** What the customer got, as text for a report. */
export function describePage(page: PageAnswer): string {
  const { status, location, url, redirectedBy, error } = page
  if (error !== null) return error
  const excerpt = truncate(visibleText(page), 80)
  const redirect =
    redirectedBy === null
      ? ''
      : `${redirectedBy.status} ${redirectedBy.location === '' ? 'with an empty Location' : `to ${redirectedBy.location}`}, and then `
  const where = redirectedBy === null ? '' : ` at ${url}`
  return `the app answered ${redirect}${status}${where}${location === null ? '' : ` to ${location}`}${excerpt === '' ? '' : ` ${quoteText(excerpt)}`}`
}

/** Throws if the state of an order is not as it must be at the end of its case. */
export async function checkFinalState(
  { watch }: CallerContext,
  { links }: PlacedOrder,
  expected: 'paid' | 'unpaid',
): Promise<void> {
  const link = links[0]!
  const wasPaid = expected === 'paid'
  const problem =
    watch && checkFinalOrder(expected, await watch.readPatiently(link), watch.source(link), wasPaid)
  if (problem !== undefined) throw new CallerFailure(problem)
}
