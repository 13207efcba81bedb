import type { EventView } from '../../server/contract/views.ts'
import type { Payment } from './payment.ts'
import type { PaymentAction } from './possible-actions.ts'

type Kind = 'transfer' | 'refund' | 'dispute'

/** Something that awaits a decision of the operator. */
export interface ReviewItem {
  readonly key: string
  readonly kind: Kind
  readonly since: string
  readonly payment: Payment
}

/** One of the two decisions on an item, with the text of its button. */
interface Choice {
  readonly action: PaymentAction
  readonly label: string
}

export const choices: Readonly<Record<Kind, { readonly approve: Choice; readonly reject: Choice }>> = {
  transfer: {
    approve: { action: 'Approve transfer', label: 'Approve' },
    reject: { action: 'Reject transfer', label: 'Reject' },
  },
  refund: {
    approve: { action: 'Approve refund', label: 'Approve' },
    reject: { action: 'Reject refund', label: 'Reject' },
  },
  dispute: {
    approve: { action: 'Close dispute, shop wins', label: 'Shop wins' },
    reject: { action: 'Close dispute, customer wins', label: 'Customer wins' },
  },
}

const waitingSince = ({
  link,
  refund,
  transferInitiatedAt,
  disputedAt,
}: Payment): Readonly<Record<Kind, string | null>> => ({
  transfer: link.status === 'awaiting-transfer' ? transferInitiatedAt : null,
  refund: refund?.state === 'pending' ? refund.requestedAt : null,
  dispute: link.dispute === 'open' ? disputedAt : null,
})

/** Whether a payment awaits a decision of the operator. */
export const needsReview = (payment: Payment): boolean =>
  Object.values(waitingSince(payment)).some((at) => at !== null)

/** The items of all payments, oldest first. */
export function reviewItems(payments: Iterable<Payment>): readonly ReviewItem[] {
  const items: ReviewItem[] = []
  for (const payment of payments) {
    for (const [kind, since] of Object.entries(waitingSince(payment)) as [Kind, string | null][]) {
      if (since !== null) items.push({ key: `${kind}-${payment.link.payId}`, kind, since, payment })
    }
  }
  return items.toSorted((one, other) => (one.since < other.since ? -1 : Number(one.since > other.since)))
}

/** Whether an event is a decision of the operator. */
export const isReviewDecision = (event: EventView): boolean =>
  (event.type === 'link.paid' && event.method === 'bank-transfer') ||
  ['bank_transfer.rejected', 'refund.approved', 'refund.rejected', 'dispute.closed'].includes(event.type)
