import type { CheckedOrder } from '../../../contract/checks/check.ts'
import type { CookieJar } from '../../app/orders/cookie-jar.ts'
import { openPage, type PageAnswer } from '../../app/orders/open-page.ts'
import { visibleText } from '../../app/orders/page-says.ts'
import { type CallerContext, CallerFailure } from '../caller-case.ts'
import { type Control, controlsIn } from './controls.ts'

/** Matches what a button says that cancels an order, in some languages. */
const CANCEL = /\b(cancel|storno|stornier\w*|annul\w*|abbestellen|cancelar)\b/i

/** Matches what leads to rules, to other pages, or to something other than the order. */
const OTHER =
  /polic|terms|condition|rule|right|how|question|help|info|newsletter|mail|subscri|account|search|cookie|login|upload|return|back|continue|shop\b|don.t|never|not\b|nicht|bedingung|zurück|widerruf|frist/i

const MAX_WORDS = 6

const saysCancel = (label: string): boolean =>
  CANCEL.test(label) && !OTHER.test(label) && label.split(' ').length <= MAX_WORDS

const cancelControls = (page: PageAnswer): readonly Control[] =>
  controlsIn(page).filter(({ label }) => saysCancel(label))

/** How long an app may take to handle a click. */
const CLICK_MS = 1_000

const REFUND = /refund|money back|erstatt|rückzahl|rembours|terugbeta/i

/** The customer of a paid order clicks what the pages of the order offer to cancel it. The app must refuse this, or refund the order. */
export async function clickCancel(
  context: CallerContext,
  link: CheckedOrder,
  cookies: CookieJar,
  pages: readonly PageAnswer[],
): Promise<void> {
  const { watch, sandbox, account, options } = context
  const [found] = pages.flatMap((shown) => cancelControls(shown).map((control) => ({ shown, control })))
  if (watch === undefined || found === undefined) return
  const { shown, control } = found
  const seq = await sandbox.newestSeq()
  const click = ({ url, body }: Control): Promise<PageAnswer> =>
    openPage(context, url, { where: `the answer of ${url}`, cookies, referer: shown.url, body })
  const answer = await click(control)
  // A link may lead to a page on which the customer confirms the cancel.
  const next = cancelControls(answer).find(({ url, body }) => url !== control.url && body !== undefined)
  const last = next === undefined ? answer : await click(next)
  const state = await watch.waitUntil(link, ({ paid }) => !paid, CLICK_MS)
  if (!('paid' in state) || state.paid || !isPlainCancel(state.value, options.cancelledValue)) return
  // The staff may refund the order by hand.
  if (REFUND.test(visibleText(last)) && !REFUND.test(visibleText(shown))) return
  let isRefunded = false
  await watch.waitUntil(link, async () => {
    isRefunded = (await sandbox.refundCalls(seq, account)).some(({ payId }) => payId === link.payId)
    return isRefunded
  })
  if (isRefunded) return
  const isPosted = (next ?? control).body !== undefined
  const what = isPosted ? 'button' : 'link'
  throw new CallerFailure({
    problem: 'not-kept',
    seen: `the order was paid, and the customer clicked the ${what} on ${shown.url} that cancels it. The order is now ${JSON.stringify(state.value)}, and the app has requested no refund`,
    fact: {
      title: `A ${what} on the page of an order cancels an order that is already paid, and refunds nothing`,
      remedy: `Look at the state of the order at each click: refuse to cancel a paid order, or refund it as well.${isPosted ? '' : ' Use a form with POST, because browsers and mail programs open links on their own.'}`,
    },
  })
}

/** Whether an order has the state of any cancelled order, and not one that says that its refund is still due. */
const isPlainCancel = (value = '', cancelledValue?: string): boolean =>
  cancelledValue === undefined
    ? /cancel|storn|annul|void/i.test(value) && !/request|pending|refund|due/i.test(value)
    : value === cancelledValue
