import { extractLinkId } from '../../../domain/links/link-id.ts'
import { isChosenByCheck } from '../../app/orders/order-template.ts'
import { openPage, type PageAnswer } from '../../app/orders/open-page.ts'
import { ASIDE } from '../../app/orders/submit-order.ts'
import type { CallerContext, PlacedOrder } from '../caller-case.ts'
import { type Control, controlsIn } from '../pages/controls.ts'

/** How many links of an answer the customer follows. */
const MAX_LINKS = 3

/** Matches what leads to the order and its payment rather than to the rest of the shop, in some languages. */
const NAMES_ORDER = /order|pay|bestell|zahl|command|betal|pedido/i

/**
 * An app may take each order once, and answer a second time only that it knows the order. The customer then starts the payment on
 * the page of the order: presses a button in the answer, or behind one of its links. `seq` is the position in the journal before the
 * order. Returns `undefined` if nothing leads to a pay link of the order.
 */
export async function continueOrder(
  context: CallerContext,
  placed: PlacedOrder,
  seq: number,
): Promise<PlacedOrder | undefined> {
  const [answer] = placed.answers
  const isFinal = placed.calls.length > 0 || placed.links.length > 0
  if (isFinal || answer === undefined || answer.error !== null || answer.status >= 500) return undefined
  const open = ({ url, body }: Control, { url: referer }: PageAnswer): Promise<PageAnswer> =>
    openPage(context, url, { cookies: placed.cookies, isPatient: true, referer, body })
  const withLink = (page: PageAnswer): Promise<PlacedOrder | undefined> =>
    withOwnLink(context, placed, page, seq)
  const startPayment = async (page: PageAnswer): Promise<PlacedOrder | undefined> => {
    const button = waysOn(page).find(({ body }) => body !== undefined)
    return (await withLink(page)) ?? (button && withLink(await open(button, page)))
  }
  const started = await startPayment(answer)
  if (started !== undefined) return started
  const links = waysOn(answer).filter(({ body }) => body === undefined)
  for (const link of links.slice(0, MAX_LINKS)) {
    const behind = await startPayment(await open(link, answer))
    if (behind !== undefined) return behind
  }
  return undefined
}

/** The links and buttons that may lead to the payment, the likely ones first. */
const waysOn = (page: PageAnswer): readonly Control[] =>
  controlsIn(page)
    .filter((one) => !one.isFilledIn && !ASIDE.test(one.label) && !ASIDE.test(new URL(one.url).pathname))
    .toSorted((one, other) => likelihood(other) - likelihood(one))

const likelihood = (control: Control): number =>
  NAMES_ORDER.test(control.label) ? 2 : NAMES_ORDER.test(pathOf(control)) ? 1 : 0

function pathOf({ url }: Control): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

/** The order with its link, if a page has it. Another button of the app may lead to the link of another order. */
async function withOwnLink(
  { sandbox, account, orderUrl, options, passesNotes }: CallerContext,
  placed: PlacedOrder,
  page: PageAnswer,
  seq: number,
): Promise<PlacedOrder | undefined> {
  const { order } = placed
  const linkIds = page.payLinks.map(extractLinkId)
  const choosesAmount = isChosenByCheck('amount', [orderUrl, options.orderBody])
  const link = (await sandbox.seenAfter(seq, account)).links.find(
    ({ linkId, amount, note }) =>
      linkIds.includes(linkId) &&
      (!choosesAmount || amount === order.amount) &&
      (!passesNotes || note.includes(order.note)),
  )
  return link && { ...placed, answers: [page], links: [{ ...link, order: order.order }] }
}
