import { wording } from '../../server/domain/refusals.ts'
import type { Payment } from './payment.ts'

export const actionNames = [
  'Pay by card',
  'Bank transfer',
  'Pay and close browser',
  'Decline card',
  'Cancel payment',
  'Approve transfer',
  'Reject transfer',
  'Approve refund',
  'Reject refund',
  'Open dispute',
  'Dispute: customer lost',
  'Dispute: customer won',
  'Delete link',
] as const

export type ActionName = (typeof actionNames)[number]

/** Why an action would be refused now, in the sandbox's own words; `null` where it would not be. */
export function refusalOf(action: ActionName, { link, refund }: Payment): string | null {
  const { status, dispute } = link
  switch (action) {
    case 'Pay by card':
    case 'Pay and close browser':
    case 'Decline card':
      return status === 'unused' ? null : wording.notPayable(status)
    case 'Bank transfer':
      if (status !== 'unused') return wording.notPayable(status)
      return link.bankTransfer ? null : wording.transferNotOffered
    case 'Cancel payment':
      if (status !== 'unused') return wording.notOpen(status)
      return link.cancellable ? null : wording.notCancellable
    case 'Approve transfer':
    case 'Reject transfer':
      return status === 'awaiting-transfer' ? null : wording.notAwaiting(status)
    case 'Approve refund':
    case 'Reject refund':
      if (!refund) return wording.noRefund(link.payId)
      return refund.state === 'pending' ? null : wording.refundDecided(refund.state)
    case 'Open dispute':
      if (status !== 'paid') return wording.notPaid(status)
      return dispute === 'open' ? wording.disputeOpen : null
    case 'Dispute: customer lost':
    case 'Dispute: customer won':
      return dispute === 'open' ? null : wording.noOpenDispute
    case 'Delete link':
      return status === 'paid' || status === 'deleted' ? wording.notDeletable(status) : null
  }
}
