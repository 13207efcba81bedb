import { randomUUID } from 'node:crypto'
import { createCookieJar } from '../../app/orders/cookie-jar.ts'
import { openPage, type PageAnswer, returnPageOf } from '../../app/orders/open-page.ts'
import { type CallerContext, CallerFailure, failureOf, type PlacedOrder } from '../caller-case.ts'
import { dataAddresses, linkedAddresses } from '../pages/data-addresses.ts'
import { type ComparedAddresses, compareAddresses, type Pair } from '../guesses/compare-addresses.ts'
import { forgeTokens } from '../guesses/forge-token.ts'
import { guessAddresses, guessSecrets, isKeyMadeFromName } from '../guesses/guess-addresses.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'
import { redirectLocation } from '../../../domain/webhooks/redirect.ts'
import { paymentOutcomes } from '../../../domain/webhooks/webhook.ts'
import { personalValues } from '../../app/orders/order-template.ts'
import { isInAddress, pageSays } from '../../app/orders/page-says.ts'
import { NOTE, openReturnPageIfAny } from '../orders/place-order.ts'
import { payOrder, placeGoodOrder } from '../orders/pay-order.ts'

/**
 * Places two orders, one after the other. Then opens the page of the second order, and what it reads, as a stranger who knows only the
 * first one and guesses. Does the same after both are paid, and then also opens what the page links to. Searches all this for the note
 * of the second order and for the data of its customer.
 */
export async function openNeighbor(context: CallerContext): Promise<void> {
  const first = await placeGoodOrder(context)
  const second = await placeGoodOrder(context)
  const [data, otherData] = await openBoth(context, first, second)
  const own = returnPageOf(first.links[0]!)
  const page = returnPageOf(second.links[0]!)
  if (own === '' || page === '')
    throw new NotPossibleError('the link of the order has no callback_url', 'order')
  const whyNot = await context.sandbox.heldReason(new URL(page).origin)
  if (whyNot !== null) throw new NotPossibleError(`${page} cannot be opened: ${whyNot}`, 'option')
  await expectNoLeak(context, second)
  const { note, order } = second.order
  const compare = ([address, other]: Pair): ComparedAddresses => compareAddresses(address, other, order)
  const pages = compare([own, page])
  const pairs = [pages, ...pairUp(data, otherData).map(compare)] as const
  const personal = await personalSecrets(context, page)
  const guessAll = async (known: ComparedPairs): Promise<void> => {
    for (const { guess, isShown } of guessPages(known, first, second, personal)) {
      const answer = await openAsStranger(context, guess)
      if (answer.error !== null || !isShown(answer.text)) continue
      const seen = `a stranger who knows ${own} and guesses reads the order of someone else at ${guess}`
      throw new CallerFailure({ problem: 'foreign-order', seen })
    }
  }
  await guessAll(pairs)
  // Another case is about payments that do not pay.
  if (second.links[0]!.targets.length > 0)
    for (const one of [second, first]) await failureOf(() => payOrder(context, one))
  const linked = pairUp(await readLinks(context, first), await readLinks(context, second))
    .filter(([one, other]) => one !== other)
    .slice(0, MAX_LINKED)
  await guessAll([...pairs, ...linked.map(compare)])
  if (isKeyMadeFromName(pages) && pageSays((await openAsStranger(context, page)).text, note)) {
    throw new NotPossibleError(
      'the key in the address of a page is only the name of its order, as base64 or as a hash, and the check has chosen this name: if the names of your orders can be guessed, like 1001 and 1002, anyone can open these pages',
      'order',
      page,
    )
  }
}

const openAsStranger = (context: CallerContext, address: string): Promise<PageAnswer> =>
  openPage(context, address, { cookies: createCookieJar() })

/** What describes the customer in the body of an order, unless the app shows it on every page. */
async function personalSecrets(context: CallerContext, page: string): Promise<readonly string[]> {
  const elsewhere = await openAsStranger(context, new URL(`/${randomUUID()}`, page).href)
  return personalValues(context.options.orderBody).filter((value) => !pageSays(elsewhere.text, value))
}

/** An address that may open the page of another order, and whether what it shows belongs to that order. */
interface Guess {
  readonly guess: string
  readonly isShown: (text: string) => boolean
}

/** A guess whose page must not show these texts. */
const showing =
  (secrets: readonly string[]) =>
  (guess: string): Guess => ({
    guess,
    isShown: (text) => secrets.some(isSaidBeyond(guess, text)),
  })

type ComparedPairs = readonly [ComparedAddresses, ...ComparedAddresses[]]

/** The addresses that a stranger guesses who knows the first address of each pair. */
function guessPages(
  pairs: ComparedPairs,
  first: PlacedOrder,
  second: PlacedOrder,
  personal: readonly string[],
): readonly Guess[] {
  const { note } = second.order
  const link = second.links[0]!
  const [{ address: own }] = pairs
  return [
    // Every order of the check has the same customer, whose data may be shown to anyone who knows a secret.
    ...pairs.flatMap((pair) =>
      guessAddresses(pair).map(({ guess, hasSecret }) =>
        showing(hasSecret ? [note] : [note, ...personal])(guess),
      ),
    ),
    ...pairs.flatMap(forgeTokens).map(showing([note])),
    ...paymentOutcomes.map((status) => redirectLocation(own, link.payId, status)).map(showing([note])),
    ...pairs
      .flatMap((pair) => guessSecrets(pair, link))
      .map((guess) => ({ guess, isShown: (text: string) => showsOther(text, first.order.note) })),
  ]
}

/** From more links of a page, nothing is guessed. */
const MAX_LINKED = 5

/** The addresses that the page of an order links to. */
async function readLinks(
  context: CallerContext,
  { links, cookies }: PlacedOrder,
): Promise<readonly string[]> {
  const page = await openReturnPageIfAny(context, links[0]!, { cookies, status: 'Success' })
  return page === undefined || page.error !== null ? [] : linkedAddresses(page)
}

/** The addresses of two pages side by side. Pages of the same form have as many. */
const pairUp = (addresses: readonly string[], others: readonly string[]): readonly Pair[] =>
  addresses.length === others.length ? addresses.map((one, index) => [one, others[index]!] as const) : []

/** Whether a page says a text that its address does not contain. */
const isSaidBeyond =
  (address: string, page: string) =>
  (text: string): boolean =>
    !isInAddress(address, text) && pageSays(page, text)

/** Whether a page shows an order of the check other than the one with this note. */
const showsOther = (page: string, own: string): boolean =>
  [...decodeEscapes(page).matchAll(NOTE)].some(([note]) => note !== own)

const LOADED =
  /<(?:img|script|iframe|link|source|embed|video|audio|object)\b[^>]*?\b(?:src|href|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

/** Throws if a page loads something from another site, and gives it the address of the page. */
async function expectNoLeak(context: CallerContext, { links, cookies }: PlacedOrder): Promise<void> {
  const page = await openReturnPageIfAny(context, links[0]!, { cookies })
  if (page === undefined || page.error !== null) return
  const { pathname, search } = new URL(page.url)
  // A short address has no secret.
  if (pathname.length + search.length < MIN_SECRET_LENGTH) return
  const address = pathname + search
  const found = [...page.text.matchAll(LOADED)]
    .map(([, ...values]) => decodeEscapes(values.find((value) => value !== undefined) ?? ''))
    .filter((one) => URL.canParse(one, page.url) && new URL(one, page.url).host !== new URL(page.url).host)
    .find((one) => [address, encodeURIComponent(address)].some((text) => one.includes(text)))
  if (found === undefined) return
  const seen = `${page.url} loads ${found}, so that site knows the address`
  throw new CallerFailure({ problem: 'leaked-address', seen })
}

const MIN_SECRET_LENGTH = 16

/** How often both pages are opened at once. */
const TIMES_AT_ONCE = 10

/**
 * Two customers open the pages of their orders, and what scripts of the pages read, one after the other, and then at once. A cached
 * page would show the second customer the order of the first, and so would a page that keeps its order in a variable of the whole
 * app. Returns the addresses of the data of both pages.
 */
async function openBoth(
  context: CallerContext,
  first: PlacedOrder,
  second: PlacedOrder,
): Promise<readonly [readonly string[], readonly string[]]> {
  const open = async (own: PlacedOrder, other: PlacedOrder, when = ''): Promise<readonly string[]> => {
    const { cookies } = own
    const page = await openReturnPageIfAny(context, own.links[0]!, { cookies })
    if (page === undefined) return []
    const data = page.error === null ? await dataAddresses(context, page) : []
    const answers = await Promise.all(
      data.map((address) => openPage(context, address, { where: `the data ${address}`, cookies })),
    )
    const shown = [page, ...answers].find(({ text }) => pageSays(text, other.order.note))
    if (shown === undefined) return data
    const seen = `the page of one customer shows the order of another one${when}: ${shown.url}`
    throw new CallerFailure({ problem: 'foreign-order', seen })
  }
  const data = [await open(first, second), await open(second, first)] as const
  const opened = await Promise.allSettled(
    Array.from({ length: TIMES_AT_ONCE }, () => [
      open(first, second, AT_ONCE),
      open(second, first, AT_ONCE),
    ]).flat(),
  )
  for (const one of opened) if (one.status === 'rejected') throw one.reason
  return data
}

const AT_ONCE = ' when both customers load their pages at once'
