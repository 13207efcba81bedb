import { reachOf } from '../../server/contract/format/verdict.ts'
import type { WebhookMark } from '../../server/contract/format/webhook-marks.ts'
import type { Payment } from './payment.ts'

/** The groups of payments that are offered above the list. */
export const paymentGroups = {
  missed: 'Missed by your app',
  held: 'Held webhooks',
  transfer: 'Awaiting transfer',
} as const

export type PaymentGroup = keyof typeof paymentGroups

/** Whether a payment belongs to a group. Refunds and disputes have no group, because they are on the tab Review. */
export const belongsTo: Readonly<
  Record<PaymentGroup, (payment: Payment, marks: readonly WebhookMark[]) => boolean>
> = {
  missed: ({ link }, marks) => reachOf(link.status, marks) === 'missed',
  held: (_payment, marks) => marks.some(({ state }) => state === 'held'),
  transfer: ({ link }) => link.status === 'awaiting-transfer',
}
