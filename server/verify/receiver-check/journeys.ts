import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import { CaseFailure, type CaseTools, NO_ENDPOINT } from './case-tools.ts'
import { NotPossible } from './not-possible.ts'

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

/**
 * The page of return is slow, and the webhook arrives while it loads, a little later for each order. Then the other way round.
 */
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

/** Loads the pages of an open order and of a cancelled one several times. The latter may offer one new link. */
export async function reloadPage(tools: CaseTools): Promise<void> {
  const open = await tools.make()
  const since = await tools.now()
  for (const status of ['Success', 'none', 'none'] as const) await tools.browse(open, status)
  await expectLinks(tools, open, since, { most: 0, after: 'three visits of the page of an open order' })
  const cancelled = await tools.make()
  await tools.post(cancelled, { status: 'cancel' })
  const cancelledAt = await tools.now()
  for (const status of ['cancel', 'none', 'none'] as const) await tools.browse(cancelled, status)
  await expectLinks(tools, cancelled, cancelledAt, {
    most: 1,
    after: 'three visits of the page of a cancelled order',
  })
}

/** Throws if the app has created further links, which belong to no order of the check. */
async function expectLinks(
  tools: CaseTools,
  order: CheckedOrder,
  since: number,
  { most, after }: { readonly most: number; readonly after: string },
): Promise<void> {
  await tools.waitForOtherOrder()
  const { links } = await tools.sandbox.seenAfter(since, order.accountId)
  const further = links.filter((link) => !tools.orders.hasPlaced(link))
  if (further.length <= most) return
  const ids = further.map(({ id }) => id).join(', ')
  const count = `${further.length} further ${further.length === 1 ? 'link' : 'links'}`
  throw new CaseFailure({ problem: 'unasked-link', seen: `${after} created ${count}: ${ids}` }, order)
}

/** An app may ask once for each webhook and each visit. */
const MAX_RESENDS = 6

/** Counts what the app calls after a payment: a repetition, a late cancel and three visits ask for nothing. */
export async function countCalls(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  if (order.targets.length === 0) throw new NotPossible(NO_ENDPOINT, 'order')
  const since = await tools.now()
  await tools.sandbox.pay(order)
  await tools.expectPaid(order, since)
  await tools.post(order)
  await tools.post(order, { status: 'cancel' })
  for (const status of ['Success', 'cancel', 'none'] as const) await tools.browse(order, status)
  await expectLinks(tools, order, since, { most: 0, after: 'visits of the page of a paid order' })
  await tools.expectNoRefund(order, since)
  const { calls } = await tools.sandbox.seenAfter(since, order.accountId)
  const resends = calls.filter(({ operation }) => operation === 'sendWebhookViaPayId').length
  if (resends <= MAX_RESENDS) return
  const seen = `after one payment the app asked the service ${resends} times to send webhooks again`
  throw new CaseFailure({ problem: 'webhook-loop', seen }, order)
}

/** A customer returns with `status=Success` and the `pay_id` of somebody else, who has paid. */
export async function returnWithForeignPayId(tools: CaseTools): Promise<void> {
  const paid = await tools.make()
  const since = await tools.now()
  await tools.post(paid)
  await tools.expectPaid(paid, since)
  const order = await tools.make()
  await tools.browse({ ...order, payId: paid.payId }, 'Success')
  await tools.waitForOtherOrder()
  await tools.expectNow(order, 'unpaid')
}

/** A cancel of another account arrives. It changes nothing. */
export async function forgeCancel(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  const before = await tools.read(order)
  await tools.post(order, { status: 'cancel', user: 'forged' }, 'tolerated')
  await tools.waitForOtherOrder()
  const after = await tools.read(order)
  if ('unknown' in before || 'unknown' in after || before.value === after.value) return
  const seen = `the order was ${JSON.stringify(before.value)}, and is ${JSON.stringify(after.value)} after a cancel with the user_id of another account`
  throw new CaseFailure({ problem: 'cancelled-by-forgery', seen }, order)
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

/**
 * A cancel comes again, and the customer returns in between. For another order it comes several times at once. What it does must
 * happen once.
 */
export async function cancelTwice(tools: CaseTools): Promise<void> {
  const [order, other] = [await tools.make(), await tools.make()]
  await tools.post(order, { status: 'cancel' })
  await tools.waitForOtherOrder()
  const once = await tools.read(order)
  await tools.browse(order, 'cancel')
  await tools.post(order, { status: 'cancel' })
  await tools.post(other, { status: 'cancel', copies: 5 })
  await tools.waitForOtherOrder()
  for (const repeated of [order, other]) {
    await tools.expectNow(repeated, 'unpaid')
    const now = await tools.read(repeated)
    if ('unknown' in once || 'unknown' in now) continue
    const changed = now.counts.find(({ value }, index) => value !== (once.counts[index]?.value ?? 0))
    if (changed === undefined) continue
    const before = once.counts.find(({ name }) => name === changed.name)?.value ?? 0
    const how = repeated === order ? 'after the same cancel again' : 'after five copies of a cancel at once'
    const seen = `${changed.name} changed by ${before} after a cancel, and by ${changed.value} ${how}`
    throw new CaseFailure({ problem: 'changed-after-cancel', seen }, repeated)
  }
}
