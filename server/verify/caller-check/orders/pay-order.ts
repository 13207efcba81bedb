import { checkFinalOrder } from '../../app/state/check-answer-and-order.ts'
import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { type CallerContext, CallerFailure, type PlacedOrder } from '../caller-case.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { createOrder, placeOrder } from './place-order.ts'

/** Places an order whose link can be paid. */
export async function placeGoodOrder(context: CallerContext): Promise<PlacedOrder> {
  const placed = await placeOrder(context, createOrder())
  if (placed.links.length > 0) return placed
  throw new NotPossibleError('the app created no link this time')
}

/** Pays the link of an order while the browser is closed, and waits until the app knows about it. */
export async function payOrder(
  { sandbox, watch, orderUrl }: CallerContext,
  { links }: PlacedOrder,
): Promise<void> {
  const link = links[0]!
  const isSilent = link.targets.length === 0
  if (isSilent && watch === undefined) {
    throw new NotPossibleError(
      'no webhook can arrive, because the link of the order has no payment_endpoint',
      'order',
    )
  }
  await sandbox.pay(link)
  if (watch === undefined) return
  // Without a webhook, there is nothing to wait for.
  const seen = await (isSilent ? watch.readPatiently(link) : watch.waitUntilPaid(link))
  const problem = checkFinalOrder('paid', seen, watch.source(link))
  if (problem === undefined) return
  const isOwnDefault = link.targets.some(({ url }) => new URL(url).origin === new URL(orderUrl).origin)
  const isExplained = link.paymentEndpoint === '' && !isOwnDefault
  throw new CallerFailure({ ...problem, ...(isExplained ? { fact: withoutEndpoint(link) } : {}) })
}

const withoutEndpoint = ({ targets: [target] }: CheckedOrder): Fact => ({
  title: 'Nothing tells your app about payments: its links have no payment_endpoint',
  remedy: `Pass payment_endpoint in each call that creates a link. Without it, the service ${target === undefined ? 'sends no webhook' : `sends the webhook to the default of your account, ${target.url}`}.`,
})
