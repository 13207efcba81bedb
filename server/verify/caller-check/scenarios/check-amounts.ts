import { fromEuros, toEuros } from '../../../domain/money/cents.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { type CallerContext, CallerFailure } from '../caller-case.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { describePage, isOrderRefused, refusalIn } from '../orders/check-order.ts'
import { createOrder, placeOrder } from '../orders/place-order.ts'

/** An app may take no orders of more euros, and may say so in any way. */
const LARGE = 1_000_000

/**
 * Places an order for each amount. Fails at the first order that gets no link, or a link with a different amount. Skips amounts
 * that the app does not accept, such as those below the price of its cheapest item. Says so if it accepts none, or no large one.
 */
export async function checkAmounts(context: CallerContext, amounts: readonly number[]): Promise<void> {
  let refused: string | undefined
  let wasChecked = false
  let isLargeRefused = false
  for (const euros of amounts) {
    const amount = toEuros(Math.round(euros * 100))
    const price = formatAmount(amount)
    const placed = await placeOrder(context, createOrder({ amount }))
    const [link] = placed.links
    const isUncalled = placed.calls.length === 0 && link === undefined
    if (isOrderRefused(placed) || (amount > LARGE && isUncalled)) {
      isLargeRefused ||= amount > LARGE
      refused = `${price}: ${describePage(placed.answers[0]!)}`
      continue
    }
    wasChecked = true
    const failure = placed.answers.find(({ error }) => error !== null)
    if (link === undefined && failure !== undefined) {
      throw new CallerFailure({ problem: 'no-answer', seen: `an order of ${price}: ${failure.error}` })
    }
    if (link === undefined) {
      const reason = refusalIn(placed) ?? describePage(placed.answers[0]!)
      throw new CallerFailure({ problem: 'no-link', seen: `an order of ${price} got no link: ${reason}` })
    }
    if (fromEuros(link.amount) !== fromEuros(amount)) {
      throw new CallerFailure({
        problem: 'wrong-amount',
        seen: `an order of ${price} got a link of ${formatAmount(link.amount)}`,
      })
    }
  }
  if (refused !== undefined && (!wasChecked || isLargeRefused))
    throw new NotPossibleError('the app created no order of such an amount', 'order', refused)
}
