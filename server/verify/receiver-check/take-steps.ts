import type { CheckedOrder, Fact } from '../../contract/checks/check.ts'
import { formatAmount } from '../../contract/format/values.ts'
import { quoteText } from '../../domain/text/quote-text.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { CaseContext } from './case-context.ts'
import { CaseFailure } from './case-failure.ts'
import type { CaseTools } from './case-tools.ts'
import type { CheckCase, CaseStep } from './check-case.ts'
import { checkChange } from '../app/state/check-answer-and-order.ts'
import { isRecordOf } from '../app/state/read-money.ts'
import { expectTruthAboutRefunds } from './scenarios/failed-refunds.ts'
import { restart } from './scenarios/kill-app.ts'
import { checkUnlessRefunded } from './scenarios/paid-orders.ts'
import type { ReadState } from '../app/state/read-order-state.ts'
import type { PageAnswer } from '../app/orders/open-page.ts'
import { PAID, visibleText } from '../app/orders/page-says.ts'
import { CACHED_MS, SETTLING_MS } from '../app/run/time-limit.ts'
import type { ObservedState } from '../app/state/watch-order.ts'
import type { FinalOrder, WebhookVariant } from '../app/webhooks/webhook-variant.ts'
import { unknownPayIdOf } from '../app/webhooks/write-webhook.ts'

/** Takes the steps of a case, and then checks the order. `wasPaid` means that the order was already paid before. */
export async function takeSteps(
  tools: CaseTools,
  checkCase: CheckCase,
  order: CheckedOrder,
  variant: WebhookVariant = {},
  wasPaid = false,
): Promise<void> {
  const trace = newTrace(wasPaid)
  for (const step of checkCase.steps ?? []) await takeStep(tools, checkCase, order, step, variant, trace)
  const isPaidTwice = paysTwice(checkCase)
  if (isPaidTwice) {
    await tools.waitForOtherOrder()
    const payments = [order, { ...order, payId: unknownPayIdOf(order) }]
    await tools.expectPossibleRefund(payments)
    await expectTruthAboutRefunds(tools, order, payments)
  }
  const check = (): Promise<void> => checkEnd(tools, { ...checkCase, isPaidTwice }, order, trace)
  await (isPaidTwice || checkCase.orRefunded ? check() : checkUnlessRefunded(tools, order, check))
  if (checkCase.finalOrder === 'paid-once' && isPaidOnce(checkCase)) await checkReceived(tools, order)
  remember(tools, checkCase, order)
}

/** Fields of a variant that do not change what a webhook says, so that it still means the same as a plain `Success`. */
const FORM_ONLY: ReadonlySet<string> = new Set([
  'encoding',
  'brackets',
  'charset',
  'extraFields',
  'slowMs',
  'copies',
])

/** Whether the steps are about one payment, and all webhooks say the same about it. */
const isPaidOnce = ({ steps = [] }: CheckCase): boolean =>
  steps.every(
    (step) =>
      !('together' in step) &&
      !('refund' in step) &&
      (!('send' in step) || Object.keys(step.send ?? {}).every((field) => FORM_ONLY.has(field))),
  )

/** Checks that a payment is recorded once, with its amount, however often its webhook is sent. The app may record it in cents. */
async function checkReceived(tools: CaseTools, order: CheckedOrder): Promise<void> {
  const state = await waitForReceived(tools, order, (received) => received <= order.amount)
  if (state === undefined) return
  const { received = 0 } = state
  const isTooLow = received > 0 && received < order.amount
  if (isTooLow ? await isRecordedSo(tools, order) : isRecord(order, received)) return
  const seen = `the order was paid once with ${formatAmount(order.amount)}, and the app has recorded ${received} as received`
  const [digits, others] = [received, order.amount].map((amount) => String(amount).replaceAll(/[.0]/g, ''))
  const fact = digits === others ? WRONG_ZEROS : isTooLow ? TOO_LOW : undefined
  throw new CaseFailure({ problem: 'wrong-record', seen, ...(fact && { fact }) }, order)
}

const isRecord = ({ amount }: CheckedOrder, received: number): boolean =>
  received === 0 || isRecordOf(amount, received)

/** Waits until an order has received its amount, or `isRight` accepts what it has received. `undefined` if its state cannot be read. */
async function waitForReceived(
  { context: { watch } }: CaseTools,
  order: CheckedOrder,
  isRight: (received: number) => boolean = () => false,
): Promise<ReadState | undefined> {
  const state = await watch?.waitUntil(
    order,
    ({ received = 0 }) => isRecord(order, received) || isRight(received),
  )
  return state === undefined || 'unknown' in state ? undefined : state
}

/** Whether it is usual that an app records less than what was paid, for example without its fees, or the app records it late. */
async function isRecordedSo(tools: CaseTools, order: CheckedOrder): Promise<boolean> {
  const usual = await tools.make()
  if (usual.amount === order.amount) return true
  await tools.post(usual)
  await tools.expectPaid(usual)
  const { received = 0 } = await tools.read(usual)
  if (!isRecordOf(usual.amount, received)) return true
  const now = await waitForReceived(tools, order)
  return now === undefined || isRecord(order, now.received ?? 0)
}

const TOO_LOW: Fact = {
  title: 'A payment is recorded with less than its amount',
  remedy:
    'Give amounts a column that holds every digit of large ones, such as cents in a BIGINT, and let the database refuse what does not fit. Some databases cut it silently.',
}

const WRONG_ZEROS: Fact = {
  title: 'A payment is recorded with a zero too few or too many',
  remedy:
    'Write cents with two digits, so that €70.07 does not become 70.7. Your pages may have the same mistake.',
}

/** Whether the steps send a `Success` of a different payment, which the app may refund. */
const paysTwice = ({ steps = [] }: CheckCase): boolean =>
  steps.some((step) => {
    const variants = 'together' in step ? step.together : 'send' in step ? [step.send] : []
    return variants.some((variant) => variant?.payId === 'unknown')
  })

/** What a case remembers about an order. */
export interface Trace {
  refunded: ObservedState | undefined
  wasPaid: boolean
  visits: number
  /** What the page said when the customer opened it without a status: before the payment, after it, and after the refund. */
  readonly pages: PageAnswer[]
}

export const newTrace = (wasPaid = false): Trace => ({ refunded: undefined, wasPaid, visits: 0, pages: [] })

export async function takeStep(
  tools: CaseTools,
  { answer: usual = 'accepted' }: Pick<CheckCase, 'answer'>,
  order: CheckedOrder,
  step: CaseStep,
  variant: WebhookVariant,
  trace: Trace,
): Promise<void> {
  const { sandbox, context } = tools
  if ('until' in step) {
    const seen = await context.watch?.waitUntilPaid(order)
    trace.wasPaid ||= seen !== undefined && 'paid' in seen && seen.paid
  } else if ('expect' in step) await tools.expectNow(order, step.expect, trace.wasPaid)
  else if ('pay' in step) await (step.pay === 'sandbox' ? sandbox.pay(order) : tools.pay(order))
  else if ('resend' in step) await sandbox.resend(order)
  else if (await isLeftOut(tools, step)) return
  else if ('restart' in step) await restart(tools)
  else if ('get' in step) await tools.getWebhook(order)
  else if ('together' in step) {
    const webhooks = step.together.map((one) => ({ order, variant: one }))
    await tools.postTogether(webhooks, usual)
  } else if ('refund' in step) trace.refunded = await refund(tools, order)
  else if ('browser' in step) {
    const open = step.isOpenedOften ? tools.browseInTabs : tools.browse
    const [page] = await Promise.all([
      open(order, step.browser),
      step.send && tools.post(order, { ...step.send, ...variant }, usual),
    ])
    await checkVisit(tools, order, step, page, trace)
  } else await tools.post(order, { ...step.send, ...variant }, step.answer ?? usual)
}

const isLeftOut = async ({ context }: CaseTools, step: CaseStep): Promise<boolean> =>
  'send' in step &&
  'isIfRead' in step &&
  step.send?.encoding !== undefined &&
  !(await context.acceptedEncoding.accepts(step.send.encoding))

async function checkVisit(
  tools: CaseTools,
  order: CheckedOrder,
  { browser, isOpenedOften }: Extract<CaseStep, { readonly browser: unknown }>,
  page: PageAnswer,
  trace: Trace,
): Promise<void> {
  trace.visits += 1
  const times = trace.visits === 1 ? '' : ` at visit ${trace.visits}`
  const visit = isOpenedOften ? ' in several tabs at once' : times
  if (trace.wasPaid && trace.refunded === undefined) tools.assertPage(order, page, visit)
  if (browser !== 'none') return
  trace.pages.push(page)
  if (trace.refunded !== undefined) await expectOtherPage(tools, order, trace)
}

/** Throws if the page of a refunded order still says the same as the page of the paid one: that it is paid. */
async function expectOtherPage(
  tools: CaseTools,
  order: CheckedOrder,
  { pages: [unpaid, paid, now], refunded }: Trace,
): Promise<void> {
  if (unpaid === undefined || paid === undefined || now === undefined) return
  // The app may keep the state as well, until its staff has sent the money back.
  if (refunded === undefined || !('paid' in refunded) || refunded.paid) return
  if (!PAID.test(visibleText(paid)) || PAID.test(visibleText(unpaid))) return
  const isSame = (page: PageAnswer): boolean => withoutDigits(page) === withoutDigits(paid)
  if (!isSame(now)) return
  const isUpdated = async (): Promise<boolean> => !isSame(await tools.browse(order, 'none'))
  if (await tools.waitUntil(isUpdated, CACHED_MS)) return
  const seen = `the order was paid and refunded, and its page says the same as before the refund: ${quoteText(truncate(visibleText(now), 80))}, at ${now.url}`
  throw new CaseFailure({ problem: 'stale-page', seen }, order)
}

const withoutDigits = (page: PageAnswer): string => visibleText(page).replace(/\d+/g, '')

/** Makes the app request the refund of a paid order, and approves it. Returns the state afterwards. */
async function refund(tools: CaseTools, order: CheckedOrder): Promise<ObservedState | undefined> {
  const { sandbox, context } = tools
  const before = await context.watch?.readPatiently(order)
  await tools.requestRefund(order).catch(async (error: unknown) => {
    // An app may refuse the refund of an order that is not paid.
    if (!(await tools.isRefundAccepted(order))) await tools.expectPaid(order)
    throw error
  })
  if (!(await tools.waitUntil(() => sandbox.approveRefund(order)))) {
    throw (await tools.refusedRefundOf(order)) ?? (await tools.missingRefund(order))
  }
  // The app reads the response to its call before it handles the webhook of a different order, so it is enough to wait for that
  // webhook.
  await tools.waitForOtherOrder()
  return context.watch?.waitUntil(order, (now) => isChanged(before, now), SETTLING_MS)
}

const isChanged = (before: ObservedState | undefined, after: ObservedState): boolean =>
  before !== undefined && 'value' in before && 'value' in after && before.value !== after.value

export async function checkEnd(
  tools: CaseTools,
  {
    finalOrder,
    orRefunded,
    isPaidTwice,
  }: {
    readonly finalOrder?: FinalOrder | undefined
    readonly orRefunded?: boolean | undefined
    readonly isPaidTwice: boolean
  },
  order: CheckedOrder,
  { refunded, wasPaid }: Trace,
): Promise<void> {
  const { watch } = tools.context
  if (watch === undefined || finalOrder === undefined || !isFindable(tools.context, order)) return
  if (finalOrder === 'paid' || finalOrder === 'paid-once') {
    await tools.expectPaid(order, wasPaid)
    if (finalOrder === 'paid') return
  }
  await tools.waitForOtherOrder()
  if (finalOrder !== 'unchanged') {
    if (orRefunded && (await tools.isRefunded(order))) return tools.expectOneRefund(order)
    if (orRefunded && (await tools.isInReview(order, await watch.readPatiently(order)))) return
    await tools.expectNow(order, finalOrder, wasPaid)
    if (!isPaidTwice) await tools.expectNoRefund(order)
    return
  }
  const seen = await watch.readPatiently(order)
  const problem = checkChange(refunded ?? seen, seen, watch.source(order))
  if (problem === undefined) return
  if (await settlesAs(tools, seen)) return
  throw new CaseFailure(problem, order)
}

/**
 * Whether another order that is only refunded gets the same state. An app may give an order a temporary state while a refund is
 * underway, and the final state only later.
 */
async function settlesAs(tools: CaseTools, seen: ObservedState): Promise<boolean> {
  if ('unknown' in seen || seen.paid) return false
  const order = await tools.make()
  await tools.pay(order)
  await tools.expectPaid(order)
  const before = await tools.read(order)
  const isSame = (now: ReadState): boolean =>
    now.value === seen.value && isChanged(before, now) && checkChange(now, seen, { suffix: '' }) === undefined
  await refund(tools, order)
  return isSame(await tools.waitForState(order, isSame, SETTLING_MS))
}

/** An app that finds orders by their notes cannot find an order without a note. */
const isFindable = ({ orders, options: { stateUrl } }: CaseContext, { note }: CheckedOrder): boolean =>
  note !== '' || (orders.appMakesOrders && stateUrl !== undefined && !stateUrl.includes('{note}'))

/** Remembers an order, so that the closing look reads it once more. */
function remember(
  { context: { watch, remembered } }: CaseTools,
  checkCase: CheckCase,
  order: CheckedOrder,
): void {
  const { finalOrder, orRefunded } = checkCase
  if (watch === undefined || orRefunded) return
  if (finalOrder === 'paid-once' || finalOrder === 'unpaid')
    remembered.push({
      order,
      state: finalOrder,
      isPaidOnce: finalOrder === 'paid-once' && isPaidOnce(checkCase),
      endedAt: performance.now(),
    })
}
