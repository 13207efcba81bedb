import { linkSubject } from '../../../domain/links/subject.ts'
import type { Link } from '../../../domain/links/link.ts'
import { fromEuros, isWholeCents, toEuros, type Cents } from '../../../domain/money/cents.ts'
import type { Refund } from '../../../domain/links/refund.ts'
import { apiError } from '../../../domain/api/api-error.ts'
import * as links from '../../../store/repositories/links.ts'
import * as refunds from '../../../store/repositories/refunds.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import type { Caller } from '../accounts/caller.ts'

interface RefundRequest {
  readonly payId: number
  readonly euros: number
  readonly full: boolean
}

/** Requests a refund. An operator decides about it later. */
export async function refundPayment(
  work: UnitOfWork,
  caller: Caller,
  request: RefundRequest,
): Promise<Refund> {
  const link = await links.withPayId(work.db, request.payId)
  const earlier = link && (await refunds.find(work.db, link.payId))
  const { behaviors } = caller
  behaviors.dependOn('payId')

  if (link?.accountId !== caller.account.id) throw apiError('linkUnknown')
  if (link.status === 'cancelled') throw apiError('linkCancelled')
  if (link.status !== 'paid') {
    behaviors.markAssumptions('refundUnpaid')
    throw apiError('linkUnknown')
  }
  if (earlier) {
    if (earlier.state === 'rejected') behaviors.markAssumptions('rejectedRefund')
    throw apiError('refundRequested')
  }
  if (isBlockedByDispute(link, caller)) throw apiError('refundDisputed')

  const refund: Refund = {
    payId: link.payId,
    linkId: link.id,
    accountId: link.accountId,
    amount: validateAmount(link, request, caller),
    full: request.full,
    state: 'pending',
    requestedAt: work.now,
    decidedAt: null,
  }
  await refunds.insert(work.db, refund)
  await work.record({
    type: 'refund.requested',
    ...linkSubject(link),
    amount: refund.amount,
    full: refund.full,
  })
  return refund
}

function isBlockedByDispute({ dispute }: Link, { behaviors }: Caller): boolean {
  if (dispute === 'lost') behaviors.markAssumptions('disputeOutcome')
  return dispute === 'won' ? behaviors.dependOn('wonDispute') === 'blocks' : dispute === 'open'
}

function validateAmount(link: Link, { euros, full }: RefundRequest, { behaviors }: Caller): Cents {
  if (euros <= 0 || euros > toEuros(link.amount)) throw apiError('refundAmountInvalid')
  if (!isWholeCents(euros)) throw apiError('tooManyDecimals', 'refund_amount')
  const amount = fromEuros(euros)
  if (full && amount !== link.amount) {
    behaviors.markAssumptions('fullRefundAmount')
    throw apiError('refundAmountInvalid')
  }
  return amount
}
