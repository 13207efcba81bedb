import { late } from '../../app/run/failure.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import { type CallerContext, CallerFailure, type PlacedOrder } from '../caller-case.ts'
import { createCookieJar } from '../../app/orders/cookie-jar.ts'
import type { PageAnswer } from '../../app/orders/open-page.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { describePage, isOrderRefused, checkPlacedOrder, refusalIn } from '../orders/check-order.ts'
import { createOrder, openReturnPageIfAny, placeOrder, postOrder } from '../orders/place-order.ts'
import { expectNoMarkup, MARKUP } from '../pages/shows-markup.ts'

/** Places an order with a note. Checks the note of its link, and how the pages of the app show it. */
async function checkNote(context: CallerContext, text: string): Promise<void> {
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
  checkPlacedOrder(context, placed, 'link')
  const link = placed.links[0]!
  const isPassed = context.passesNotes || isCut(link.note, note)
  const isAccepted = link.note.includes(note) || isReduced(link.note, note)
  if (isPassed && !isAccepted && !(await isShortened(context, link.note, note))) {
    const seen = `the note of the link is ${JSON.stringify(truncate(link.note, 120))}`
    throw new CallerFailure({ problem: 'wrong-note', seen })
  }
  const page = await openReturnPageIfAny(context, link, { cookies: placed.cookies })
  if (page !== undefined && (page.error !== null || page.status >= 500)) {
    const seen = `the page of an order with this note: ${describePage(page)}`
    throw new CallerFailure({ problem: 'page-fails', seen, ...late(page.isLate === true) })
  }
  const pages = page === undefined ? placed.answers : [...placed.answers, page]
  const garbled = pages.find((one) => isGarbled(one) && one.text.includes(text))
  if (garbled !== undefined) {
    const seen = `${garbled.url} is UTF-8, and names another encoding: ${charsetOf(garbled)}`
    throw new CallerFailure({ problem: 'garbled-page', seen })
  }
  expectNoMarkup(pages)
  if (!isPassed) throw new NotPossibleError('the app does not give its links the notes of its orders')
}

/** Whether the app has sent only the beginning of the note. */
const isCut = (passed: string, note: string): boolean => passed !== '' && note.startsWith(passed)

/** The own words of the app before and after the beginning of a note. `undefined` if no beginning is left. */
function partsOf(
  passed: string,
  note: string,
): { readonly kept: number; readonly after: string } | undefined {
  const start = passed.indexOf(note.slice(0, ID_LENGTH))
  if (start < 0) return undefined
  const rest = passed.slice(start)
  let kept = ID_LENGTH
  while (kept < note.length && rest[kept] === note[kept]) kept += 1
  return { kept, after: rest.slice(kept) }
}

/** Each note begins with an id of its own. */
const ID_LENGTH = 8

/** The reference of the app after a note may be a number that grows. */
const GROWTH = 2

/**
 * Whether the app keeps only the beginning of any long note, such as 60 characters, and may add a reference of its own. If it keeps the whole of
 * a plain note of this length, the contents of the other note are the reason.
 */
async function isShortened(context: CallerContext, passed: string, note: string): Promise<boolean> {
  const parts = partsOf(passed, note)
  if (parts === undefined || HALF_CHARACTER.test(passed)) return false
  const order = createOrder()
  const plain = order.note.slice(-ID_LENGTH).padEnd(Buffer.byteLength(note), ' plain text')
  const { links } = await placeOrder(context, { ...order, note: plain })
  const plainParts = links[0] && partsOf(links[0].note, plain)
  if (plainParts === undefined || plainParts.kept === plain.length) return false
  return Math.abs(parts.after.length - plainParts.after.length) <= GROWTH
}

/** What an app may write instead of characters that it cannot show. */
const FILLER = /[ ?_.-]/

/**
 * Whether the note of a link begins or ends with a reference of the app, and shows only some ASCII characters of what the customer has
 * written, as for a bank statement. The reference is enough to find the order.
 */
function isReduced(passed: string, note: string): boolean {
  const start = passed.indexOf(note.slice(0, ID_LENGTH))
  if (start < 0 || /[^\p{ASCII}]/u.test(passed)) return false
  const words = passed.slice(start)
  const [end = ''] = /\s\S*\d\S*$/.exec(words) ?? []
  const isOwnEnd = end !== '' && !note.includes(end.trim())
  if (!isOwnEnd && !/\d/.test(passed.slice(0, start))) return false
  const rest = [...note.normalize('NFKD')]
  const shown = words.slice(0, words.length - (isOwnEnd ? end.length : 0))
  return shown.split('').every((one) => {
    const place = rest.indexOf(one)
    if (place >= 0) rest.splice(0, place + 1)
    return place >= 0 || FILLER.test(one)
  })
}

const HALF_CHARACTER = /\p{Surrogate}|\uFFFD/u

/** Places an order with emoji and accents. Then one whose note is too long for most limits. */
export async function checkEmoji(context: CallerContext): Promise<void> {
  await checkNote(context, 'Zoë – 東京 ☕ 👩‍👩‍👧 🇪🇺')
  await checkCut(context)
}

/** Places an order without a note, which many customers leave out. */
export async function checkEmptyNote(context: CallerContext): Promise<void> {
  const placed = await placeOrder(context, createOrder({ note: '' }))
  // A page with the form and a message may have the status 200.
  const isAskedAgain =
    placed.calls.length === 0 && placed.answers.every(({ status, error }) => error === null && status < 500)
  if (isAskedAgain) {
    throw new NotPossibleError(
      'the app takes no order without a note',
      'order',
      describePage(placed.answers[0]!),
    )
  }
  checkPlacedOrder(context, placed, 'link')
}

/** More characters than most apps keep of a note. */
const LONG = 100

/**
 * Places orders with long notes of emoji. Each cut falls into an emoji of one of them, unless it takes whole characters. Half a
 * character is in the note of the link, or the call fails, although it works with a plain note of this length.
 */
async function checkCut(context: CallerContext): Promise<void> {
  const order = async (text: string): Promise<PlacedOrder> => {
    const wanted = createOrder()
    return placeOrder(context, { ...wanted, note: `${wanted.note.slice(-ID_LENGTH)} ${text}` })
  }
  for (const start of ['', 'x']) {
    const text = start + '😀'.repeat(LONG)
    const placed = await order(text)
    const [link] = placed.links
    const refusal = refusalIn(placed)
    const hasFailed = refusal !== undefined || placed.answers.some(({ status }) => status >= 500)
    if (link === undefined ? !hasFailed : !HALF_CHARACTER.test(link.note)) continue
    if (link === undefined && (await order('x'.repeat(Buffer.byteLength(text)))).links.length === 0) return
    const reason =
      refusal === undefined ? describePage(placed.answers[0]!) : `The service refused the call: ${refusal}`
    const got =
      link === undefined
        ? `no link, unlike one with a plain note of this length. ${reason}`
        : `a link whose note ends with half an emoji: ${JSON.stringify(link.note.slice(-3))}`
    throw new CallerFailure({
      problem: 'wrong-note',
      seen: `an order with a long note of emoji got ${got}`,
      fact: {
        title: 'Your app cuts long notes in the middle of a character',
        remedy:
          'Cut after a whole character: in JavaScript [...note].slice(0, 60).join(""), in PHP mb_substr. The service refuses a note with half a character, and the customer cannot pay.',
      },
    })
  }
}

/** The encoding that a page names. The header takes precedence. */
const charsetOf = ({ headerLines, text }: PageAnswer): string =>
  (/^content-type:.*charset *= *["']?([\w-]+)/im.exec(headerLines) ??
    /<meta\b[^>]*charset *= *["']?([\w-]+)/i.exec(text))?.[1] ?? 'utf-8'

/** Whether browsers show characters of a page wrongly that are not ASCII. The text of a page is always read as UTF-8. */
const isGarbled = (page: PageAnswer): boolean =>
  /[^\p{ASCII}]/u.test(page.text) && !/^utf-?8$/i.test(charsetOf(page))

/** An order that cannot be placed may get no answer. */
const ODD_TIMEOUT_MS = 2_000

/**
 * Places orders with markup: in the note, even while the service refuses the call, and instead of the amount and the name. Error pages
 * often repeat what was sent.
 */
export async function checkMarkup(context: CallerContext): Promise<void> {
  await checkNote(context, `Tom & Jerry ${MARKUP}`)
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
  expectNoMarkup([...refused.answers, ...named.answers, priced])
}
