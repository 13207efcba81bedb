import type { CallerContext, Failure } from './caller-case.ts'
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

/** Places one order twice, one after the other. */
export async function judgeSecondTab(context: CallerContext): Promise<Failure | undefined> {
  const first = await placeGoodOrder(context)
  const second = await placeOrder(context, first.order, { cookies: first.cookies })
  return judgeOrder(
    context,
    {
      ...second,
      answers: [...first.answers, ...second.answers],
      links: [...first.links, ...second.links],
    },
    'link',
  )
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
