import type { CheckedOrder } from '../../../contract/checks/check.ts'
import { isPayment, type PaymentEvent } from '../../../domain/webhooks/payment-events.ts'
import type { CaseTools } from '../case-tools.ts'
import { needTargets } from '../../app/run/not-possible.ts'
import type { CheckCase, CaseStep } from '../check-case.ts'
import {
  describeHistory,
  eventsOf,
  type History,
  type HistoryEvent,
  isCancel,
  historyName,
  ordersIn,
  pays,
} from './history.ts'
import { checkEnd, newTrace, takeStep, type Trace } from '../take-steps.ts'
import type { FinalOrder } from '../../app/webhooks/webhook-variant.ts'

/** The steps of each event. `afterPay` are the steps after a payment whose first webhook the sandbox has sent. */
const STEPS: Readonly<
  Record<
    Exclude<HistoryEvent, 'order-again'>,
    { readonly steps: readonly CaseStep[]; readonly afterPay?: readonly CaseStep[] }
  >
> = {
  redirect: { steps: [{ browser: 'Success' }] },
  success: { steps: [{ send: {} }], afterPay: [] },
  both: { steps: [{ browser: 'Success', send: {} }], afterPay: [{ browser: 'Success' }] },
  targets: { steps: [{ send: { oneByOne: true } }], afterPay: [] },
  duplicate: { steps: [{ send: { copies: 2 } }], afterPay: [{ send: {} }] },
  resend: { steps: [{ resend: 'sandbox' }] },
  cancel: { steps: [{ send: { status: 'cancel' } }] },
  'cancel-redirect': { steps: [{ browser: 'cancel' }] },
  'forged-cancel': { steps: [{ send: { status: 'cancel', user: 'forged' }, answer: 'tolerated' }] },
  'forged-success': { steps: [{ send: { amount: 'cent-less' }, answer: 'tolerated' }] },
  'older-success': { steps: [{ send: {} }] },
  'older-cancel': { steps: [{ send: { status: 'cancel' } }] },
  refund: { steps: [{ expect: 'paid-once' }, { refund: 'app' }] },
}

/** The case that lets the events of a history happen one after another. */
export function caseOf(history: History): CheckCase {
  const isAboutOne = ordersIn(history).length === 1
  return {
    name: historyName(history),
    shortName: 'history',
    group: 'interleaved',
    title: `${isAboutOne ? 'One order' : `${ordersIn(history).length} orders`}: ${describeHistory(history)}`,
    why: 'The service promises no order. Redirects, webhooks, repetitions and cancellations can come in any.',
    run: (tools) => play(tools, history),
    needs: ['account'],
    // A payment after a cancel may be too late for the app.
    ...(ordersIn(history).some((order) => isLate(eventsOf(history, order))) ? { orRefunded: true } : {}),
    finalOrder: isAboutOne ? finalOrderOf(eventsOf(history, 1)) : undefined,
  }
}

const isLate = (events: readonly HistoryEvent[]): boolean => {
  const paidAt = events.findIndex(pays)
  return paidAt !== -1 && events.slice(0, paidAt).some(isCancel)
}

const finalOrderOf = (events: readonly HistoryEvent[]): FinalOrder =>
  events.includes('refund') ? 'unchanged' : events.some(pays) ? 'paid-once' : 'unpaid'

interface Played {
  readonly events: readonly HistoryEvent[]
  readonly before: HistoryEvent[]
  readonly links: CheckedOrder[]
  readonly trace: Trace
  paid: CheckedOrder | undefined
}

async function play(tools: CaseTools, history: History): Promise<void> {
  const played = new Map<number, Played>()
  for (const { order, event } of history) {
    const playedOrder = played.get(order) ?? {
      events: eventsOf(history, order),
      before: [],
      links: [await tools.make()],
      trace: newTrace(),
      paid: undefined,
    }
    played.set(order, playedOrder)
    await playEvent(tools, playedOrder, event)
    playedOrder.before.push(event)
  }
  await Promise.all(
    [...played.values()].map(({ events, links, trace, paid }) =>
      checkEnd(
        tools,
        { finalOrder: finalOrderOf(events), orRefunded: isLate(events), isPaidTwice: links.length > 1 },
        paid ?? links[0]!,
        trace,
      ),
    ),
  )
}

async function playEvent(tools: CaseTools, played: Played, event: HistoryEvent): Promise<void> {
  const { before, links, trace } = played
  if (event === 'order-again') {
    const newer = await tools.orders.again(links[0]!)
    if (newer !== undefined) links.push(newer)
    return
  }
  const link = event.startsWith('older-') ? links[0]! : links.at(-1)!
  // If the app itself has refunded a late payment, nothing is left to refund.
  if (event === 'refund' && isLate([...before]) && (await tools.isRefunded(link))) return
  if (pays(event)) played.paid ??= link
  const steps = stepsOf(event, played)
  if (steps.some((step) => 'pay' in step || 'resend' in step)) needTargets(link)
  for (const step of steps) await takeStep(tools, {}, link, step, {}, trace)
}

function stepsOf(
  event: Exclude<HistoryEvent, 'order-again'>,
  { events, before }: Played,
): readonly CaseStep[] {
  const { steps, afterPay = [] } = STEPS[event]
  if (before.some(pays)) return steps
  if (!pays(event)) return [...steps, { expect: 'unpaid' }]
  // The service can refund and resend only payments that were made there.
  const isMadeThere = events.includes('refund') || events.includes('resend')
  return isMadeThere && isPayment(event as PaymentEvent)
    ? [{ pay: 'sandbox' }, ...afterPay, { until: 'paid' }]
    : [...steps, { until: 'paid' }]
}
