import { whyNot, type BlockedReason } from '../../server/domain/links/link-rules.ts'
import { errorDetails } from '../../server/domain/api/api-error.ts'
import type { Payment } from './payment.ts'

export const customerActionNames = [
  'Pay by card',
  'Bank transfer',
  'Pay and close browser',
  'Decline card',
  'Cancel payment',
] as const

export const operatorActions = [
  'Approve transfer',
  'Reject transfer',
  'Approve refund',
  'Reject refund',
  'Open dispute',
  'Close dispute, shop wins',
  'Close dispute, customer wins',
  'Delete link',
] as const

export type PaymentAction = (typeof customerActionNames)[number] | (typeof operatorActions)[number]

/** Why an action is not possible. `null` if it is possible. */
export const blockedReason = (action: PaymentAction, payment: Payment): string | null =>
  findError(action, payment)?.message ?? null

function findError(action: PaymentAction, { link, refund }: Payment): BlockedReason {
  switch (action) {
    case 'Pay by card':
    case 'Pay and close browser':
    case 'Decline card':
      return whyNot.pay(link)
    case 'Bank transfer':
      return whyNot.payByTransfer(link)
    case 'Cancel payment':
      return whyNot.cancel(link)
    case 'Approve transfer':
    case 'Reject transfer':
      return whyNot.reviewTransfer(link)
    case 'Approve refund':
      // Only the server can decide about a won dispute, because that depends on the behavior `wonDispute`.
      return refund ? whyNot.approveRefund(refund, link, 'allows') : errorDetails('noRefund', link.payId)
    case 'Reject refund':
      return refund ? whyNot.rejectRefund(refund) : errorDetails('noRefund', link.payId)
    case 'Open dispute':
      return whyNot.openDispute(link)
    case 'Close dispute, shop wins':
    case 'Close dispute, customer wins':
      return whyNot.closeDispute(link)
    case 'Delete link':
      return whyNot.delete(link)
  }
}
