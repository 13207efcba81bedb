import { setTimeout as pause } from 'node:timers/promises'
import { checkFinalOrder } from '../../app/state/check-answer-and-order.ts'
import type { OrderWatch } from '../../app/state/watch-order.ts'
import type { CaseContext } from '../case-context.ts'
import { CaseFailure } from '../case-failure.ts'
import { createMeeting } from '../webhooks/meeting.ts'
import { createWebhookTools } from './webhooks.ts'

const PAGE_POLL_MS = 100

const OTHER_ORDER = 'another order'

/** Cases that need another order within this time share one. Until that order is made, further cases share it as well. */
const SHARING_MS = 20

/** Polls until a condition is true, but no longer than the app may take. */
export async function waitUntil(
  context: CaseContext,
  isTrue: () => Promise<boolean>,
  limitMs = context.patience.fullMs,
): Promise<boolean> {
  const end = performance.now() + limitMs
  for (;;) {
    if (await isTrue()) return true
    if (performance.now() >= end) return false
    await pause(PAGE_POLL_MS, undefined, { signal: context.options.signal })
  }
}

/**
 * Waits until the app has had time to handle what was sent. A fixed pause would not be enough, so a good webhook for a
 * different order is sent: when that order is paid, the app has handled the earlier webhooks. Cases that wait at the same
 * moment share the order.
 */
export async function waitForOtherOrder(context: CaseContext): Promise<void> {
  const { signal } = context.options
  const { watch } = context
  if (watch === undefined || (await context.acceptedEncoding.detect()) === undefined) return
  context.otherOrder ??= pause(SHARING_MS, undefined, { signal }).then(() => payOtherOrder(context, watch))
  await context.otherOrder
}

async function payOtherOrder(context: CaseContext, watch: OrderWatch): Promise<void> {
  const { orders, patience } = context
  // Other cases that wait at the same time share this order, because its webhook is sent later.
  const other = await orders.make({ name: OTHER_ORDER }).finally(() => (context.otherOrder = undefined))
  try {
    await createWebhookTools(context, OTHER_ORDER, createMeeting(1)[0]!).post(other)
    const limitMs = patience.forPaymentMs()
    const seen = await watch.waitUntilPaid(other, limitMs)
    const problem = checkFinalOrder('paid', seen, watch.source(other, limitMs))
    if (problem?.problem === 'not-paid') patience.recordUnpaid()
    if (problem !== undefined) throw new CaseFailure(problem, other)
  } catch (error) {
    if (!(error instanceof CaseFailure)) throw error
    const seen = `a good webhook for another order, sent afterwards, failed: ${error.seenProblem.seen}`
    throw new CaseFailure({ ...error.seenProblem, seen, isOtherOrder: true }, other)
  }
}
