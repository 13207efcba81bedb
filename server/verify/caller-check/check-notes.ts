import { late } from '../receiver-check/failure.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { CallerContext, CallerFailure } from './caller-case.ts'
import { createCookieJar } from '../receiver-check/cookie-jar.ts'
import type { PageAnswer } from '../receiver-check/open-page.ts'
import { NotPossibleError } from '../receiver-check/not-possible.ts'
import { describePage, isOrderRefused, checkPlacedOrder } from './check-order.ts'
import { createOrder, openReturnPage, placeOrder, postOrder } from './place-order.ts'
import { MARKUP, showsMarkup } from './shows-markup.ts'

/** Places an order with a note. Checks the note of its link, and how the pages of the app show it. */
export async function checkNote(context: CallerContext, text: string): Promise<CallerFailure | undefined> {
  const order = createOrder()
  const note = `${order.note.slice(-8)} ${text}`
  const placed = await placeOrder(context, { ...order, note })
  if (isOrderRefused(placed)) {
    throw new NotPossibleError(
      'the app created no order with this note',
      'order',
      describePage(placed.answers[0]!),
    )
  }
  const failure = checkPlacedOrder(context, placed, 'link')
  if (failure !== undefined) return failure
  const link = placed.links[0]!
  const isPassed = context.passesNotes || isCut(link.note, note)
  if (isPassed && !link.note.includes(note)) {
    return {
      problem: 'wrong-note',
      seen: `the note of the link is ${JSON.stringify(truncate(link.note, 120))}`,
    }
  }
  const page = await openReturnPage(context, link, { cookies: placed.cookies })
  if (!(page instanceof NotPossibleError) && (page.error !== null || page.status >= 500))
    return {
      problem: 'page-fails',
      seen: `the page of an order with this note: ${describePage(page)}`,
      ...late(page.isLate === true),
    }
  const pages = [...placed.answers, ...(page instanceof NotPossibleError ? [] : [page])]
  const garbled = pages.find((one) => isGarbled(one) && one.text.includes(text))
  if (garbled !== undefined) {
    const seen = `${garbled.url} is UTF-8, and names another encoding: ${charsetOf(garbled)}`
    return { problem: 'garbled-page', seen }
  }
  const unescaped = findMarkup(pages)
  if (unescaped !== undefined) return unescaped
  if (!isPassed) throw new NotPossibleError('the app does not give its links the notes of its orders')
  return undefined
}

/** Whether the app has sent only the beginning of the note. */
const isCut = (passed: string, note: string): boolean => passed !== '' && note.startsWith(passed)

/** The encoding that a page names. The header takes precedence. */
const charsetOf = ({ headerLines, text }: PageAnswer): string =>
  (/^content-type:.*charset *= *["']?([\w-]+)/im.exec(headerLines) ??
    /<meta\b[^>]*charset *= *["']?([\w-]+)/i.exec(text))?.[1] ?? 'utf-8'

/** Whether browsers show characters of a page wrongly that are not ASCII. The text of a page is always read as UTF-8. */
const isGarbled = (page: PageAnswer): boolean =>
  /[^\p{ASCII}]/u.test(page.text) && !/^utf-?8$/i.test(charsetOf(page))

const findMarkup = (pages: readonly PageAnswer[]): CallerFailure | undefined => {
  const page = pages.find(showsMarkup)
  return page && { problem: 'unescaped-note', seen: `${page.url} shows ${MARKUP} as markup` }
}

/** An order that cannot be placed may get no answer. */
const ODD_TIMEOUT_MS = 2_000

/**
 * Places orders with markup: in the note, even while the service refuses the call, and instead of the amount and the name. Error pages
 * often repeat what was sent.
 */
export async function checkMarkup(context: CallerContext): Promise<CallerFailure | undefined> {
  const failure = await checkNote(context, `Tom & Jerry ${MARKUP}`)
  if (failure !== undefined) return failure
  const order = createOrder()
  const note = `${order.note} ${MARKUP}`
  const refused = await placeOrder(context, { ...order, note }, { faults: ['refuse:Payments are closed'] })
  const named = await placeOrder(context, createOrder({ order: `${order.order} ${MARKUP}` }), {
    timeoutMs: ODD_TIMEOUT_MS,
  })
  const orderBody = context.options.orderBody.replace(
    /"?\{amount\}"?/,
    /^\s*\{/.test(context.options.orderBody) ? JSON.stringify(MARKUP) : encodeURIComponent(MARKUP),
  )
  const page = { ...context.page, options: { ...context.page.options, orderBody } }
  const priced = await postOrder({ page }, createOrder(), createCookieJar(), ODD_TIMEOUT_MS)
  return findMarkup([...refused.answers, ...named.answers, priced])
}
