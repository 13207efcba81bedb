import { createCookieJar } from '../receiver-check/cookie-jar.ts'
import type { CallerContext, Failure, PlacedOrder } from './caller-case.ts'
import { judgeSeveralLinks } from './judge-links.ts'
import { judgeOrder } from './judge-order.ts'
import { createOrder, placeOrder } from './place-order.ts'
import { payOrder, placeGoodOrder } from './returning-customers.ts'

/** Orders while the service is down, and once more when it works again. */
export async function orderAgainAfterFailures(context: CallerContext): Promise<Failure | undefined> {
  const order = createOrder()
  const failed = await placeOrder(context, order, { faults: ['503'], isForever: true })
  const failure = judgeOrder(context, failed, 'failure')
  if (failure !== undefined) return failure
  const later = judgeOrder(context, await placeOrder(context, order, { cookies: failed.cookies }), 'link')
  return later && { ...later, seen: `once the service worked again: ${later.seen}` }
}

/** Places one order twice, one after the other: in a second tab of the same browser, or in another browser. */
export async function judgeSecondTab(
  context: CallerContext,
  browser: 'same' | 'other',
): Promise<Failure | undefined> {
  const first = await placeGoodOrder(context)
  const second = await placeOrder(context, first.order, {
    cookies: browser === 'same' ? first.cookies : createCookieJar(),
  })
  return judgeClicks(context, {
    ...second,
    answers: [...first.answers, ...second.answers],
    links: [...first.links, ...second.links],
  })
}

/** The customer clicks twice, and the second click arrives while the first link is created. */
export const judgeDoubleClick = async (context: CallerContext): Promise<Failure | undefined> =>
  judgeClicks(
    context,
    await placeOrder(context, createOrder(), { faults: ['latency:2s'], isClickedTwice: true }),
  )

/** Several clicks may get several links only if the app refunds what is paid twice. */
async function judgeClicks(context: CallerContext, placed: PlacedOrder): Promise<Failure | undefined> {
  if (placed.links.length <= 1) return judgeOrder(context, placed, 'link')
  const failure = await judgeSeveralLinks(context, placed.links)
  return failure ?? judgeOrder(context, { ...placed, areSeveralLinksRight: true }, 'link')
}

/** Pays an order, and places it once more. */
export async function orderAgainAfterPayment(context: CallerContext): Promise<Failure | undefined> {
  const placed = await placeGoodOrder(context)
  const failure = await payOrder(context, placed)
  if (failure !== undefined) return failure
  const { links } = await placeOrder(context, placed.order, { cookies: placed.cookies })
  const [second] = links
  return second && { problem: 'second-link', seen: `the paid order got another link: ${second.id}` }
}
