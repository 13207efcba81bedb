import { createHash, randomUUID } from 'node:crypto'
import { createCookieJar } from '../receiver-check/cookie-jar.ts'
import { openPage, type PageAnswer, returnPageOf } from '../receiver-check/open-page.ts'
import type { CallerContext, CallerFailure, PlacedOrder } from './caller-case.ts'
import { NotPossibleError } from '../receiver-check/not-possible.ts'
import { redirectLocation } from '../../domain/webhooks/redirect.ts'
import { paymentOutcomes } from '../../domain/webhooks/webhook.ts'
import { personalValues } from '../receiver-check/order-template.ts'
import { isInAddress, pageSays } from '../receiver-check/page-says.ts'
import { openReturnPage } from './place-order.ts'
import { placeGoodOrder } from './returning-customers.ts'

/**
 * Places two orders, one after the other. Then opens the page of the second order as a stranger who knows only the first one and
 * guesses numbers. Searches it for the note of the second order and for the data of its customer.
 */
export async function openNeighbor(context: CallerContext): Promise<CallerFailure | undefined> {
  const earlier = await placeGoodOrder(context)
  const first = earlier.links[0]!
  const second = await placeGoodOrder(context)
  const mixedUp = await openBoth(context, earlier, second)
  if (mixedUp !== undefined) return mixedUp
  const own = returnPageOf(first)
  const link = second.links[0]!
  const page = returnPageOf(link)
  if (own === '' || page === '')
    throw new NotPossibleError('the link of the order has no callback_url', 'order')
  const whyNot = await context.sandbox.heldReason(new URL(page).origin)
  if (whyNot !== null) throw new NotPossibleError(`${page} cannot be opened: ${whyNot}`, 'option')
  const open = (address: string): Promise<PageAnswer> =>
    openPage(context, `the page ${address}`, address, { cookies: createCookieJar() })
  const { note, order } = second.order
  const elsewhere = await open(new URL(`/${randomUUID()}`, page).href)
  const data = personalValues(context.options.orderBody).filter((value) => !pageSays(elsewhere.text, value))
  const guesses = [
    // Every order of the check has the same customer, whose data may be shown to anyone who knows a secret.
    ...guessAddresses(own, page, order).map(({ guess, hasSecret }) => ({
      guess,
      secrets: hasSecret ? [note] : [note, ...data],
    })),
    ...paymentOutcomes.map((status) => ({
      guess: redirectLocation(own, link.payId, status),
      secrets: [note],
    })),
  ]
  for (const { guess, secrets } of guesses) {
    const answer = await open(guess)
    const isShown = secrets.some((secret) => !isInAddress(guess, secret) && pageSays(answer.text, secret))
    if (answer.error !== null || !isShown) continue
    return {
      problem: 'foreign-order',
      seen: `a stranger who knows ${own} and guesses a number reads the order of someone else at ${guess}`,
    }
  }
  if (isKeyMadeFromName(own, page, order) && pageSays((await open(page)).text, note)) {
    throw new NotPossibleError(
      'the key in the address of a page is only the name of its order, as base64 or as a hash, and the check has chosen this name: if the names of your orders can be guessed, like 1001 and 1002, anyone can open these pages',
      'order',
      page,
    )
  }
  return undefined
}

/** Whether the page of another order is found by a key that anyone can compute from the name of the order, and by nothing else. */
function isKeyMadeFromName(address: string, other: string, name: string): boolean {
  const parts = address.split(SEPARATORS)
  const different = other.split(SEPARATORS).filter((part, index) => part !== parts[index])
  return different.length > 0 && different.every((part) => isMadeFrom(name, part))
}

/** How often both pages are opened at once. */
const TIMES_AT_ONCE = 10

/**
 * Two customers open the pages of their orders, one after the other, and then at once. A cached page would show the second
 * customer the order of the first, and so would a page that keeps its order in a variable of the whole app.
 */
async function openBoth(
  context: CallerContext,
  first: PlacedOrder,
  second: PlacedOrder,
): Promise<CallerFailure | undefined> {
  const open = async (
    own: PlacedOrder,
    other: PlacedOrder,
    when = '',
  ): Promise<CallerFailure | undefined> => {
    const page = await openReturnPage(context, own.links[0]!, { cookies: own.cookies })
    if (page instanceof NotPossibleError || !pageSays(page.text, other.order.note)) return undefined
    return {
      problem: 'foreign-order',
      seen: `the page of one customer shows the order of another one${when}: ${page.url}`,
    }
  }
  const oneByOne = (await open(first, second)) ?? (await open(second, first))
  if (oneByOne !== undefined) return oneByOne
  const atOnce = await Promise.all(
    Array.from({ length: TIMES_AT_ONCE }, () => [
      open(first, second, AT_ONCE),
      open(second, first, AT_ONCE),
    ]).flat(),
  )
  return atOnce.find((failure) => failure !== undefined)
}

const AT_ONCE = ' when both customers load their pages at once'

/** The maximum difference between the two numbers. Other customers may order in between. */
const MAX_DISTANCE = 20

/**
 * The addresses at which someone who knows the first address may look for the second order. They have the number of the second
 * order, and either the secret of the first address or none.
 */
function guessAddresses(
  address: string,
  other: string,
  name: string,
): readonly { readonly guess: string; readonly hasSecret: boolean }[] {
  const [parts, others] = [address.split(SEPARATORS), other.split(SEPARATORS)]
  if (parts.length !== others.length) return []
  const isName = (index: number): boolean => name.split('-').includes(others[index]!)
  const isMade = (index: number): boolean => isMadeFrom(name, others[index]!)
  const isOnlyName = (index: number): boolean => isName(index) || isMade(index)
  const kinds = parts.map((part, index): 'same' | 'known' | 'secret' => {
    if (part === others[index]) return 'same'
    return isCountedUp(part, others[index]!) || isOnlyName(index) ? 'known' : 'secret'
  })
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

/** Replaces a part of a secret. */
const HOLE = '\0'

const HOLES = /\0(?:[._-]+\0)*/g

const EMPTY_PARAMETER = /[?&][\w-]+=(?=&|#|$)/g

/** Matches the separators between the parts of an address. Because of the parentheses, `split` keeps them. */
const SEPARATORS = /([/?&=#._-])/

/** A number, such as `17` or `order17`. */
const NUMBERED = /^([a-z]*)(\d+)$/i

function isCountedUp(part: string, other: string): boolean {
  const [, prefix, from] = NUMBERED.exec(part) ?? []
  const [, otherPrefix, to] = NUMBERED.exec(other) ?? []
  const distance = Number(to) - Number(from)
  return prefix === otherPrefix && distance > 0 && distance <= MAX_DISTANCE
}
