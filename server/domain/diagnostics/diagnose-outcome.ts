import type { CallFacts } from './call-facts.ts'
import { diagnoseEach, diagnoseIf } from './diagnose-if.ts'
import type { Diagnostic } from './diagnostic.ts'

/** Diagnoses the links that a call created or names. */
export function diagnoseOutcome({ created, payments, body }: CallFacts): Diagnostic[] {
  const isFull = body?.isFullRefund === true
  const refundAmount = body?.refund_amount
  return [
    ...diagnoseIf(
      created?.notifies === false,
      'noWebhookTarget',
      () => 'no payment_endpoint, neither in the request nor in the account',
    ),
    ...diagnoseIf(
      created?.repeatedLinkId !== undefined,
      'sameLinkTwice',
      () => `link ${created?.repeatedLinkId} has the same fields`,
    ),
    ...diagnoseEach(
      payments.filter(({ isLinkId }) => isLinkId),
      'linkIdAsPayId',
      ({ payId }) => `${payId} is the id of a link`,
    ),
    ...diagnoseEach(
      payments.filter(({ equalsId }) => equalsId),
      'payIdEqualsId',
      ({ payId }) => `${payId} is both`,
    ),
    ...(refundAmount === undefined ? [] : payments).flatMap(({ status, amount }) => [
      ...diagnoseIf(
        status === 'unused' || status === 'awaiting-transfer',
        'refundBeforePayment',
        () => `the link is ${status}`,
      ),
      ...diagnoseIf(
        isFull && status === 'paid' && typeof refundAmount === 'number' && refundAmount !== amount,
        'fullRefundAmount',
        () => `${String(refundAmount)} of ${amount}`,
      ),
    ]),
  ]
}
