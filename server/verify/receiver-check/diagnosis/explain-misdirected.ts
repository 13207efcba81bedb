import type { CheckedOrder, CheckResult } from '../../../contract/checks/check.ts'
import { formatAmount } from '../../../contract/format/values.ts'
import { unlessNoOrder } from '../../app/run/check-error.ts'
import type { OrderWatch } from '../../app/state/watch-order.ts'
import type { CaseContext } from '../case-context.ts'
import { sendGoodWebhook } from '../webhooks/send.ts'

const NAME = 'orders paid after all cases'

const MAX_ORDERS = 10

/** Fewer cases than these may fail for reasons of their own. */
const MIN_UNPAID = 2

/**
 * If several payments did not reach their orders, places and pays orders when nothing else happens, until one stays unpaid. If another order
 * gets its payment, this is the mistake, whatever the cases have seen.
 */
export async function explainMisdirected(
  context: CaseContext,
  results: readonly CheckResult[],
): Promise<readonly CheckResult[]> {
  const { watch, unreachableSince } = context
  const unpaid = results.filter(({ problem, fact }) => problem === 'not-paid' && fact === undefined)
  const isNamed = results.some(({ problem }) => problem === 'pays-another' || problem === 'shared-reference')
  if (watch === undefined || unreachableSince !== undefined || isNamed || unpaid.length < MIN_UNPAID)
    return results
  const found = await findMisdirected(context, watch)
  const [first] = unpaid
  if (found === undefined) return results
  return results.map((result) =>
    result === first ? { ...result, problem: 'pays-another', seen: `${result.seen}, and ${found}` } : result,
  )
}

async function findMisdirected(context: CaseContext, watch: OrderWatch): Promise<string | undefined> {
  let before = await readAll(watch)
  for (let paid = 0; paid < MAX_ORDERS; paid += 1) {
    const order = await context.orders.make({ name: NAME }).catch(unlessNoOrder)
    if (order === undefined) return undefined
    await sendGoodWebhook(context, order, NAME)
    const isUnpaid = await staysUnpaid(watch, order)
    const after = await readAll(watch)
    if (isUnpaid) {
      const found = describeReceiver(context, order, before, after)
      // An app may take long for each payment. Then the changes of other orders come from earlier webhooks.
      return found !== undefined && (await staysUnpaid(watch, order)) ? found : undefined
    }
    before = after
  }
  return undefined
}

interface Seen {
  readonly order: CheckedOrder
  readonly isPaid: boolean
  readonly received: number
}

async function readAll(watch: OrderWatch): Promise<ReadonlyMap<number, Seen>> {
  const all = await Promise.all(
    watch.newestOrders().map(async (order) => ({ order, seen: await watch.read(order) })),
  )
  return new Map(
    all.flatMap(({ order, seen }) =>
      'paid' in seen ? [[order.id, { order, isPaid: seen.paid, received: seen.received ?? 0 }]] : [],
    ),
  )
}

const staysUnpaid = async (watch: OrderWatch, order: CheckedOrder): Promise<boolean> => {
  const seen = await watch.waitUntilPaid(order)
  return 'paid' in seen && !seen.paid
}

/** The order that got the payment of another one: more than its own, or a payment although it has none. */
function describeReceiver(
  { remembered, untouched, watch }: CaseContext,
  { id, order = `the order of link ${id}`, amount }: CheckedOrder,
  before: ReadonlyMap<number, Seen>,
  after: ReadonlyMap<number, Seen>,
): string | undefined {
  const withoutPayment = new Set(
    [untouched, ...remembered.filter(({ state }) => state === 'unpaid').map((one) => one.order)].map(
      (one) => one?.id,
    ),
  )
  for (const [key, now] of after) {
    const then = before.get(key)
    if (key === id || then === undefined) continue
    const isNowPaid = now.isPaid && !then.isPaid && withoutPayment.has(key)
    const hasTooMuch = then.received > 0 && now.received > then.received
    if (!isNowPaid && !hasTooMuch) continue
    const what = isNowPaid
      ? 'is paid now, although no payment was sent for it'
      : `has received ${now.received} now, and ${then.received} before`
    return `when ${order} was paid with ${formatAmount(amount)} after all cases, it stayed unpaid, and ${now.order.order ?? 'another order'} ${what}${watch?.source(now.order).suffix ?? ''}`
  }
  return undefined
}
