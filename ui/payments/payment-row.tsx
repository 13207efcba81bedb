import { formatAmount } from '../../server/contract/format/values.ts'
import { Icon } from '../components/icon.tsx'
import { Marked } from '../components/marked.tsx'
import { Time } from '../components/time.tsx'
import { PaymentStatusText } from './payment-status.tsx'
import { paymentReading, selectedPayId, selectPayment } from './payment-list.ts'
import { methodOf, type ListedPayment } from './payment-terms.ts'
import { WebhookCell } from './webhook-cell.tsx'

export const paymentRowId = (payId: number): string => `payment-${payId}`

const methods = {
  card: ['payments', 'Card'],
  'bank-transfer': ['bank', 'Bank transfer'],
} as const

const SearchedText = ({ text }: { readonly text: string }) => (
  <Marked text={text} phrases={paymentReading.value.phrases} />
)

/** A longer note would not fit into the row. */
const MAX_NOTE = 200

interface Props {
  readonly listed: ListedPayment
  readonly index: number
}

/** One payment. On a narrow list, the style sheet arranges the cells in two lines. */
export function PaymentRow({ listed, index }: Props) {
  const { payment, webhooks, accountName } = listed
  const { payId, amount, note, createdAt, kind, payout } = payment.link
  const method = methodOf(listed) as keyof typeof methods | null
  const parties = payout.recipients.length + 1
  return (
    <div
      role="row"
      id={paymentRowId(payId)}
      class="row"
      aria-rowindex={index + 2}
      aria-selected={payId === selectedPayId.value}
      onClick={() => selectPayment(payId)}
    >
      <div role="gridcell" class="pay">
        <SearchedText text={String(payId)} />
      </div>
      <div role="gridcell" class="amount">
        <SearchedText text={formatAmount(amount)} />
      </div>
      <div role="gridcell" class="state">
        <PaymentStatusText payment={payment} />
      </div>
      <div role="gridcell" class="webhook-cell">
        <WebhookCell webhooks={webhooks} />
      </div>
      <div role="gridcell" class="note-cell">
        <bdi>
          <SearchedText text={note.slice(0, MAX_NOTE)} />
        </bdi>
        {kind === 'split' && (
          <span class="split-mark" title={`Split among ${parties}`}>
            <Icon name="split" size={12} />
            <span class="visually-hidden">Split among </span>
            {parties}
          </span>
        )}
      </div>
      <div role="gridcell" class="account-cell">
        <bdi>
          <SearchedText text={accountName} />
        </bdi>
      </div>
      <div role="gridcell" class="method">
        {method !== null && (
          <span title={methods[method][1]}>
            <Icon name={methods[method][0]} size={14} />
            <span class="visually-hidden">{methods[method][1]}</span>
          </span>
        )}
      </div>
      <div role="gridcell" class="age">
        <Time at={createdAt} style="age" />
      </div>
    </div>
  )
}
