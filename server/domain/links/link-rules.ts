import type { BehaviorSettings } from '../behaviors/behavior.ts'
import { blocksRefund, type Link } from './link.ts'
import type { Refund } from './refund.ts'
import { ApiError, errorDetails, type ErrorDetails } from '../api/api-error.ts'

/** Why an action is not possible. `null` if it is possible. */
export type BlockedReason = ErrorDetails | null

type LinkState = Pick<Link, 'status' | 'cancellable' | 'bankTransfer' | 'dispute'>

/** The rules for what can be done with a link. Operations enforce them, and views show what is possible. */
export const whyNot = {
  pay: ({ status }: LinkState): BlockedReason =>
    status === 'unused' ? null : errorDetails('notPayable', status),

  payByTransfer: (link: LinkState): BlockedReason =>
    whyNot.pay(link) ?? (link.bankTransfer ? null : errorDetails('transferNotOffered')),

  cancel({ status, cancellable }: LinkState): BlockedReason {
    if (status !== 'unused') return errorDetails('notOpen', status)
    return cancellable ? null : errorDetails('notCancellable')
  },

  reviewTransfer: ({ status }: LinkState): BlockedReason =>
    status === 'awaiting-transfer' ? null : errorDetails('notAwaiting', status),

  openDispute({ status, dispute }: LinkState): BlockedReason {
    if (status !== 'paid') return errorDetails('notPaid', status)
    return dispute === 'open' ? errorDetails('disputeOpen') : null
  },

  closeDispute: ({ dispute }: LinkState): BlockedReason =>
    dispute === 'open' ? null : errorDetails('noOpenDispute'),

  delete: ({ status }: LinkState): BlockedReason =>
    status === 'paid' || status === 'deleted' ? errorDetails('notDeletable', status) : null,

  approveRefund(
    refund: Pick<Refund, 'state'>,
    { dispute }: Pick<LinkState, 'dispute'>,
    wonDispute: BehaviorSettings['wonDispute'],
  ): BlockedReason {
    const decided = whyNot.rejectRefund(refund)
    if (decided !== null || !blocksRefund(dispute, wonDispute)) return decided
    return dispute === 'open' ? errorDetails('refundDuringDispute') : errorDetails('refundAfterDispute')
  },

  rejectRefund: ({ state }: Pick<Refund, 'state'>): BlockedReason =>
    state === 'pending' ? null : errorDetails('refundDecided', state),
} as const

/** Throws if the state of the link forbids the action. */
export function assertAllowed(reason: BlockedReason): void {
  if (reason !== null) throw new ApiError(reason)
}
