import { aboutLink } from '../../domain/links/subject.ts'
import { blocksRefund, type Link } from '../../domain/links/link.ts'
import type { Cents } from '../../domain/money/money.ts'
import type { Refund } from '../../domain/links/refund.ts'
import { Refusal, wording } from '../../domain/api/api-error.ts'
import * as links from '../../store/repositories/links.ts'
import * as refunds from '../../store/repositories/refunds.ts'
import type { Work } from '../../store/store.ts'
import type { Caller } from '../caller.ts'

interface RefundOrder {
  readonly payId: number
  /** `undefined` for an amount that no payment can have, such as a third of a cent. */
  readonly amount: Cents | undefined
  readonly full: boolean
}

/** Asks for a payment to be returned. An operator decides; nothing is returned yet. */
export async function refundPayment(work: Work, caller: Caller, order: RefundOrder): Promise<Refund> {
  const link = await links.withPayId(work.db, order.payId)
  const earlier = link && (await refunds.find(work.db, link.payId))
  const { inForce } = caller
  inForce.assume('checkOrder')

  if (link?.accountId !== caller.account.id) throw new Refusal('not-found', wording.linkUnknown)
  if (link.status === 'cancelled') throw new Refusal('conflict', wording.linkCancelled)
  if (link.status !== 'paid') {
    inForce.assume('refundUnpaid')
    throw new Refusal('not-found', wording.linkUnknown)
  }
  if (earlier) {
    if (earlier.state === 'rejected') inForce.assume('rejectedRefund')
    throw new Refusal('conflict', wording.refundRequested)
  }
  if (isDisputed(link, caller)) throw new Refusal('conflict', wording.refundDisputed)

  const refund: Refund = {
    payId: link.payId,
    linkId: link.id,
    accountId: link.accountId,
    amount: acceptAmount(link, order, caller),
    full: order.full,
    state: 'pending',
    requestedAt: work.now,
    decidedAt: null,
  }
  await refunds.insert(work.db, refund)
  await work.record({
    type: 'refund.requested',
    ...aboutLink(link),
    amount: refund.amount,
    full: refund.full,
  })
  return refund
}

function isDisputed({ dispute }: Link, { inForce }: Caller): boolean {
  if (dispute === 'won' || dispute === 'lost') inForce.assume('disputeOutcome')
  return blocksRefund(dispute)
}

function acceptAmount(link: Link, { amount, full }: RefundOrder, { inForce }: Caller): Cents {
  if (amount === undefined || amount <= 0 || amount > link.amount) {
    throw new Refusal('invalid', wording.refundAmountInvalid)
  }
  if (full && amount !== link.amount) {
    inForce.assume('fullRefundAmount')
    throw new Refusal('invalid', wording.refundAmountInvalid)
  }
  return amount
}
