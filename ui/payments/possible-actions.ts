import { objectionTo, type Objection } from '../../server/domain/links/why-not.ts'
import { wording } from '../../server/domain/api/api-error.ts'
import type { Payment } from './payment.ts'

export const customerActions = [
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
  'Close dispute in our favour',
  'Lose dispute to the customer',
  'Delete link',
] as const

export type ActionName = (typeof customerActions)[number] | (typeof operatorActions)[number]

/** Why an action would be refused now; `null` where it would not be. */
export function refusalOf(action: ActionName, { link, refund }: Payment): Objection {
  switch (action) {
    case 'Pay by card':
    case 'Pay and close browser':
    case 'Decline card':
      return objectionTo.pay(link)
    case 'Bank transfer':
      return objectionTo.payByTransfer(link)
    case 'Cancel payment':
      return objectionTo.cancel(link)
    case 'Approve transfer':
    case 'Reject transfer':
      return objectionTo.reviewTransfer(link)
    case 'Approve refund':
      return refund ? objectionTo.approveRefund(refund, link) : wording.noRefund(link.payId)
    case 'Reject refund':
      return refund ? objectionTo.rejectRefund(refund) : wording.noRefund(link.payId)
    case 'Open dispute':
      return objectionTo.openDispute(link)
    case 'Close dispute in our favour':
    case 'Lose dispute to the customer':
      return objectionTo.closeDispute(link)
    case 'Delete link':
      return objectionTo.delete(link)
  }
}
