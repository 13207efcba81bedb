import { createHash, randomUUID } from 'node:crypto'
import { createCookieJar } from '../../app/orders/cookie-jar.ts'
import { openPage, type PageAnswer, returnPageOf } from '../../app/orders/open-page.ts'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { type CallerContext, CallerFailure, failureOf, type PlacedOrder } from '../caller-case.ts'
import { dataAddresses, linkedAddresses } from '../pages/data-addresses.ts'
import { forgeTokens } from '../guesses/forge-token.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { decodeEscapes } from '../../../domain/text/decode-escapes.ts'
import { redirectLocation } from '../../../domain/webhooks/redirect.ts'
import { paymentOutcomes } from '../../../domain/webhooks/webhook.ts'
import { personalValues } from '../../app/orders/order-template.ts'
import { isInAddress, pageSays } from '../../app/orders/page-says.ts'
import { numberBehind } from '../guesses/number-behind-hash.ts'
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
  const pairs = [[own, page] as const, ...pairUp(data, otherData)] as const
  const personal = await personalSecrets(context, page)
  const guessAll = async (known: readonly [Pair, ...Pair[]]): Promise<void> => {
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
  await guessAll([...pairs, ...linked])
  const { note, order } = second.order
  if (isKeyMadeFromName(own, page, order) && pageSays((await openAsStranger(context, page)).text, note)) {
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

/** The addresses that a stranger guesses who knows the first address of each pair. */
function guessPages(
  pairs: readonly [Pair, ...Pair[]],
  first: PlacedOrder,
  second: PlacedOrder,
  personal: readonly string[],
): readonly Guess[] {
  const { note, order } = second.order
  const link = second.links[0]!
  const [[own]] = pairs
  return [
    // Every order of the check has the same customer, whose data may be shown to anyone who knows a secret.
    ...pairs.flatMap((pair) =>
      guessAddresses(...pair, order).map(({ guess, hasSecret }) =>
        showing(hasSecret ? [note] : [note, ...personal])(guess),
      ),
    ),
    ...pairs
      .flatMap((pair) => forgeTokens(...pair, isCountedUp, (value) => value === order))
      .map(showing([note])),
    ...paymentOutcomes.map((status) => redirectLocation(own, link.payId, status)).map(showing([note])),
    ...pairs
      .flatMap((pair) => guessSecrets(...pair, order, link))
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

/** Whether the page of another order is found by a key that anyone can compute from the name of the order, and by nothing else. */
function isKeyMadeFromName(address: string, other: string, name: string): boolean {
  const { kinds, isMade } = compareAddresses(address, other, name)
  const different = [...kinds.keys()].filter((index) => kinds[index] !== 'same')
  return different.length > 0 && different.every(isMade)
}

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

/** The maximum difference between the two numbers. Other customers may order in between. */
const MAX_DISTANCE = 20

/** What the parts of the address of another order are for someone who knows the first address. */
function compareAddresses(address: string, other: string, name: string) {
  const isMade = (part: string): boolean => isMadeFrom(name, part)
  const isName = (part: string): boolean => name.split('-').includes(part)
  const isKnown = (part: string, otherPart: string): boolean =>
    isCountedUp(part, otherPart) || isName(otherPart) || isMade(otherPart)
  const pairs = pairParts(address, other, isKnown)
  const [parts, others] = [pairs.map(([part]) => part), pairs.map(([, part]) => part)]
  const kinds = pairs.map(([part, otherPart]): 'same' | 'known' | 'secret' => {
    if (part === otherPart) return 'same'
    return isKnown(part, otherPart) ? 'known' : 'secret'
  })
  return {
    parts,
    others,
    kinds,
    isName: (index: number) => isName(others[index]!),
    isMade: (index: number) => isMade(others[index]!),
  }
}

type Pair = readonly [string, string]

/**
 * The parts of two addresses, side by side. A random key may contain hyphens, or an equal character at the same place, so what
 * is left between the parts that are equal or known is one part. The result is empty if the addresses have different forms.
 */
function pairParts(
  address: string,
  other: string,
  isKnown: (part: string, otherPart: string) => boolean,
): readonly Pair[] {
  const [sections, others] = [address.split(SECTIONS), other.split(SECTIONS)]
  if (sections.length !== others.length) return []
  return sections.flatMap((section, index) => {
    const left = section.split(SEPARATORS)
    const right = others[index]!.split(SEPARATORS)
    const takeWhileKnown = (end: 0 | -1): readonly Pair[] => {
      const taken: Pair[] = []
      while (left.length > 0 && right.length > 0) {
        const pair = [left.at(end)!, right.at(end)!] as const
        if (pair[0] !== pair[1] && !isKnown(...pair)) break
        taken.push(pair)
        for (const parts of [left, right]) parts.splice(end, 1)
      }
      return taken
    }
    const before = takeWhileKnown(0)
    const after = takeWhileKnown(-1).toReversed()
    const between = [left.join(''), right.join('')] as const
    return [...before, ...(between.join('') === '' ? [] : [between]), ...after]
  })
}

/** A key of which an app compares at most so many characters can be guessed. */
const MAX_COMPARED = 8

/** What opens the page of any order if an app searches for the key as a pattern, or writes it into a query. */
const PATTERNS = ['%', '*', '.*', "' or '1'='1", 'null', 'undefined']

/** The addresses that open the page of another order if an app does not compare its key, or only a part of it. */
function guessSecrets(
  address: string,
  other: string,
  name: string,
  { id, payId }: Pick<CheckedOrder, 'id' | 'payId'>,
): readonly string[] {
  const { others, kinds } = compareAddresses(address, other, name)
  if (!kinds.includes('secret')) return []
  const fill = (secret: (part: string, index: number) => string): string =>
    others.map((part, index) => (kinds[index] === 'secret' ? secret(part, index) : part)).join('')
  const hole = fill(() => HOLE)
  const withKey = (key: string): string => hole.replace(HOLES, encodeURIComponent(key))
  const length = others
    .filter((_part, index) => kinds[index] === 'secret')
    .join('')
    .replace(/[._-]/g, '').length
  const changed = (isKept: (place: number) => boolean): string => {
    let place = -1
    return fill((part) =>
      part.replace(/[^._-]/g, (one) => ((place += 1), isKept(place) ? one : otherThan(one))),
    )
  }
  return [
    ...[name, String(id), String(payId), ...PATTERNS].map(withKey),
    // An operator of the database.
    ...(/=\0/.test(hole) ? [hole.replace(/=\0/g, '[$ne]=\0').replace(HOLES, 'x')] : []),
    ...paymentOutcomes.map((status) =>
      redirectLocation(
        changed(() => false),
        payId,
        status,
      ),
    ),
    ...(length > MAX_COMPARED + 4
      ? [changed((place) => place < MAX_COMPARED), changed((place) => place >= length - MAX_COMPARED)]
      : []),
  ]
}

/** Another character that a key may contain at the same place. */
const otherThan = (one: string): string =>
  /\d/.test(one) ? String((Number(one) + 1) % 10) : one.toLowerCase() === 'a' ? 'b' : 'a'

/**
 * The addresses at which someone who knows the first address may look for the second order. They have the number of the second
 * order, and either the secret of the first address or none.
 */
function guessAddresses(
  address: string,
  other: string,
  name: string,
): readonly { readonly guess: string; readonly hasSecret: boolean }[] {
  const { parts, others, kinds, isName, isMade } = compareAddresses(address, other, name)
  const isOnlyName = (index: number): boolean => isName(index) || isMade(index)
  const hasName = kinds.some((kind, index) => kind === 'known' && isName(index))
  const hasKey = kinds.some((kind, index) => kind === 'secret' || isMade(index))
  // If an app adds a key to the name of an order, it does not rely on the name being secret.
  const isGuessable = kinds.some(
    (kind, index) => kind === 'known' && ((hasName && hasKey) || !isOnlyName(index)),
  )
  if (!isGuessable) return []
  const fill = (secret: (part: string) => string): string =>
    parts.map((part, index) => (kinds[index] === 'secret' ? secret(part) : others[index])).join('')
  const withoutSecret = fill(() => HOLE).replace(HOLES, '')
  const withSecret = fill((part) => part)
  const guesses = [withSecret, withoutSecret, withoutSecret.replace(EMPTY_PARAMETER, '')]
  return [...new Set(guesses)].map((guess) => ({
    guess,
    hasSecret: guess === withSecret && kinds.includes('secret'),
  }))
}

/** Whether a part of an address is made from the name of its order alone, so that anyone who knows the name can make it. */
const isMadeFrom = (name: string, part: string): boolean =>
  ['md5', 'sha1', 'sha256'].some(
    (algorithm) => createHash(algorithm).update(name).digest('hex') === part.toLowerCase(),
  ) || (['base64url', 'hex'] as const).some((encoding) => Buffer.from(name).toString(encoding) === part)

const HOLE = '\0'

const HOLES = /\0(?:[._-]+\0)*/g

const EMPTY_PARAMETER = /[?&][\w-]+=(?=&|#|$)/g

/** Match the separators between and in the sections of an address. Because of the parentheses, `split` keeps them. */
const SECTIONS = /([/?&=#])/
const SEPARATORS = /([._-])/

/** A number, such as `17` or `order17`. */
const NUMBERED = /^([a-z]*)(\d+)$/i

/** What a key says in base64. `undefined` if it says something without a number, or not readable. */
function decoded(key: string): string | undefined {
  if (!/^[\w+/-]{6,}={0,2}$/.test(key)) return undefined
  const text = Buffer.from(key, 'base64').toString('latin1')
  return /^[ -~]*\d[ -~]*$/.test(text) ? text : undefined
}

const LAST_NUMBER = /\d+(?=\D*$)/

const numberIn = (text: string): string => LAST_NUMBER.exec(text)?.[0] ?? ''

const withoutNumber = (text: string): string => text.replace(LAST_NUMBER, '')

function isCountedUp(part: string, other: string): boolean {
  const [number, otherNumber] = [numberBehind(part), numberBehind(other)]
  if (number !== undefined && otherNumber !== undefined)
    return isCountedUp(String(number), String(otherNumber))
  const [text, otherText] = [decoded(part), decoded(other)]
  if (text !== undefined && otherText !== undefined)
    return (
      withoutNumber(text) === withoutNumber(otherText) && isCountedUp(numberIn(text), numberIn(otherText))
    )
  const [, prefix, from] = NUMBERED.exec(part) ?? []
  const [, otherPrefix, to] = NUMBERED.exec(other) ?? []
  const distance = Number(to) - Number(from)
  return prefix === otherPrefix && distance > 0 && distance <= MAX_DISTANCE
}
