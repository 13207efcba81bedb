import type { EventView, LinkView } from '../../server/contract/views.ts'
import type { RefundState } from '../../server/domain/links/refund.ts'
import type { Tone } from '../../server/contract/format/event-row.ts'

interface Refund {
  readonly amount: number
  readonly full: boolean
  readonly state: RefundState
  readonly requestedAt: string
}

/** The current state of a link, which follows from its events. */
export interface Payment {
  readonly link: LinkView
  readonly refund: Refund | null
  /** When the customer initiated the last bank transfer. */
  readonly transferInitiatedAt: string
  /** When the last dispute was opened. */
  readonly disputedAt: string
}

/** Applies an event to a payment. `undefined` if the link is unknown. */
export function reducePayment(payment: Payment | undefined, event: EventView): Payment | undefined {
  if (event.type === 'link.created')
    return { link: event.link, refund: null, transferInitiatedAt: '', disputedAt: '' }
  if (!payment) return undefined

  const changed = (changes: Partial<LinkView>): Payment => ({
    ...payment,
    link: { ...payment.link, ...changes },
  })
  const refunded = (state: RefundState, { amount, full }: Pick<Refund, 'amount' | 'full'>): Payment => ({
    ...payment,
    refund: { amount, full, state, requestedAt: payment.refund?.requestedAt ?? event.at },
  })

  switch (event.type) {
    case 'link.paid':
      return changed({ status: 'paid', paidBy: event.method })
    case 'link.cancelled':
      return changed({ status: 'cancelled' })
    case 'link.deleted':
      return changed({ status: 'deleted' })
    case 'bank_transfer.initiated':
      return { ...changed({ status: 'awaiting-transfer' }), transferInitiatedAt: event.at }
    case 'bank_transfer.rejected':
      return changed({ status: 'unused' })
    case 'dispute.opened':
      return { ...changed({ dispute: 'open' }), disputedAt: event.at }
    case 'dispute.closed':
      return changed({ dispute: event.outcome })
    case 'refund.requested':
      return refunded('pending', event)
    case 'refund.approved':
      return refunded('approved', event)
    case 'refund.rejected':
      return refunded('rejected', event)
    default:
      return payment
  }
}

/** The status of a payment: of its link, its refund or its dispute. */
type PaymentStatus =
  | LinkView['status']
  | 'disputed'
  | 'refund-requested'
  | 'partly-refunded'
  | 'refunded'
  | 'charged-back'

/** The status as one word. A state that awaits a decision comes first. */
export function statusName({ link, refund }: Payment): PaymentStatus {
  if (link.dispute === 'open') return 'disputed'
  if (refund?.state === 'pending') return 'refund-requested'
  if (refund?.state === 'approved') return refund.amount < link.amount ? 'partly-refunded' : 'refunded'
  return link.dispute === 'won' ? 'charged-back' : link.status
}

export const statusOf = (payment: Payment): { readonly text: string; readonly tone: Tone } =>
  statuses[statusName(payment)]

const statuses: Readonly<Record<PaymentStatus, { text: string; tone: Tone }>> = {
  disputed: { text: 'Disputed', tone: 'err' },
  'refund-requested': { text: 'Refund requested', tone: 'warn' },
  'partly-refunded': { text: 'Partly refunded', tone: 'plain' },
  refunded: { text: 'Refunded', tone: 'plain' },
  'charged-back': { text: 'Charged back', tone: 'plain' },
  unused: { text: 'Unused', tone: 'plain' },
  'awaiting-transfer': { text: 'Awaiting transfer', tone: 'warn' },
  paid: { text: 'Paid', tone: 'ok' },
  cancelled: { text: 'Cancelled', tone: 'plain' },
  deleted: { text: 'Deleted', tone: 'plain' },
}
