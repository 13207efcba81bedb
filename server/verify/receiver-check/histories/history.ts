import { didYouMeanSentence } from '../../../domain/text/closest-match.ts'
import {
  type EventOrder,
  isPayment,
  isPossibleOrder,
  type PaymentEvent,
  paymentEvents,
} from '../../../domain/webhooks/payment-events.ts'
import { CheckError } from '../../app/run/check-error.ts'

/** What happens at each event of one payment. */
export const paymentEventTexts: Readonly<Record<PaymentEvent, string>> = {
  redirect: 'The customer returns with `status=Success`.',
  success: 'The webhook of the payment, to all targets at once. Named twice, it comes twice.',
  both: 'The redirect and the webhook at once.',
  targets: 'The webhook, to one target after another, beginning with the last target.',
  duplicate:
    'The webhook twice. `check` sends both at once; with the behavior `order`, the second is sent as soon as the first is answered.',
  resend: '`sendWebhookViaPayId` is called, and the service sends the webhook again.',
  cancel: 'The webhook `cancel`, early or late.',
  'cancel-redirect': 'The customer returns with `status=cancel`.',
  'forged-cancel': 'A forged webhook `cancel`, with the id of another account.',
  refund: 'The refund is approved. In a check, your app requests it first.',
}

/** Other events of random histories. Except for these, all events are about the newest link of an order. */
export const furtherEventTexts = {
  'forged-success': 'A forged webhook `Success`, one cent too low.',
  'order-again': 'The customer, who has cancelled, places the same order again, and may get a second link.',
  'older-success': 'The webhook of a payment of the first link.',
  'older-cancel': 'The webhook `cancel` of the first link.',
} as const

export type HistoryEvent = PaymentEvent | keyof typeof furtherEventTexts

/** The text of each step of a history, for reports. */
const texts: Readonly<Record<HistoryEvent, string>> = {
  redirect: 'the customer returns with status=Success',
  success: 'the webhook Success arrives',
  both: 'the customer returns while the webhook Success arrives',
  targets: 'the webhook Success arrives at one target after another',
  duplicate: 'the webhook Success arrives twice at once',
  resend: 'the service sends the webhook Success again',
  cancel: 'the webhook cancel arrives',
  'cancel-redirect': 'the customer returns with status=cancel',
  'forged-cancel': 'a forged webhook cancel of another account arrives',
  refund: 'the order is refunded',
  'forged-success': 'a forged webhook Success arrives, one cent too low',
  'order-again': 'the customer orders the same again',
  'older-success': 'the first link is paid, and its webhook Success arrives',
  'older-cancel': 'the webhook cancel of the first link arrives',
}

/** An event of one order. The number of the first order is 1. */
export interface OrderEvent {
  readonly order: number
  readonly event: HistoryEvent
}

export type History = readonly OrderEvent[]

export const historyOf = (events: readonly HistoryEvent[]): History =>
  events.map((event) => ({ order: 1, event }))

export const eventsOf = (history: History, order: number): readonly HistoryEvent[] =>
  history.filter((one) => one.order === order).map(({ event }) => event)

export const ordersIn = (history: History): readonly number[] => [
  ...new Set(history.map(({ order }) => order)),
]

const ARROW = ' → '

/** The name of a history: `success → cancel`, or `1 success → 2 cancel` for several orders. */
export const historyName = (history: History): string =>
  history
    .map(({ order, event }) => (history.every((one) => one.order === 1) ? event : `${order} ${event}`))
    .join(ARROW)

/** A numbered list of what happens. */
export const describeHistory = (history: History): string =>
  history
    .map(({ order, event }, index) => {
      const subject = ordersIn(history).length > 1 ? `order ${order}: ` : ''
      return `${index + 1}. ${subject}${texts[event]}`
    })
    .join(', ')

export function readHistory(name: string): History {
  const history = name.split(ARROW).map((text): OrderEvent => {
    const [, order = '1', event = ''] = /^(?:([1-9]) )?(.*)$/.exec(text) ?? []
    return { order: Number(order), event: readEvent(event, Object.keys(texts)) as HistoryEvent }
  })
  if (isPossible(history)) return history
  throw new CheckError(
    `The sequence ${name} is not possible. Put a payment, such as success, before a refund or a resend. Name only one refund. Before a second order, put a cancel, but no payment.`,
  )
}

export function readEvent(event: string, names: readonly string[]): string {
  if (names.includes(event)) return event
  throw new CheckError(
    `There is no event ${event} to interleave.${didYouMeanSentence(event, names)} Available: ${names.join(', ')}.`,
  )
}

const CANCELS: readonly HistoryEvent[] = ['cancel', 'cancel-redirect']

export const isCancel = (event: HistoryEvent): boolean => CANCELS.includes(event)

/** Whether an event includes a webhook that pays its order. */
export const pays = (event: HistoryEvent): boolean =>
  event === 'older-success' || isPayment(event as PaymentEvent)

/** Whether every order of a history is possible. */
export const isPossible = (history: History): boolean =>
  ordersIn(history).every((order) => arePossible(eventsOf(history, order)))

function arePossible(events: readonly HistoryEvent[]): boolean {
  const isOfOnePayment = (event: HistoryEvent): event is PaymentEvent =>
    (paymentEvents as readonly string[]).includes(event)
  if (!isPossibleOrder(events.filter(isOfOnePayment) as EventOrder)) return false
  const again = events.indexOf('order-again')
  const isOlder = (event: HistoryEvent): boolean => event.startsWith('older-')
  if (again === -1) return !events.some(isOlder)
  const before = events.slice(0, again)
  // The service can refund and resend only payments that were made there. Such an order has only one link.
  const isMadeThere = events.includes('refund') || events.includes('resend')
  return (
    !isMadeThere &&
    again === events.lastIndexOf('order-again') &&
    before.some(isCancel) &&
    !before.some((event) => pays(event) || isOlder(event))
  )
}

/** All histories with one event less, or without one of two simultaneous events. */
export const shorterHistories = (history: History): readonly History[] =>
  [
    ...history.map((_one, index) => history.toSpliced(index, 1)),
    ...history.flatMap((one, index) =>
      one.event === 'both'
        ? (['success', 'redirect'] as const).map((event) => history.toSpliced(index, 1, { ...one, event }))
        : [],
    ),
  ]
    .filter((next) => next.length > 0 && isPossible(next))
    .map(renumbered)

function renumbered(history: History): History {
  const orders = ordersIn(history)
  return history.map(({ order, event }) => ({ order: orders.indexOf(order) + 1, event }))
}
