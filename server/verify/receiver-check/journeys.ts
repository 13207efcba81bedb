import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import { formatAmount } from '../../contract/format/values.ts'
import type { PaymentOutcome } from '../../domain/webhooks/webhook.ts'
import { CaseFailure, type CaseTools, checkWith } from './case-tools.ts'
import { createMeeting, type Participant } from './meeting.ts'
import { pageSays } from './page-says.ts'
import { needTargets, NotPossibleError, PAYMENTS_UNREAD } from './not-possible.ts'
import { isAskedFor } from './sandbox-port.ts'
import { SETTLING_MS } from './time-limit.ts'
import { orderAgain } from './two-links.ts'
import type { WebhookVariant } from './webhook-variant.ts'

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

/** A customer returns with `status=Success` and the `pay_id` of someone else, whose webhook comes later, or has come. */
export async function returnWithForeignPayId(tools: CaseTools): Promise<void> {
  await claimPayment(tools)
  const paid = await tools.make()
  await tools.post(paid)
  await tools.expectPaid(paid)
  const order = await tools.make()
  const page = await tools.browse({ ...order, payId: paid.payId }, 'Success')
  await tools.waitForOtherOrder()
  await tools.expectNow(order, 'unpaid')
  const note = tools.orders.noteOf(paid)
  if (note === undefined || !pageSays(page.text, note)) return
  const seen = `the page of an order shows the order of someone else if the address has its pay_id: ${page.url}`
  throw new CaseFailure({ problem: 'leaked-order', seen }, order)
}

/** A customer returns with the `pay_id` of someone else, before the webhook of this payment comes. */
async function claimPayment(tools: CaseTools): Promise<void> {
  const [order, other] = [await tools.make(), await tools.make()]
  const since = await tools.now()
  await tools.browse({ ...order, payId: other.payId }, 'Success')
  await checkWith('the page of another order was opened with the pay_id of a payment, and', async () => {
    await tools.post(other)
    await tools.waitForOtherOrder()
    await tools.expectNow(order, 'unpaid')
    await tools.expectPaid(other)
  })
  const calls = await tools.sandbox.resendCalls(since, order.accountId)
  if (isAskedFor(calls, order, 'Success') || isAskedFor(calls, other, 'Success'))
    await expectNoForeignRequest(tools, order)
}

/**
 * Opens return pages with the pay_id of someone else, and looks for calls of `sendWebhookViaPayId`. An app may ask for the webhook of a
 * customer who returns first. Throws if it also takes the status from the address, and so lets anyone choose what the service sends.
 */
async function expectNoForeignRequest(tools: CaseTools, { accountId }: CheckedOrder): Promise<void> {
  const isAskedAfterVisit = async (status: PaymentOutcome): Promise<boolean> => {
    const since = await tools.now()
    const [order, other] = [await tools.make(), await tools.make()]
    await tools.browse({ ...order, payId: other.payId }, status)
    await tools.waitForOtherOrder()
    const calls = await tools.sandbox.resendCalls(since, order.accountId)
    return isAskedFor(calls, order, status) || isAskedFor(calls, other, status)
  }
  if (!(await isAskedAfterVisit('Success'))) return
  if (!(await isAskedAfterVisit('cancel'))) return expectNoPaymentByVisit(tools, accountId)
  const seen =
    'the return page of an unpaid order was opened with the pay_id of another one, and the app called sendWebhookViaPayId with the status in the address, Success or cancel'
  throw new CaseFailure({ problem: 'unpaid-webhook', seen }, await tools.make())
}

/** Opens the return page of an unpaid order while the service sends the webhook `Success` of unpaid links. Throws if this pays the order. */
async function expectNoPaymentByVisit(tools: CaseTools, account: string): Promise<void> {
  const undo = await tools.sandbox.sendUnpaid(account)
  try {
    const order = await tools.make()
    await tools.browse(order, 'Success')
    if (!(await tools.waitForState(order, ({ paid }) => paid, SETTLING_MS)).paid) return
    const seen =
      'nobody has paid the order, its return page was opened, and the order is paid: the app asked for its webhook with the status Success, and the service sent it, as it does with the behavior resendUnpaid=send'
    throw new CaseFailure({ problem: 'unpaid-webhook', seen }, order)
  } finally {
    await undo()
  }
}

/** A cancel for another account arrives. It must not have the effect of a real cancel. */
export async function forgeCancel(tools: CaseTools): Promise<void> {
  const [order, cancelled] = [await tools.make(), await tools.make()]
  const before = await tools.read(order)
  const readsJson = await tools.context.acceptedEncoding.accepts('json')
  for (const encoding of readsJson ? (['form', 'json'] as const) : (['form'] as const))
    await tools.post(order, { status: 'cancel', user: 'forged', encoding }, 'tolerated')
  await tools.post(cancelled, { status: 'cancel' })
  await tools.waitForOtherOrder()
  const [after, real] = [await tools.read(order), await tools.read(cancelled)]
  if (before.value === real.value)
    throw new NotPossibleError('a cancel does not change the state of an order')
  if (before.value === after.value || after.value !== real.value) return
  const seen = `the order was ${JSON.stringify(before.value)}, and is ${JSON.stringify(after.value)} after a cancel with the user_id of another account`
  throw new CaseFailure({ problem: 'cancelled-by-forgery', seen }, order)
}

/** Floating-point arithmetic makes these amounts inexact. */
const INEXACT_AMOUNTS = [8.2, 19.99, 1019.95]

/** JSON with an inexact amount, with a status in lower case, and with a cancel. An app that reads no JSON at all fails in another case. */
export async function sendJsonFields(tools: CaseTools): Promise<void> {
  if (!(await tools.context.acceptedEncoding.accepts('json'))) return
  const amounts = tools.orders.canChooseAmounts ? INEXACT_AMOUNTS : []
  await Promise.all([
    ...amounts.map((amount) => payInJson(tools, { amount }, {})),
    payInJson(tools, undefined, { status: 'success' }),
    cancelInJson(tools),
  ])
}

async function payInJson(
  tools: CaseTools,
  wantedOrder: { readonly amount: number } | undefined,
  variant: WebhookVariant,
): Promise<void> {
  const order = await tools.make({ wantedOrder })
  const what = variant.status === undefined ? formatAmount(order.amount) : `the status ${variant.status}`
  await checkWith(`a webhook in JSON with ${what}`, async () => {
    await tools.post(order, { ...variant, encoding: 'json' })
    await tools.expectPaid(order)
  })
}

/** A cancel in JSON must have the same effect as one in a form. */
async function cancelInJson(tools: CaseTools): Promise<void> {
  const [order, other] = [await tools.make(), await tools.make()]
  const before = await tools.read(order)
  if (!(await tools.context.acceptedEncoding.accepts('form'))) return
  await tools.post(other, { status: 'cancel', encoding: 'form' })
  const { value } = await tools.waitForState(other, (state) => state.value !== before.value, SETTLING_MS)
  if (value === before.value) return
  await tools.post(order, { status: 'cancel', encoding: 'json' })
  const after = await tools.waitForState(order, (state) => state.value === value)
  if (after.value === value) return
  const seen = `after a cancel in JSON the state of the order is ${JSON.stringify(after.value)}, and after one in a form ${JSON.stringify(value)}`
  throw new CaseFailure({ problem: 'not-cancelled', seen }, order)
}

const IS_BOOLEAN = /^(true|false)$/

const CANCELLED_UNKNOWN = 'the state of a cancelled order is not known: pass --cancelled-value'

const ONLY_BOOLEAN =
  'the state at --state-pointer is only true or false, and does not show whether an order is cancelled. If your app shows a state in words, pass --state-pointer, --paid-value and --cancelled-value'

/** A cancel must give the order the state in `--cancelled-value`. So must a cancel of the link of a second attempt. */
export async function cancelOrder(tools: CaseTools): Promise<void> {
  const { cancelledValue } = tools.context.options
  if (cancelledValue === undefined) {
    const { value = '' } = await tools.read(tools.context.untouched ?? (await tools.make()))
    throw new NotPossibleError(IS_BOOLEAN.test(value) ? ONLY_BOOLEAN : CANCELLED_UNKNOWN, 'option')
  }
  const order = await tools.make()
  await expectCancelled(tools, order, cancelledValue, 'after a cancel')
  const newer = tools.orders.canOrderAgain ? await orderAgain(tools, order) : undefined
  if (newer === undefined || newer.id === order.id) return
  await expectCancelled(tools, newer, cancelledValue, 'after a cancel of its second link')
}

async function expectCancelled(
  tools: CaseTools,
  order: CheckedOrder,
  cancelledValue: string,
  when: string,
): Promise<void> {
  const before = await tools.read(order)
  await tools.post(order, { status: 'cancel' })
  const after = await tools.waitForState(order, ({ value }) => value === cancelledValue)
  if (after.value === cancelledValue) return
  const { value = 'unknown' } = after
  const seen = `${when} the state of the order is ${JSON.stringify(value)}, not ${JSON.stringify(cancelledValue)}`
  const isChanged = after.value !== undefined && before.value !== after.value
  const advice = isChanged
    ? `. If ${JSON.stringify(value)} means cancelled, pass --cancelled-value ${value}`
    : ''
  throw new CaseFailure({ problem: 'not-cancelled', seen: seen + advice }, order)
}

const REPEATED_AT_ONCE = 10

/** A cancel is sent again after the customer has returned, or several times at once. It must take effect only once. */
export async function cancelTwice(tools: CaseTools): Promise<void> {
  const order = await tools.make()
  const others = await Promise.all(Array.from({ length: REPEATED_AT_ONCE }, () => tools.make()))
  await tools.post(order, { status: 'cancel' })
  await tools.waitForOtherOrder()
  const once = await tools.read(order)
  if (order.callbackUrl !== '') await tools.browse(order, 'cancel')
  await tools.post(order, { status: 'cancel' })
  const meeting = createMeeting(others.length)
  await Promise.all(
    others.map((other, index) =>
      tools.post(other, { status: 'cancel', copies: 5 }, 'accepted', meeting[index]),
    ),
  )
  await tools.waitForOtherOrder()
  for (const repeated of [order, ...others]) {
    const now = await tools.read(repeated)
    const changed = now.counts.find(({ value }, index) => value !== (once.counts[index]?.value ?? 0))
    if (changed === undefined) {
      await tools.expectNow(repeated, 'unpaid')
      continue
    }
    const before = once.counts.find(({ name }) => name === changed.name)?.value ?? 0
    const how = repeated === order ? 'after the same cancel again' : 'after five copies of a cancel at once'
    const seen = `${changed.name} changed by ${before} after a cancel, and by ${changed.value} ${how}`
    throw new CaseFailure({ problem: 'changed-after-cancel', seen }, repeated)
  }
}
