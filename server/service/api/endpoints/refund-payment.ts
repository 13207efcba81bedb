import { z } from 'zod'
import { apiError, errorDetails } from '../../../domain/api/api-error.ts'
import { refundPayment } from '../../operations/links/refund-payment.ts'
import { defineEndpoint } from '../endpoint.ts'
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
    // Not checked here, because refundPayment checks the amount last.
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
    'Requests a full or partial refund, once for each payment. An operator decides about it. In the sandbox you are the operator: use the inspector or `POST /_sandbox/v1/refunds/{payId}/approve`. No webhook is sent.',
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

  async answer({ work, caller }, body) {
    const refund = await refundPayment(work, caller, {
      payId: body.pay_id,
      euros: body.refund_amount,
      full: body.isFullRefund,
    })
    return { link: { id: refund.linkId, payId: refund.payId } }
  },
})
