import { blocksRefund, type Link } from './link.ts'
import type { Refund } from './refund.ts'
import { Refusal, wording } from '../api/api-error.ts'

/** Why something cannot be done now, in the sandbox's words. `null` where nothing speaks against it. */
export type Objection = string | null

type State = Pick<Link, 'status' | 'cancellable' | 'bankTransfer' | 'dispute'>

/** The rules of what a link allows, for those who do it and for those who show whether it can be done. */
export const objectionTo = {
  pay: ({ status }: State): Objection => (status === 'unused' ? null : wording.notPayable(status)),

  payByTransfer: (link: State): Objection =>
    objectionTo.pay(link) ?? (link.bankTransfer ? null : wording.transferNotOffered),

  cancel({ status, cancellable }: State): Objection {
    if (status !== 'unused') return wording.notOpen(status)
    return cancellable ? null : wording.notCancellable
  },

  reviewTransfer: ({ status }: State): Objection =>
    status === 'awaiting-transfer' ? null : wording.notAwaiting(status),

  openDispute({ status, dispute }: State): Objection {
    if (status !== 'paid') return wording.notPaid(status)
    return dispute === 'open' ? wording.disputeOpen : null
  },

  closeDispute: ({ dispute }: State): Objection => (dispute === 'open' ? null : wording.noOpenDispute),

  delete: ({ status }: State): Objection =>
    status === 'paid' || status === 'deleted' ? wording.notDeletable(status) : null,

  approveRefund(refund: Pick<Refund, 'state'>, { dispute }: Pick<State, 'dispute'>): Objection {
    const decided = objectionTo.rejectRefund(refund)
    if (decided !== null || !blocksRefund(dispute)) return decided
    return dispute === 'open' ? wording.refundDuringDispute : wording.refundAfterDispute
  },

  rejectRefund: ({ state }: Pick<Refund, 'state'>): Objection =>
    state === 'pending' ? null : wording.refundDecided(state),
} as const

/** Refuses what the state of things forbids. */
export function heed(objection: Objection): void {
  if (objection !== null) throw new Refusal('conflict', objection)
}
