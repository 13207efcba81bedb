import { didYouMeanSentence } from '../../domain/text/closest-match.ts'
import {
  isPayment,
  isPossibleOrder,
  paymentEvents,
  type EventOrder,
  type PaymentEvent,
} from '../../domain/webhooks/payment-events.ts'
import type { CheckCase, Step } from './check-case.ts'
import { CheckError } from './check-error.ts'

/** Five different events have this many orders. */
const MAX_ORDERS = 120

const DEFAULT_EVENTS: EventOrder = ['redirect', 'success', 'success', 'cancel']

/** Reads the names of events. `all` stands for the default, with a refund if the app can be asked for one. */
function readEvents(names: readonly string[], refundUrl: string | undefined): EventOrder {
  if (names.length === 1 && names[0] === 'all') {
    return refundUrl === undefined ? DEFAULT_EVENTS : [...DEFAULT_EVENTS, 'refund']
  }
  const known: readonly string[] = paymentEvents
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined) {
    throw new CheckError(
      `There is no event ${wrong} to interleave.${didYouMeanSentence(wrong, known)} Available: ${known.join(', ')}.`,
    )
  }
  return names as EventOrder
}

/** Returns every distinct order of the named events, or the one order that has a name like `success → cancel`. */
export function ordersOf(names: readonly string[], refundUrl: string | undefined): readonly EventOrder[] {
  const named = eventsIn(names[0] ?? '')
  if (names.length !== 1 || named.length === 1) return everyOrder(readEvents(names, refundUrl))
  const order = readEvents(named, refundUrl)
  if (isPossibleOrder(order)) return [order]
  throw new CheckError(`${nameOf(order)} is not possible. ${NEEDS_PAYMENT}`)
}

const NEEDS_PAYMENT =
  'A refund and a resend need a payment before them, such as success, and there is at most one refund.'

/** Every distinct order that is possible (see `isPossibleOrder`). */
function everyOrder(events: EventOrder): readonly EventOrder[] {
  const orders = new Map<string, EventOrder>()
  const extend = (order: EventOrder, rest: EventOrder): void => {
    if (orders.size > MAX_ORDERS) return
    if (rest.length === 0) orders.set(order.join(), order)
    for (const event of new Set(rest)) {
      const next = [...order, event]
      if (isPossibleOrder(next)) extend(next, rest.toSpliced(rest.indexOf(event), 1))
    }
  }
  extend([], events)
  if (orders.size === 0) {
    throw new CheckError(`The events have no possible order. ${NEEDS_PAYMENT}`)
  }
  if (orders.size > MAX_ORDERS) {
    throw new CheckError(`The events have more than ${MAX_ORDERS} orders. Name fewer events.`)
  }
  return [...orders.values()]
}

/** The orders with one event fewer, or with one of two events that came together. */
export const shorterOrders = (order: EventOrder): readonly EventOrder[] =>
  [
    ...order.map((_event, index) => order.toSpliced(index, 1)),
    ...order.flatMap((event, index) =>
      event === 'both'
        ? (['success', 'redirect'] as const).map((single) => order.toSpliced(index, 1, single))
        : [],
    ),
  ].filter((next) => next.length > 0 && isPossibleOrder(next))

const ARROW = ' → '

export const nameOf = (order: EventOrder): string => order.join(ARROW)

/** The events in the name of an order. */
const eventsIn = (name: string): string[] => name.split(ARROW)

/** The case that lets the events happen one after another. */
export function caseOf(order: EventOrder): CheckCase {
  const isPaid = order.some(isPayment)
  const isRefunded = order.includes('refund')
  return {
    name: nameOf(order),
    group: 'interleaved',
    title: `One payment in this order: ${nameOf(order)}`,
    why: 'The service promises no order. Redirects, webhooks, repetitions and cancellations can come in any.',
    steps: order.flatMap((event, index) => stepsOf(event, order.slice(0, index), order)),
    answer: 'accepted',
    finalOrder: isRefunded ? 'unchanged' : isPaid ? 'paid-once' : 'unpaid',
  }
}

interface EventRow {
  /** What happens. */
  readonly text: string
  readonly steps: readonly Step[]
  /** The further steps of a payment whose first webhook the sandbox has sent. */
  readonly afterPay?: readonly Step[]
}

/** What happens at each event. The behavior `order` sends the same. */
export const eventRows: Readonly<Record<PaymentEvent, EventRow>> = {
  redirect: { text: 'The customer returns with `status=Success`.', steps: [{ browser: 'Success' }] },
  success: {
    text: 'The webhook of the payment, to all targets at once. Named twice, it comes twice.',
    steps: [{ send: {} }],
    afterPay: [],
  },
  both: {
    text: 'The redirect and the webhook at once.',
    steps: [{ browser: 'Success', send: {} }],
    afterPay: [{ browser: 'Success' }],
  },
  targets: {
    text: 'The webhook, to one target after another, to the last one first.',
    steps: [{ send: { oneByOne: true } }],
    afterPay: [],
  },
  duplicate: {
    text: 'The webhook twice: `check` sends both at once, the behavior `order` the second one as soon as the first one is answered.',
    steps: [{ send: { copies: 2 } }],
    afterPay: [{ send: {} }],
  },
  resend: {
    text: '`sendWebhookViaPayId` is called, and the service sends the webhook again.',
    steps: [{ resend: 'sandbox' }],
  },
  cancel: {
    text: 'The webhook `cancel`, early or late.',
    steps: [{ send: { status: 'cancel' } }],
  },
  'cancel-redirect': { text: 'The customer returns with `status=cancel`.', steps: [{ browser: 'cancel' }] },
  'forged-cancel': {
    text: 'A forged webhook `cancel`, with the id of another account.',
    steps: [{ send: { status: 'cancel', user: 'forged' }, answer: 'tolerated' }],
  },
  refund: {
    text: 'The refund is approved. In a check, your app requests it first.',
    steps: [{ expect: 'paid-once' }, { refund: 'app' }],
  },
}

function stepsOf(event: PaymentEvent, before: EventOrder, order: EventOrder): readonly Step[] {
  const { steps, afterPay = [] } = eventRows[event]
  if (before.some(isPayment)) return steps
  if (!isPayment(event)) return [...steps, { expect: 'unpaid' }]
  // The service refunds and resends only payments that were made there.
  const isMadeThere = order.includes('refund') || order.includes('resend')
  return isMadeThere ? [{ pay: 'sandbox' }, ...afterPay, { until: 'paid' }] : [...steps, { until: 'paid' }]
}
