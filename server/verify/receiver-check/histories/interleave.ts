import {
  type EventOrder,
  isPossibleOrder,
  type PaymentEvent,
  paymentEvents,
} from '../../../domain/webhooks/payment-events.ts'
import { CheckError } from '../../app/run/check-error.ts'
import { type History, historyOf, readEvent, readHistory } from './history.ts'

/** The number of possible sequences of five different events. */
const MAX_ORDERS = 120

const DEFAULT_EVENTS: EventOrder = ['redirect', 'success', 'success', 'cancel']

/** Reads the names of events. `all` means the default events, including a refund if the app can request one. */
function readEvents(names: readonly string[], refundUrl: string | undefined): EventOrder {
  if (names.length === 1 && names[0] === 'all') {
    return refundUrl === undefined ? DEFAULT_EVENTS : [...DEFAULT_EVENTS, 'refund']
  }
  return names.map((name) => readEvent(name, paymentEvents) as PaymentEvent)
}

/** Every distinct sequence of the named events. If a sequence such as `success → cancel` is named, only that sequence. */
export function interleaved(names: readonly string[], refundUrl: string | undefined): readonly History[] {
  const [name = ''] = names
  const isHistory = names.length === 1 && (name.includes('→') || /^\d/.test(name))
  return isHistory ? [readHistory(name)] : everyOrder(readEvents(names, refundUrl)).map(historyOf)
}

/** Every distinct sequence that is possible (see `isPossibleOrder`). */
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
    throw new CheckError(
      'These events cannot happen in any sequence. Put a payment, such as success, before a refund or a resend, and name only one refund.',
    )
  }
  if (orders.size > MAX_ORDERS) {
    throw new CheckError(`The events have more than ${MAX_ORDERS} sequences. Name fewer events.`)
  }
  return [...orders.values()]
}
