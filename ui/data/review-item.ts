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

/** Since when a payment awaits decisions of the operator, by kind. */
function waitingSince({ link, refund, transferInitiatedAt, disputedAt }: Payment) {
  const kinds: (readonly [Kind, since: string])[] = []
  if (link.status === 'awaiting-transfer') kinds.push(['transfer', transferInitiatedAt])
  if (refund?.state === 'pending') kinds.push(['refund', refund.requestedAt])
  if (link.dispute === 'open') kinds.push(['dispute', disputedAt])
  return kinds
}

/** Whether a payment awaits a decision of the operator. */
export const needsReview = (payment: Payment): boolean => waitingSince(payment).length > 0

/** The items of all payments, oldest first. */
export function reviewItems(payments: Iterable<Payment>): readonly ReviewItem[] {
  const items: ReviewItem[] = []
  for (const payment of payments) {
    for (const [kind, since] of waitingSince(payment))
      items.push({ key: `${kind}-${payment.link.payId}`, kind, since, payment })
  }
  return items.toSorted((one, other) => (one.since < other.since ? -1 : Number(one.since > other.since)))
}

/** Whether an event is a decision of the operator. */
export const isReviewDecision = (event: EventView): boolean =>
  (event.type === 'link.paid' && event.method === 'bank-transfer') ||
  ['bank_transfer.rejected', 'refund.approved', 'refund.rejected', 'dispute.closed'].includes(event.type)
