import { fromEuros, toEuros } from '../../domain/money/cents.ts'
import type { CallerContext, Failure } from './caller-case.ts'
import { describeAnswer, refusalIn } from './judge-order.ts'
import { createOrder, placeOrder } from './place-order.ts'

/** Places an order of each amount. Fails at the first one that gets no link, or a link with another amount. */
export async function judgeAmounts(
  context: CallerContext,
  amounts: readonly number[],
): Promise<Failure | undefined> {
  for (const euros of amounts) {
    const amount = toEuros(Math.round(euros * 100))
    const placed = await placeOrder(context, createOrder({ amount }))
    const [link] = placed.links
    if (link === undefined) {
      const reason = refusalIn(placed) ?? describeAnswer(placed.answers[0]!)
      return { problem: 'wrong-amount', seen: `an order of ${amount} got no link: ${reason}` }
    }
    if (fromEuros(link.amount) !== fromEuros(amount)) {
      return { problem: 'wrong-amount', seen: `an order of ${amount} got a link of ${link.amount}` }
    }
  }
  return undefined
}
