import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { CaseFailure, checkWith } from '../case-failure.ts'
import type { CaseTools } from '../case-tools.ts'
import { createMeeting, type Participant } from '../webhooks/meeting.ts'
import { needTargets, NotPossibleError, PAYMENTS_UNREAD } from '../../app/run/not-possible.ts'

const PAUSES_MS = [0, 5, 10, 20, 35, 60, 100, 150, 220, 300]

/**
 * The webhook arrives while the slow return page is loading, a little later for each order. Then the page is opened while the
 * webhook is being handled.
 */
export async function webhookDuringRedirect(tools: CaseTools): Promise<void> {
  const browse: OrderAction = (order) => tools.browse(order, 'Success')
  const post: OrderAction = (order) => tools.post(order)
  const orders = [...(await overlap(tools, browse, post)), ...(await overlap(tools, post, browse))]
  for (let burst = 0; burst < BURSTS; burst += 1) orders.push(...(await payAmongVisits(tools)))
  await Promise.all(orders.map((order) => tools.expectPaid(order)))
  await tools.waitForOtherOrder()
  await Promise.all(orders.map((order) => tools.expectNow(order, 'paid-once', true)))
  await payDuringCancelledReturn(tools)
}

/** The webhook arrives while the customer returns with status=cancel, as from a second tab. The app may refund the payment. */
async function payDuringCancelledReturn(tools: CaseTools): Promise<void> {
  const browse: OrderAction = (order) => tools.browse(order, 'cancel')
  const orders = await overlap(tools, browse, (order) => tools.post(order))
  await tools.waitForOtherOrder()
  for (const order of orders) {
    const isRefunded = (): Promise<boolean> => tools.isRefunded(order)
    await tools.waitUntil(async () => (await tools.read(order)).paid || (await isRefunded()))
    if (!(await isRefunded()))
      await checkWith('the customer returned with status=cancel when the webhook came', () =>
        tools.expectNow(order, 'paid-once', true),
      )
  }
}

const BURSTS = 3
const ORDERS_OF_BURST = 24

type Request = 'page' | 'webhook'

/** The sequences in which the requests of one order arrive. A second page can hide the effect of the first. */
const SEQUENCES: readonly (readonly Request[])[] = [
  ['page', 'webhook'],
  ['webhook', 'page'],
  ['page', 'page', 'webhook'],
  ['page', 'webhook', 'page'],
]

async function payAmongVisits(tools: CaseTools): Promise<readonly CheckedOrder[]> {
  const orders = await Promise.all(Array.from({ length: ORDERS_OF_BURST }, () => tools.make()))
  const requests = orders.flatMap((order, index) =>
    SEQUENCES[index % SEQUENCES.length]!.map((request) => ({ order, request })),
  )
  const meeting = createMeeting(requests.length)
  const send = async (order: CheckedOrder, request: Request, together: Participant): Promise<void> => {
    if (request === 'page') await tools.browse(order, 'Success', together)
    else await tools.post(order, {}, 'accepted', together)
  }
  await Promise.all(
    requests.map(({ order, request }, index) =>
      send(order, request, meeting[index]!).finally(meeting[index]!.leave),
    ),
  )
  return orders
}

type OrderAction = (order: CheckedOrder) => Promise<unknown>

/** Does two things at nearly the same time, with a different pause for each order. Returns the orders. */
const overlap = (tools: CaseTools, first: OrderAction, second: OrderAction): Promise<CheckedOrder[]> =>
  Promise.all(
    PAUSES_MS.map(async (pauseMs) => {
      const order = await tools.make()
      await Promise.all([first(order), pause(pauseMs).then(() => second(order))])
      return order
    }),
  )

/**
 * Loads the pages of an open order and of a cancelled order several times. The page of the cancelled order may offer one new
 * link.
 */
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

/** Throws if the app has created links that belong to no order of the check. */
async function expectLinks(
  tools: CaseTools,
  order: CheckedOrder,
  since: number,
  { most, after }: { readonly most: number; readonly after: string },
): Promise<void> {
  await tools.waitForOtherOrder()
  const links = await tools.sandbox.createdLinks(since, order.accountId)
  const further = links.filter((id) => !tools.orders.hasPlaced(id))
  if (further.length <= most) return
  const ids = further.join(', ')
  const count = `${further.length} further ${further.length === 1 ? 'link' : 'links'}`
  throw new CaseFailure({ problem: 'unasked-link', seen: `${after} created ${count}: ${ids}` }, order)
}

/** An app may request the webhook again once for each webhook and each visit. */
const MAX_RESENDS = 6

/** Counts the calls of the app after a payment. A repeated webhook, a late cancel and three visits need no calls. */
export async function countCalls(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  needTargets(order)
  if (tools.context.readsNoPayments) throw new NotPossibleError(PAYMENTS_UNREAD)
  const since = await tools.now()
  await tools.sandbox.pay(order)
  await tools.expectPaid(order)
  await tools.post(order)
  await tools.post(order, { status: 'cancel' })
  for (const status of ['Success', 'cancel', 'none'] as const) await tools.browse(order, status)
  await expectLinks(tools, order, since, { most: 0, after: 'visits of the page of a paid order' })
  await tools.expectNoRefund(order)
  const { calls } = await tools.sandbox.seenAfter(since, order.accountId)
  const resends = calls.filter(({ operation }) => operation === 'sendWebhookViaPayId').length
  if (resends <= MAX_RESENDS) return
  const seen = `after one payment the app asked the service ${resends} times to send webhooks again`
  throw new CaseFailure({ problem: 'webhook-loop', seen }, order)
}
