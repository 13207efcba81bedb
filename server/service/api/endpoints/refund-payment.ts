import { z } from 'zod'
import { apiError, errorDetails } from '../../../domain/api/api-error.ts'
import type { ActiveBehaviors } from '../../../domain/behaviors/behavior.ts'
import { linkSubject } from '../../../domain/links/subject.ts'
import type { Link } from '../../../domain/links/link.ts'
import { fromEuros, isWholeCents, toEuros, type Cents } from '../../../domain/money/cents.ts'
import * as links from '../../../store/repositories/links.ts'
import * as refunds from '../../../store/repositories/refunds.ts'
import { defineEndpoint, type EndpointRequest } from '../endpoint.ts'
import { assume } from '../assumed.ts'
import { integer, number, optionalBoolean } from '../fields.ts'

const Body = z.object({
  pay_id: integer('pay_id', apiError('payIdMissing')).meta({
    description: 'The payment to refund: the `pay_id` of its webhook and redirect.',
    examples: [1001],
  }),
  refund_amount: number('refund_amount', apiError('refundAmountMissing')).meta({
    description:
      'The amount to refund, in euros: more than 0 and at most the payment. A full refund has the whole amount.',
    // Only for the document. refundPayment checks the amount last.
    exclusiveMinimum: 0,
    examples: [100],
  }),
  isFullRefund: optionalBoolean('isFullRefund', false)
    .meta({
      description: 'Whether the whole amount is refunded.',
      examples: [true],
    })
    .apply(assume, 'optionalFields', 'default'),
})

export const refundPaymentEndpoint = defineEndpoint({
  summary: 'Request a refund',
  description:
    'Requests a full or partial refund, once for each payment. An operator approves or rejects it. In the sandbox you are the operator: use the inspector or `POST /_sandbox/v1/refunds/{payId}/approve`. No webhook is sent.',
  body: Body,
  fieldTypes: { numbers: ['pay_id', 'refund_amount'], booleans: ['isFullRefund'] },
  message: 'Refund request has been sent successfully, You will get update within 5-10 days',
  resultFields: {},
  errors: [
    errorDetails('linkUnknown'),
    errorDetails('linkCancelled'),
    errorDetails('refundRequested'),
    errorDetails('refundDisputed'),
    errorDetails('refundAmountInvalid'),
    errorDetails('tooManyDecimals', 'refund_amount'),
  ],
  assumptions: [
    'refundUnpaid',
    'rejectedRefund',
    'disputeOutcome',
    'wonDispute',
    'fullRefundAmount',
    'amountDecimals',
    'payId',
  ],

  async answer(request, body) {
    const { id, payId } = await requestRefund(request, body)
    return { link: { id, payId } }
  },
})

/** Requests a refund of a link, and returns the link. An operator approves or rejects the refund later. */
async function requestRefund(
  { work, caller: { account, behaviors } }: EndpointRequest,
  body: z.output<typeof Body>,
): Promise<Link> {
  const link = await links.withPayId(work.db, body.pay_id)
  const earlier = link && (await refunds.find(work.db, link.payId))
  behaviors.dependOn('payId')

  if (link?.accountId !== account.id) throw apiError('linkUnknown')
  if (link.status === 'cancelled') throw apiError('linkCancelled')
  if (link.status !== 'paid') {
    behaviors.markAssumptions('refundUnpaid')
    throw apiError('linkUnknown')
  }
  if (earlier) {
    if (earlier.state === 'rejected') behaviors.markAssumptions('rejectedRefund')
    throw apiError('refundRequested')
  }
  if (isBlockedByDispute(link, behaviors)) throw apiError('refundDisputed')

  const amount = validateAmount(link, body, behaviors)
  const full = body.isFullRefund
  await refunds.insert(work.db, {
    payId: link.payId,
    linkId: link.id,
    accountId: link.accountId,
    amount,
    full,
    state: 'pending',
    requestedAt: work.now,
    decidedAt: null,
  })
  await work.record({ type: 'refund.requested', ...linkSubject(link), amount, full })
  return link
}

function isBlockedByDispute({ dispute }: Link, behaviors: ActiveBehaviors): boolean {
  if (dispute === 'lost') behaviors.markAssumptions('disputeOutcome')
  return dispute === 'won' ? behaviors.dependOn('wonDispute') === 'blocks' : dispute === 'open'
}

function validateAmount(
  link: Link,
  { refund_amount: euros, isFullRefund }: z.output<typeof Body>,
  behaviors: ActiveBehaviors,
): Cents {
  if (euros <= 0 || euros > toEuros(link.amount)) throw apiError('refundAmountInvalid')
  if (!isWholeCents(euros)) throw apiError('tooManyDecimals', 'refund_amount')
  const amount = fromEuros(euros)
  if (isFullRefund && amount !== link.amount) {
    behaviors.markAssumptions('fullRefundAmount')
    throw apiError('refundAmountInvalid')
  }
  return amount
}
