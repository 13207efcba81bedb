import { Icon, type IconName } from '../components/icon.tsx'
import { statusOf, type Payment } from '../data/payment.ts'

const icons: Readonly<Record<string, IconName>> = {
  Paid: 'ok',
  'Awaiting transfer': 'clock',
  Disputed: 'flag',
  'Refund requested': 'undo',
  Refunded: 'undo',
  'Partly refunded': 'undo',
  'Charged back': 'undo',
}

interface Props {
  readonly payment: Payment
  /** Whether to say how the payment was made. */
  readonly hasMethod?: boolean
}

/** The status of a payment as an icon and a word. */
export function PaymentStatusText({ payment, hasMethod = false }: Props) {
  const { text, tone } = statusOf(payment)
  const method = { card: ' by card', 'bank-transfer': ' by bank transfer' }
  const { paidBy } = payment.link
  return (
    <span class="status" data-tone={tone}>
      <Icon name={icons[text] ?? 'plain'} size={14} />
      {text}
      {hasMethod && text === 'Paid' && paidBy !== null && method[paidBy]}
    </span>
  )
}
