/**
 * What can happen to one payment, as an app sees it. `redirect`: the customer returns with `status=Success`. `success`: the
 * webhook, which comes twice if it is named twice. `both`: these two at once. `cancel`: the webhook `cancel`, late or
 * early. `refund`: the app requests a refund, and the operator approves it.
 */
export const paymentEvents = ['redirect', 'success', 'both', 'cancel', 'refund'] as const

export type PaymentEvent = (typeof paymentEvents)[number]

/** Events in their order. */
export type EventOrder = readonly PaymentEvent[]

/** Whether the event includes the webhook of the payment. */
export const isPayment = (event: PaymentEvent): boolean => event === 'success' || event === 'both'

/** Whether there is at most one refund, with a payment before it. */
export function isPossibleOrder(order: EventOrder): boolean {
  const refund = order.indexOf('refund')
  const isRefundedOnce = refund === order.lastIndexOf('refund')
  return refund === -1 || (isRefundedOnce && order.slice(0, refund).some(isPayment))
}

/** Events as text: `success,refund,success`. */
export type EventOrderText = `${PaymentEvent}${'' | `,${string}`}`

/**
 * Whether a text lists events in a possible order (see `isPossibleOrder`), with a payment among them. A regular expression,
 * because reports contain this code and must be small.
 */
export const isEventOrderText = (text: string): text is EventOrderText =>
  /^(?=.*(success|both))(?!.*refund.*refund)(?!((redirect|cancel),)*refund)((redirect|success|both|cancel|refund)(,(?=.)|$)){1,10}$/.test(
    text,
  )

export const readEventOrder = (text: EventOrderText): EventOrder => text.split(',') as PaymentEvent[]
