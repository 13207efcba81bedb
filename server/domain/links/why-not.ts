import { blocksRefund, type Link } from './link.ts'
import type { Refund } from './refund.ts'
import { ApiError, messages } from '../api/api-error.ts'

/** Why something cannot be done now, in the sandbox's words. `null` where nothing speaks against it. */
export type BlockedReason = string | null

type LinkState = Pick<Link, 'status' | 'cancellable' | 'bankTransfer' | 'dispute'>

/** The rules of what a link allows, for those who do it and for those who show whether it can be done. */
export const whyNot = {
  pay: ({ status }: LinkState): BlockedReason => (status === 'unused' ? null : messages.notPayable(status)),

  payByTransfer: (link: LinkState): BlockedReason =>
    whyNot.pay(link) ?? (link.bankTransfer ? null : messages.transferNotOffered),

  cancel({ status, cancellable }: LinkState): BlockedReason {
    if (status !== 'unused') return messages.notOpen(status)
    return cancellable ? null : messages.notCancellable
  },

  reviewTransfer: ({ status }: LinkState): BlockedReason =>
    status === 'awaiting-transfer' ? null : messages.notAwaiting(status),

  openDispute({ status, dispute }: LinkState): BlockedReason {
    if (status !== 'paid') return messages.notPaid(status)
    return dispute === 'open' ? messages.disputeOpen : null
  },

  closeDispute: ({ dispute }: LinkState): BlockedReason =>
    dispute === 'open' ? null : messages.noOpenDispute,

  delete: ({ status }: LinkState): BlockedReason =>
    status === 'paid' || status === 'deleted' ? messages.notDeletable(status) : null,

  approveRefund(refund: Pick<Refund, 'state'>, { dispute }: Pick<LinkState, 'dispute'>): BlockedReason {
    const decided = whyNot.rejectRefund(refund)
    if (decided !== null || !blocksRefund(dispute)) return decided
    return dispute === 'open' ? messages.refundDuringDispute : messages.refundAfterDispute
  },

  rejectRefund: ({ state }: Pick<Refund, 'state'>): BlockedReason =>
    state === 'pending' ? null : messages.refundDecided(state),
} as const

/** Refuses what the state of things forbids. */
export function assertAllowed(reason: BlockedReason): void {
  if (reason !== null) throw new ApiError('conflict', reason)
}
