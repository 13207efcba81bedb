import { errorText } from '../../server/domain/api/api-error.ts'
import { formatAmount } from '../../server/contract/format/values.ts'
import type { Payment } from '../data/payment.ts'

/** Leaves out the message in a report, because the table of all messages is too large for it. */
const withMessage = (code: 'refundDisputed' | 'refundRequested'): string =>
  CAN_ACT ? ` with “${errorText(code)}”` : ''

/** Explains the status of a payment and what follows from it. `null` if there is nothing to explain. */
export function explainStatus({ link, refund }: Payment): string | null {
  if (link.status === 'deleted') return 'The link was deleted and can no longer be paid.'
  if (link.status === 'cancelled') return 'The customer cancelled. The link can no longer be paid.'
  if (link.status === 'awaiting-transfer') {
    return 'The customer initiated a bank transfer. It awaits a decision of the operator.'
  }
  if (link.dispute === 'open') {
    return `The customer’s bank disputes this payment. Until the dispute is closed, the API rejects refunds${withMessage('refundDisputed')}.`
  }
  if (link.dispute === 'won') {
    return `The customer won the dispute and got the money back. The API rejects refunds${withMessage('refundDisputed')}.`
  }
  if (refund === null) return null

  const part = `${formatAmount(refund.amount)} of ${formatAmount(link.amount)}`
  if (refund.state === 'pending') return `A refund of ${part} awaits a decision of the operator.`
  return `A refund of ${part} was ${refund.state}. The API rejects further refunds${withMessage('refundRequested')}.`
}
