import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import type { CheckCase, Step } from './check-case.ts'
import { CheckError } from './check-error.ts'

/** What can happen to one payment, and what a receiver sees of it. */
export const paymentEvents = {
  redirect: 'the customer returns with status=Success',
  success: 'the webhook Success; named twice, it comes twice',
  cancel: 'the webhook cancel, late or early',
  refund: 'the app requests a refund, and the operator approves it; requires a refund URL',
} as const satisfies Readonly<Record<string, string>>

export type PaymentEvent = keyof typeof paymentEvents

/** The order of some events. */
export type EventOrder = readonly PaymentEvent[]

/** Five different events have this many orders. */
export const MAX_ORDERS = 120

const DEFAULT_EVENTS: EventOrder = ['redirect', 'success', 'success', 'cancel']

/** Reads the names of events. `all` stands for the default, with a refund if the app can be asked for one. */
export function readEvents(names: readonly string[], refundUrl: string | undefined): EventOrder {
  if (names.length === 1 && names[0] === 'all') {
    return refundUrl === undefined ? DEFAULT_EVENTS : [...DEFAULT_EVENTS, 'refund']
  }
  const known = Object.keys(paymentEvents)
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined) {
    throw new CheckError(
      `There is no event ${wrong} to interleave.${didYouMeanSentence(wrong, known)} Available: ${known.join(', ')}.`,
    )
  }
  return names as EventOrder
}

/** Returns every distinct order of the events. A refund never comes before a payment. */
export function ordersOf(events: EventOrder): readonly EventOrder[] {
  const orders = new Map<string, EventOrder>()
  const extend = (order: EventOrder, rest: EventOrder): void => {
    if (orders.size > MAX_ORDERS) return
    if (rest.length === 0) orders.set(order.join(), order)
    for (const event of new Set(rest)) {
      const next = [...order, event]
      if (isPossible(next)) extend(next, rest.toSpliced(rest.indexOf(event), 1))
    }
  }
  extend([], events)
  if (orders.size === 0) {
    throw new CheckError('The events have no possible order. A refund needs a success before it.')
  }
  if (orders.size > MAX_ORDERS) {
    throw new CheckError(`The events have more than ${MAX_ORDERS} orders. Name fewer events.`)
  }
  return [...orders.values()]
}

/** The orders with one event less. */
export const shorterOrders = (order: EventOrder): readonly EventOrder[] =>
  order
    .map((_event, index) => order.toSpliced(index, 1))
    .filter((next) => next.length > 0 && isPossible(next))

function isPossible(order: EventOrder): boolean {
  const refund = order.indexOf('refund')
  const isRefundedOnce = refund === order.lastIndexOf('refund')
  return refund === -1 || (isRefundedOnce && order.slice(0, refund).includes('success'))
}

const ARROW = ' → '

export const nameOf = (order: EventOrder): string => order.join(ARROW)

/** The events in the name of an order. */
export const eventsIn = (name: string): string[] => name.split(ARROW)

/** The case that lets the events happen one after another. */
export function caseOf(order: EventOrder): CheckCase {
  const isPaid = order.includes('success')
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
  const isPaid = before.includes('success')
  switch (event) {
    case 'redirect':
      return isPaid ? [{ browser: 'Success' }] : [{ browser: 'Success' }, { expect: 'unpaid' }]
    case 'success':
      if (isPaid) return [{ send: {} }]
      // The service refunds only what was paid there.
      return [isRefunded ? { pay: 'sandbox' } : { send: {} }, { until: 'paid' }]
    case 'cancel':
      return [{ send: { status: 'cancel' } }]
    case 'refund':
      return [{ refund: 'app' }]
  }
}
