import { createCookieJar } from '../receiver-check/cookie-jar.ts'
import { openPage } from '../receiver-check/open-page.ts'
import { NotPossible, type CallerContext, type Failure } from './caller-case.ts'
import { pageSays } from './page-says.ts'
import { placeGoodOrder } from './returning-customers.ts'

/**
 * Places two orders, one after the other. If the addresses of their pages differ only in a number, anybody can count. Opens the
 * page of the second order as a stranger, and looks for its note.
 */
export async function openNeighbour(context: CallerContext): Promise<Failure | undefined> {
  const first = (await placeGoodOrder(context)).links[0]!
  const second = await placeGoodOrder(context)
  const link = second.links[0]!
  const page = link.callbackMappedTo ?? link.callbackUrl
  if (page === '') throw new NotPossible('the link of the order has no callback_url')
  if (!differInACount(first.callbackUrl, link.callbackUrl)) return undefined
  const whyNot = await context.sandbox.heldReason(new URL(page).origin)
  if (whyNot !== null) throw new NotPossible(`${page} cannot be opened: ${whyNot}`, 'option')
  const answer = await openPage(context, `the page ${page}`, page, { cookies: createCookieJar() })
  if (answer.error !== null || answer.status >= 400 || !pageSays(answer.text, second.order.note))
    return undefined
  return {
    problem: 'foreign-order',
    seen: `a stranger who counts up the number in ${first.callbackUrl} reads the order at ${link.callbackUrl}`,
  }
}

/** Other customers may order in between. */
const MAX_DISTANCE = 20

const numbersIn = (url: string): readonly string[] => url.match(/\d+/g) ?? []

function differInACount(one: string, other: string): boolean {
  const others = numbersIn(other)
  if (one.replace(/\d+/g, '#') !== other.replace(/\d+/g, '#')) return false
  const distances = numbersIn(one).map((number, index) => Math.abs(Number(others[index]) - Number(number)))
  return distances.filter((distance) => distance > 0).length === 1 && Math.max(...distances) <= MAX_DISTANCE
}
