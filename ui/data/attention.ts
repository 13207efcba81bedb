import type { Payment } from './payment.ts'
import type { WebhookMark, WebhookState } from '../../server/contract/format/webhook-marks.ts'

/** The groups of payments that the screen offers above its list. */
export const paymentGroups = {
  attention: 'Needs attention',
  transfer: 'Awaiting transfer',
  failed: 'Failed webhooks',
  held: 'Held webhooks',
} as const

export type PaymentGroup = keyof typeof paymentGroups

const hasState = (marks: readonly WebhookMark[], wanted: WebhookState): boolean =>
  marks.some(({ state }) => state === wanted)

/** Whether a payment belongs to a group. Refunds and disputes are on the screen Review, not here. */
export const belongsTo: Readonly<
  Record<PaymentGroup, (payment: Payment, marks: readonly WebhookMark[]) => boolean>
> = {
  attention: (payment, marks) =>
    belongsTo.transfer(payment, marks) || belongsTo.failed(payment, marks) || belongsTo.held(payment, marks),
  transfer: ({ link }) => link.status === 'awaiting-transfer',
  failed: (_payment, marks) => hasState(marks, 'failed'),
  held: (_payment, marks) => hasState(marks, 'held'),
}
