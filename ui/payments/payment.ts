import type { ShownEvent, ShownLink } from '../../server/control/present.ts'
import type { RefundState } from '../../server/domain/refund.ts'
import type { Tone } from '../describe.ts'

interface Refund {
  readonly amount: number
  readonly full: boolean
  readonly state: RefundState
}

/** A link as it is now, folded from its events. */
export interface Payment {
  readonly link: ShownLink
  readonly refund: Refund | null
}

/** What an event makes of a payment. `undefined` as long as its link is unknown. */
export function foldPayment(payment: Payment | undefined, event: ShownEvent): Payment | undefined {
  if (event.type === 'link.created') return { link: event.link, refund: null }
  if (!payment) return undefined

  const changed = (changes: Partial<ShownLink>): Payment => ({
    ...payment,
    link: { ...payment.link, ...changes },
  })
  const refunded = (state: RefundState, { amount, full }: Omit<Refund, 'state'>): Payment => ({
    ...payment,
    refund: { amount, full, state },
  })

  switch (event.type) {
    case 'link.paid':
      return changed({ status: 'paid', paidBy: event.method })
    case 'link.cancelled':
      return changed({ status: 'cancelled' })
    case 'link.deleted':
      return changed({ status: 'deleted' })
    case 'transfer.announced':
      return changed({ status: 'awaiting-transfer' })
    case 'transfer.rejected':
      return changed({ status: 'unused' })
    case 'dispute.opened':
      return changed({ dispute: 'open' })
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

/** Where a payment stands: what waits for somebody comes first. */
export function statusOf({ link, refund }: Payment): { readonly text: string; readonly tone: Tone } {
  if (link.dispute === 'open') return { text: 'Disputed', tone: 'err' }
  if (refund?.state === 'pending') return { text: 'Refund asked', tone: 'warn' }
  if (refund?.state === 'approved') {
    return { text: refund.amount < link.amount ? 'Partly refunded' : 'Refunded', tone: 'plain' }
  }
  return statuses[link.status]
}

const statuses: Readonly<Record<ShownLink['status'], { text: string; tone: Tone }>> = {
  unused: { text: 'Unused', tone: 'plain' },
  'awaiting-transfer': { text: 'Awaiting transfer', tone: 'warn' },
  paid: { text: 'Paid', tone: 'ok' },
  cancelled: { text: 'Cancelled', tone: 'plain' },
  deleted: { text: 'Deleted', tone: 'plain' },
}
