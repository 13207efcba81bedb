import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import { CaseFailure, type CaseTools, NotPossible } from './case-tools.ts'

/** Two orders have the same note, and one of them is paid. */
export async function shareNote(tools: CaseTools): Promise<void> {
  const { stateUrl = '' } = tools.context.options
  if (stateUrl.includes('{note}')) {
    throw new NotPossible('--state-url finds orders by their note, and two orders would share one', 'option')
  }
  const wanted = { wantedOrder: { note: `Roses ${randomUUID().slice(0, 8)}` }, isNoteShared: true } as const
  const first = await tools.make(wanted)
  const second = await tools.make(wanted)
  if (first.id === second.id || first.note !== second.note) {
    throw new NotPossible('the app gives the links of two orders different notes')
  }
  const since = await tools.now()
  await tools.post(second)
  await tools.expectPaid(second, since)
  await tools.expectNow(first, 'unpaid')
}

const PAUSES_MS = [0, 5, 10, 20, 30, 45, 60, 80, 100, 125, 150, 175, 200, 250, 300]

/** The page of return takes a while, and the webhook arrives meanwhile: a bit later for each order. Then the other way round. */
export async function webhookDuringRedirect(tools: CaseTools): Promise<void> {
  const since = await tools.now()
  const browse: Act = (order) => tools.browse(order, 'Success')
  const post: Act = (order) => tools.post(order)
  const orders = [...(await overlap(tools, browse, post)), ...(await overlap(tools, post, browse))]
  await Promise.all(orders.map((order) => tools.expectPaid(order, since)))
  await tools.waitForOtherOrder()
  await Promise.all(orders.map((order) => tools.expectNow(order, 'paid-once', true)))
}

type Act = (order: CheckedOrder) => Promise<unknown>

/** Does two things at nearly the same time, with another pause for each order. Returns the orders. */
const overlap = (tools: CaseTools, first: Act, second: Act): Promise<CheckedOrder[]> =>
  Promise.all(
    PAUSES_MS.map(async (pauseMs) => {
      const order = await tools.make()
      await Promise.all([first(order), pause(pauseMs).then(() => second(order))])
      return order
    }),
  )

/** Loads the page of an open order several times. Nothing must happen at the service. */
export async function reloadPage(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  const since = await tools.now()
  for (let load = 0; load < 3; load += 1) await tools.browse(order, load === 0 ? 'Success' : 'none')
  await tools.waitForOtherOrder()
  const { links } = await tools.sandbox.seenAfter(since, order.accountId)
  const extra = links.filter((link) => !tools.orders.hasPlaced(link))
  if (extra.length === 0) return
  const seen = `three visits of the page of an open order created ${extra.length} further links: ${extra.map(({ id }) => id).join(', ')}`
  throw new CaseFailure({ problem: 'unasked-link', seen }, order)
}

/** A cancel gives the order the state that the owner calls cancelled. */
export async function cancelOrder(tools: CaseTools): Promise<void> {
  const { cancelledValue } = tools.context.options
  if (cancelledValue === undefined) {
    throw new NotPossible('the state of a cancelled order is not known: pass --cancelled-value', 'option')
  }
  const order = await tools.make()
  await tools.post(order, { status: 'cancel' })
  const seen = await tools.needWatch().waitUntil(order, ({ value }) => value === cancelledValue)
  if ('unknown' in seen || seen.value === cancelledValue) return
  throw new CaseFailure(
    {
      problem: 'not-cancelled',
      seen: `after a cancel the state of the order is ${JSON.stringify(seen.value ?? 'unknown')}, not ${JSON.stringify(cancelledValue)}`,
    },
    order,
  )
}

/** A cancel comes twice, and the customer returns in between. What it does must happen once. */
export async function cancelTwice(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  await tools.post(order, { status: 'cancel' })
  await tools.waitForOtherOrder()
  const once = await tools.read(order)
  await tools.browse(order, 'cancel')
  await tools.post(order, { status: 'cancel' })
  await tools.waitForOtherOrder()
  await tools.expectNow(order, 'unpaid')
  const twice = await tools.read(order)
  if ('unknown' in once || 'unknown' in twice) return
  const [changed] = twice.counts.filter(({ value }, index) => value !== once.counts[index]?.value)
  if (changed === undefined) return
  const before = once.counts.find(({ name }) => name === changed.name)?.value ?? 0
  const seen = `${changed.name} changed by ${before} after a cancel, and by ${changed.value} after the same cancel again`
  throw new CaseFailure({ problem: 'changed-after-cancel', seen }, order)
}
