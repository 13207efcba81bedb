import { createCookieJar } from '../receiver-check/cookie-jar.ts'
import { openPage, returnPageOf } from '../receiver-check/open-page.ts'
import type { CallerContext, CallerFailure, PlacedOrder } from './caller-case.ts'
import { NotPossible } from '../receiver-check/not-possible.ts'
import { pageSays } from '../receiver-check/page-says.ts'
import { openReturnPage } from './place-order.ts'
import { placeGoodOrder } from './returning-customers.ts'

/**
 * Places two orders, one after the other. Opens the page of the second order like a stranger who knows only the first one:
 * increases the number in the address, and changes nothing else. Looks for the note of the second order on the page.
 */
export async function openNeighbour(context: CallerContext): Promise<CallerFailure | undefined> {
  const earlier = await placeGoodOrder(context)
  const first = earlier.links[0]!
  const second = await placeGoodOrder(context)
  const mixedUp = await openBoth(context, earlier, second)
  if (mixedUp !== undefined) return mixedUp
  const own = returnPageOf(first)
  const link = second.links[0]!
  const page = returnPageOf(link)
  if (page === '') throw new NotPossible('the link of the order has no callback_url', 'order')
  const guessed = countUp(own, page)
  if (guessed === undefined) return undefined
  const whyNot = await context.sandbox.heldReason(new URL(guessed).origin)
  if (whyNot !== null) throw new NotPossible(`${guessed} cannot be opened: ${whyNot}`, 'option')
  const answer = await openPage(context, `the page ${guessed}`, guessed, { cookies: createCookieJar() })
  if (answer.error !== null || answer.status >= 400 || !pageSays(answer.text, second.order.note))
    return undefined
  return {
    problem: 'foreign-order',
    seen: `a stranger who counts up the number in ${own} reads the order of somebody else at ${guessed}`,
  }
}

/**
 * Two customers open the pages of their orders, one after the other. A cached page would show the second customer the order of
 * the first.
 */
async function openBoth(
  context: CallerContext,
  first: PlacedOrder,
  second: PlacedOrder,
): Promise<CallerFailure | undefined> {
  for (const [own, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const page = await openReturnPage(context, own.links[0]!, { cookies: own.cookies })
    if (page instanceof NotPossible || !pageSays(page.text, other.order.note)) continue
    return {
      problem: 'foreign-order',
      seen: `the page of one customer shows the order of another one: ${page.url}`,
    }
  }
  return undefined
}

/** The maximum difference of the two numbers. Other customers may order in between. */
const MAX_DISTANCE = 20

/** The first address with the number of the second, if both differ only in a number that increases. */
function countUp(address: string, other: string): string | undefined {
  const [parts, others] = [address.split(SEPARATORS), other.split(SEPARATORS)]
  if (parts.length !== others.length) return undefined
  const counted = parts.map((part, index) => isCountedUp(part, others[index]!))
  if (counted.filter(Boolean).length !== 1) return undefined
  return parts.map((part, index) => (counted[index] ? others[index] : part)).join('')
}

/** The separators between the parts of an address. Because of the parentheses, a split keeps them. */
const SEPARATORS = /([/?&=#._-])/

/** A number, such as `17` or `order17`. */
const NUMBERED = /^([a-z]*)(\d+)$/i

function isCountedUp(part: string, other: string): boolean {
  const [, prefix, from] = NUMBERED.exec(part) ?? []
  const [, otherPrefix, to] = NUMBERED.exec(other) ?? []
  const distance = Number(to) - Number(from)
  return prefix === otherPrefix && distance > 0 && distance <= MAX_DISTANCE
}
