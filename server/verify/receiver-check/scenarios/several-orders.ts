import { CaseFailure, checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { NotPossibleError } from '../../app/run/not-possible.ts'
import { NoOrderError } from '../../app/run/check-error.ts'
import { createMeeting } from '../webhooks/meeting.ts'

/** Two orders are paid. If a database column truncates their `pay_id`s, they are equal. */
export async function payWithLargePayIds(tools: CaseTools): Promise<void> {
  for (const order of await Promise.all([tools.make(), tools.make()])) {
    await tools.post(order, { payId: 'unknown' })
    await tools.expectPaid(order)
  }
}

const MANY = 20

export async function payManyAtOnce(tools: CaseTools): Promise<void> {
  const orders = await Promise.all(Array.from({ length: MANY }, () => tools.make()))
  const meeting = createMeeting(MANY)
  await Promise.all(orders.map((order, index) => tools.post(order, {}, 'accepted', meeting[index])))
  await Promise.all(orders.map((order) => tools.expectPaid(order)))
}

/** One customer orders two different things. Each order has its own link, and a payment pays only one of them. */
export async function orderTwoThings(tools: CaseTools): Promise<void> {
  const { orders } = tools
  const first = await tools.make()
  const second = await tools.make({ customer: orders.cookiesOf(first) }).catch((error: unknown) => {
    if (!(error instanceof NoOrderError) || error.hasFailed) throw error
    throw new NotPossibleError('a customer cannot have two open orders', 'order', error.reason)
  })
  if (first.id === second.id) {
    const seen = `the second order of a customer got the pay link of the first one: ${first.id}`
    throw new CaseFailure({ problem: 'wrong-link', seen }, second)
  }
  await tools.post(second)
  await tools.expectPaid(second)
  await tools.waitForOtherOrder()
  await tools.expectNow(first, 'unpaid')
  await tools.post(first)
  await tools.expectPaid(first)
}

/** Pays an order whose `pay_id` is not the id of its link, and another one whose `pay_id` is the id of a third link. */
export async function payWithOtherId(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  await tools.post(order)
  await tools.expectPaid(order)
  if (tools.context.watch === undefined) return
  const [similar, other] = [await tools.make(), await tools.make()]
  await tools.post({ ...similar, payId: other.id }, {}, 'tolerated')
  await tools.waitForOtherOrder()
  await checkWith(`after a payment whose pay_id is the id of another link, ${other.id}`, () =>
    tools.expectNow(other, 'unpaid'),
  )
}
