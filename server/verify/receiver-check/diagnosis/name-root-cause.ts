import type { CheckedOrder, ReceiverProblem } from '../../../contract/checks/check.ts'
import type { CaseContext } from '../case-context.ts'
import type { CheckCase } from '../check-case.ts'
import type { SeenProblem } from '../../app/run/failure.ts'
import { sendGoodWebhook } from '../webhooks/send.ts'
import type { OrderWatch } from '../../app/state/watch-order.ts'

/** What can be seen if payments reach other orders. */
const SYMPTOMS: ReadonlySet<ReceiverProblem> = new Set([
  'not-paid',
  'paid-without-payment',
  'fulfilled-without-payment',
  'fulfilled-again',
  'unasked-refund',
])

const AT_ONCE = 6

const NAME = 'orders placed at once'

/** What can be seen if two orders have the same reference. */
const SYMPTOMS_OF_REFERENCE: ReadonlySet<ReceiverProblem> = new Set([
  ...SYMPTOMS,
  'not-accepted',
  'not-kept',
  'not-cancelled',
  'not-fulfilled',
  'wrong-record',
  'payment-forgotten',
  'cancelled-by-other',
])

/** What can be seen if the app has lost an order. */
const SYMPTOMS_OF_LOSS: ReadonlySet<ReceiverProblem> = new Set([
  'not-accepted',
  'not-paid',
  'not-kept',
  'undone-later',
  'not-cancelled',
  'payment-forgotten',
])

/** A case in which orders get lost for a reason of its own. */
const LOSING_CASE = 'killed-after-answer'

/** Says so if the app has lost the order of a failed case. */
export async function nameLostOrder(
  { watch }: CaseContext,
  { name }: Pick<CheckCase, 'name'>,
  order: CheckedOrder,
  seenProblem: SeenProblem,
): Promise<SeenProblem> {
  if (name === LOSING_CASE || !SYMPTOMS_OF_LOSS.has(seenProblem.problem)) return seenProblem
  if ((await watch?.isLost(order)) !== true) return seenProblem
  const seen = `${seenProblem.seen}, and your state URL says that there is no such order`
  return { ...seenProblem, problem: 'order-lost', seen }
}

/** Says so if the order of a failed case has the same reference as another order. */
export function nameSharedReference(
  { orders }: CaseContext,
  { order }: CheckedOrder,
  seenProblem: SeenProblem,
): SeenProblem {
  if (order === undefined || !SYMPTOMS_OF_REFERENCE.has(seenProblem.problem)) return seenProblem
  const shared = orders.sharedReferenceOf(order)
  if (shared === undefined) return seenProblem
  return { ...seenProblem, problem: 'shared-reference', seen: `${seenProblem.seen}, and ${shared}` }
}

/** Says so if a payment of the app pays another order, because then this is the mistake, whatever the case has seen. */
export async function namePaysAnother(
  context: CaseContext,
  { name, isLast }: Pick<CheckCase, 'name' | 'isLast'>,
  seenProblem: SeenProblem,
): Promise<SeenProblem> {
  if (isLast || context.untouched === undefined || !SYMPTOMS.has(seenProblem.problem)) return seenProblem
  const found = await findPaidAnother(context)
  if (found === undefined) return seenProblem
  context.paysAnotherSince ??= name
  return { ...seenProblem, problem: 'pays-another', seen: `${seenProblem.seen}, and ${found}` }
}

/**
 * Looks for an order that is paid although no payment was sent for it. Nobody pays the first order of the check before the last cases.
 * Other orders may share a number only because they are placed at the same moment, so places some at once, and pays one of them. This
 * is done once.
 */
async function findPaidAnother(context: CaseContext): Promise<string | undefined> {
  const { watch, untouched, acceptedEncoding } = context
  if (watch === undefined || untouched === undefined) return undefined
  const first = await findPaid(watch, [untouched])
  if (first !== undefined || acceptedEncoding.known() === undefined) return first
  context.paysAnother ??= payOneOfSeveral(context, watch)
  return context.paysAnother
}

async function findPaid(watch: OrderWatch, unpaid: readonly CheckedOrder[]): Promise<string | undefined> {
  const states = await Promise.all(unpaid.map(watch.readPatiently))
  const order = unpaid.find((_, index) => 'paid' in states[index]! && states[index].paid)
  return order && `another order is paid, although no payment was sent for it${watch.source(order).suffix}`
}

async function payOneOfSeveral(context: CaseContext, watch: OrderWatch): Promise<string | undefined> {
  const made = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, () => context.orders.make({ name: NAME })),
  )
  const placed = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  // Pays neither the first nor the last one, because an app that finds several orders takes one of these.
  const unpaid = placed.toSorted((one, other) => one.id - other.id)
  const [order] = unpaid.splice(AT_ONCE / 2, 1)
  if (order === undefined) return undefined
  await sendGoodWebhook(context, order, NAME)
  await watch.waitUntil(order, async ({ paid }) => paid || (await findPaid(watch, unpaid)) !== undefined)
  return findPaid(watch, unpaid)
}
