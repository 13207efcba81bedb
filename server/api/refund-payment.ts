import { z } from 'zod'
import { fromEuros, isWholeCents } from '../domain/money.ts'
import { wording } from '../domain/refusals.ts'
import { refundPayment } from '../operations/refund-payment.ts'
import { endpoint } from './endpoint.ts'
import { integer, number, optionalBoolean } from './fields.ts'

const Body = z.object({
  pay_id: integer('pay_id', wording.payIdMissing),
  refund_amount: number('refund_amount', wording.refundAmountMissing).transform((euros) =>
    isWholeCents(euros) ? fromEuros(euros) : undefined,
  ),
  isFullRefund: optionalBoolean('isFullRefund', false),
})

const FIELDS = { numbers: ['pay_id', 'refund_amount'], booleans: ['isFullRefund'] }

export const refundPaymentEndpoint = endpoint(Body, FIELDS, async ({ work, caller }, body) => {
  const refund = await refundPayment(work, caller, {
    payId: body.pay_id,
    amount: body.refund_amount,
    full: body.isFullRefund,
  })
  return {
    message: 'Refund request has been sent successfully, You will get update within 5-10 days',
    link: { id: refund.linkId, payId: refund.payId },
  }
})
