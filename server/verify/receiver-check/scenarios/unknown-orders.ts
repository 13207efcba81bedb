import type { CheckedOrder, Fact } from '../../../contract/checks/check.ts'
import { CaseFailure } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import type { WebhookVariant } from '../../app/webhooks/webhook-variant.ts'
import { CODE, hasRandomCodes, unknownNoteOf, unknownPayIdOf } from '../../app/webhooks/write-webhook.ts'

/** A `Success` that belongs to no order. It must neither pay an order nor create one. */
export async function payUnknownOrder(tools: CaseTools): Promise<void> {
  await payUnknownNote(tools, 'unknown')
  await payPattern(tools, 'pattern', 'is only the sign %')
  const { watch } = tools.context
  const similar = await payUnknownNote(tools, 'similar')
  await payPattern(tools, 'wildcard', 'has the sign _ instead of a letter')
  const note = unknownNoteOf(similar)
  if (watch === undefined || note === similar.note) return
  const invented = { ...similar, note, payId: unknownPayIdOf(similar), id: 0, linkId: '' }
  for (const name of new Set([note, ...(note.match(CODE) ?? [])])) {
    const state = await watch.readPatiently({ ...invented, order: name })
    if ('unknown' in state || !state.paid) continue
    const seen = `a webhook with the note ${JSON.stringify(note)} belongs to no order, and the app has created a paid order for it`
    throw new CaseFailure(
      { problem: 'paid-without-payment', seen, fact: CREATES_ORDERS },
      { ...invented, order: name },
    )
  }
}

const CREATES_ORDERS: Fact = {
  title: 'A webhook that belongs to no order creates a paid order',
  remedy: 'Refuse a webhook that matches no order. Only customers place orders.',
}

/** Sends a webhook whose note fits an order only as a pattern. `which` says how the note looks. */
async function payPattern(tools: CaseTools, note: 'pattern' | 'wildcard', which: string): Promise<void> {
  await payUnknownNote(tools, note).catch((error: unknown) => {
    if (!(error instanceof CaseFailure) || error.seenProblem.problem !== 'paid-without-payment') throw error
    const fact: Fact = {
      title: `A webhook whose note ${which} pays an order`,
      remedy:
        'Compare the whole note, or better a reference that your app has chosen, and compare it with =. LIKE, and similar searches, take % for any text and _ for any character, and also find the order of someone else whose note is similar.',
    }
    throw new CaseFailure({ ...error.seenProblem, fact }, error.order, error.probe)
  })
}

/** Sends a webhook whose `pay_id` and note belong to no order. Returns the order from which its other fields come. */
async function payUnknownNote(
  tools: CaseTools,
  note: NonNullable<WebhookVariant['note']>,
): Promise<CheckedOrder> {
  const orders = await Promise.all([tools.make(), tools.make()])
  if (note === 'wildcard') await findRandomCodes(orders, tools)
  const order = note === 'wildcard' ? orders.find(hasRandomCodes) : orders[0]
  if (order === undefined) return orders[0]
  await tools.post(order, { payId: 'unknown', to: 'receiver', note }, 'tolerated')
  if (tools.context.watch === undefined) return order
  await tools.waitForOtherOrder()
  // If an app accepts any order, it may choose the newest one.
  for (const one of orders) await tools.expectNow(one, 'unpaid')
  return order
}

/** Some random codes have no letter after a digit. Then orders are added until one has, unless only the digits differ: such codes are counted, not random. */
async function findRandomCodes(orders: CheckedOrder[], tools: CaseTools): Promise<void> {
  const withoutDigits = new Set(orders.map((order) => order.note.replaceAll(/\d/g, '')))
  if (withoutDigits.size === 1) return
  while (!orders.some(hasRandomCodes) && orders.length < MOST_ORDERS) orders.push(await tools.make())
}

/** A random code of eleven letters and digits has no letter after a digit in about a third of cases, and so in one of several thousand for all orders. */
const MOST_ORDERS = 8
