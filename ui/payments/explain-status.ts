import { errorText } from '../../server/domain/api/api-error.ts'
import { formatAmount } from '../../server/format/values.ts'
import type { Payment } from './payment.ts'

/** Explains the state of a payment, and what follows from it. `null` if there is nothing to explain. */
export function explainStatus({ link, refund }: Payment): string | null {
  if (link.status === 'deleted')
    return 'The link was deleted. Its page says so, and nobody can pay it any more.'
  if (link.status === 'cancelled') return 'The customer cancelled. The link cannot be paid any more.'
  if (link.status === 'awaiting-transfer') {
    return 'The customer has announced a bank transfer. It waits for the operator.'
  }
  if (link.dispute === 'open') {
    return `The customer’s bank disputes this payment. Until the dispute is closed the API answers “${errorText('refundDisputed')}”.`
  }
  if (link.dispute === 'won') {
    return `The customer won the dispute and has the money back. The API answers “${errorText('refundDisputed')}”.`
  }
  if (refund === null) return null

  const part = `${formatAmount(refund.amount)} of ${formatAmount(link.amount)}`
  if (refund.state === 'pending') return `A refund of ${part} waits for the operator.`
  return `A refund of ${part} was ${refund.state}. It is the only one: the API answers “${errorText('refundRequested')}”.`
}
