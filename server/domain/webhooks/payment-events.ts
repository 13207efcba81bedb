/**
 * What can happen to a payment, as an app sees it. An event can happen several times. `verify/receiver-check/histories/interleave.ts` says what a
 * check does for each event, and `operations/webhooks/plan-notifications.ts` what the sandbox sends.
 */
export const paymentEvents = [
  'redirect',
  'success',
  'both',
  'targets',
  'duplicate',
  'resend',
  'cancel',
  'cancel-redirect',
  'forged-cancel',
  'refund',
] as const

export type PaymentEvent = (typeof paymentEvents)[number]

export type EventOrder = readonly PaymentEvent[]

/** Whether the event includes the webhook of the payment. */
export const isPayment = (event: PaymentEvent): boolean =>
  ['success', 'both', 'targets', 'duplicate'].includes(event)

/** Whether the events can happen in this sequence: at most one refund, and a payment before each `refund` and `resend`. */
export function isPossibleOrder(order: EventOrder): boolean {
  const paidAt = order.findIndex(isPayment)
  const afterPayment = ['refund', 'resend']
  return (
    order.indexOf('refund') === order.lastIndexOf('refund') &&
    order.every((event, index) => !afterPayment.includes(event) || (paidAt !== -1 && paidAt < index))
  )
}

/** Events as text: `success,refund,success`. */
type EventOrderText = `${PaymentEvent}${'' | `,${string}`}`

const MAX_EVENTS = 10

/** Whether a text lists events in a possible sequence with at least one payment. */
export function isEventOrderText(text: string): text is EventOrderText {
  const order = readEventOrder(text)
  return (
    order.length <= MAX_EVENTS &&
    order.every((event) => paymentEvents.includes(event)) &&
    order.some(isPayment) &&
    isPossibleOrder(order)
  )
}

export const readEventOrder = (text: string): EventOrder => text.split(',') as PaymentEvent[]
