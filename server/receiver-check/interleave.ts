import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import {
  isPayment,
  isPossibleOrder,
  paymentEvents,
  type EventOrder,
  type PaymentEvent,
} from '../domain/webhooks/payment-events.ts'
import type { CheckCase, Step } from './check-case.ts'
import { CheckError } from './check-error.ts'

/** Five different events have this many orders. */
export const MAX_ORDERS = 120

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
  throw new CheckError(`${nameOf(order)} is not possible. ${REFUND_NEEDS_SUCCESS}`)
}

const REFUND_NEEDS_SUCCESS = 'A refund needs a payment before it: success or both.'

/** A refund never comes before a payment. */
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
    throw new CheckError(`The events have no possible order. ${REFUND_NEEDS_SUCCESS}`)
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
export const eventsIn = (name: string): string[] => name.split(ARROW)

/** The case that lets the events happen one after another. */
export function caseOf(order: EventOrder): CheckCase {
  const isPaid = order.some(isPayment)
  const isRefunded = order.includes('refund')
  return {
    name: nameOf(order),
    group: 'interleaved',
    title: `One payment in this order: ${nameOf(order)}`,
    why: 'The service promises no order. Redirects, webhooks, repetitions and cancellations can come in any.',
    steps: order.flatMap((event, index) => stepsOf(event, order.slice(0, index), isRefunded)),
    answer: 'accepted',
    finalOrder: isRefunded ? 'unchanged' : isPaid ? 'paid-once' : 'unpaid',
  }
}

function stepsOf(event: PaymentEvent, before: EventOrder, isRefunded: boolean): readonly Step[] {
  const isPaid = before.some(isPayment)
  switch (event) {
    case 'redirect':
      return isPaid ? [{ browser: 'Success' }] : [{ browser: 'Success' }, { expect: 'unpaid' }]
    case 'success':
      if (isPaid) return [{ send: {} }]
      // The service refunds only payments that were made there.
      return [isRefunded ? { pay: 'sandbox' } : { send: {} }, { until: 'paid' }]
    case 'both':
      // The service refunds only payments that were made there.
      if (!isPaid && isRefunded) return [{ pay: 'sandbox' }, { browser: 'Success' }, { until: 'paid' }]
      return [{ browser: 'Success', send: {} }, { until: 'paid' }]
    case 'cancel':
      return [{ send: { status: 'cancel' } }]
    case 'refund':
      return [{ refund: 'app' }]
  }
}
