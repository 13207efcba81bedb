import { formatAmount } from '../../server/contract/format/values.ts'
import { amountPredicate, bodyMeaning, choice } from '../search/filter-terms.ts'
import type { FilterTerms, Predicate } from '../search/filter.ts'
import { belongsTo } from '../data/attention.ts'
import { statusOf, type Payment } from '../data/payment.ts'
import { webhookStates, type WebhookMark } from '../data/webhook-marks.ts'

/** A payment with what its row shows. */
export interface ListedPayment {
  readonly payment: Payment
  readonly webhooks: readonly WebhookMark[]
  readonly accountName: string
  /** Whether a text was found in the bodies of the payment's calls and webhooks. The text is in lower case. */
  readonly hasBody: (text: string) => boolean
}

const statuses = [
  'unused',
  'awaiting-transfer',
  'paid',
  'cancelled',
  'deleted',
  'refund-requested',
  'refunded',
  'disputed',
  'charged-back',
]

/** The texts of a payment's status: `paid`, and `refund-requested` once a refund is. */
const statusTexts = ({ payment }: ListedPayment): readonly string[] => [
  payment.link.status,
  statusOf(payment).text.toLowerCase().replaceAll(' ', '-'),
]

const states: Readonly<Record<string, Predicate<ListedPayment>>> = {
  attention: ({ payment, webhooks }) => belongsTo.attention(payment, webhooks),
  split: ({ payment }) => payment.link.kind === 'split',
}

/** The terms of the filter of payments. It uses the syntax of the timeline's filter. */
export const paymentTerms: FilterTerms<ListedPayment> = {
  is: choice(Object.keys(states), 'is:attention', (value) => states[value] ?? (() => false)),
  status: choice(statuses, 'status:paid', (value) => (listed) => statusTexts(listed).includes(value)),
  webhook: choice(
    [...webhookStates, 'none'],
    'webhook:failed',
    (value) =>
      ({ webhooks }) =>
        value === 'none' ? webhooks.length === 0 : webhooks.some(({ state }) => state === value),
  ),
  method: choice(['card', 'bank-transfer'], 'method:card', (value) => (listed) => methodOf(listed) === value),
  pay: {
    values: [],
    example: 'pay:1001',
    meaning: 'one payment',
    toPredicate:
      (value) =>
      ({ payment }) =>
        String(payment.link.payId) === value,
  },
  note: {
    values: [],
    example: 'note:roses',
    meaning: 'part of the note',
    toPredicate:
      (value) =>
      ({ payment }) =>
        payment.link.note.toLowerCase().includes(value),
  },
  amount: {
    values: ['>100'],
    example: 'amount:>=64',
    meaning: 'amount in euros',
    toPredicate: (value) => {
      const matches = amountPredicate(value)
      return ({ payment }) => matches(payment.link.amount)
    },
  },
  account: {
    values: [],
    example: 'account:flower',
    meaning: 'part of the account’s name, or the beginning of its id',
    toPredicate:
      (value) =>
      ({ payment, accountName }) =>
        accountName.toLowerCase().includes(value) || payment.link.accountId.toLowerCase().startsWith(value),
  },
  host: {
    values: [],
    example: 'host:localhost',
    meaning: 'part of a webhook’s address',
    toPredicate:
      (value) =>
      ({ webhooks }) =>
        webhooks.some(({ target }) => target.toLowerCase().includes(value)),
  },
  body: {
    values: [],
    example: 'body:"order 12"',
    meaning: bodyMeaning,
    toPredicate:
      (value) =>
      ({ hasBody }) =>
        hasBody(value),
  },
}

/** How the customer pays, `null` while that is open. */
export const methodOf = ({ payment: { link } }: Pick<ListedPayment, 'payment'>): string | null =>
  link.paidBy ?? (link.status === 'awaiting-transfer' ? 'bank-transfer' : null)

/** The texts of a payment that free text searches. */
export function textsOfPayment(listed: ListedPayment): readonly string[] {
  const { payId, id, linkId, note, amount } = listed.payment.link
  return [
    String(payId),
    String(id),
    linkId,
    note,
    formatAmount(amount),
    formatAmount(amount).replaceAll(',', ''),
    String(amount),
    listed.accountName,
    statusOf(listed.payment).text,
    ...statusTexts(listed),
    methodOf(listed) ?? '',
    ...listed.webhooks.flatMap(({ target, state }) => [target, `webhook ${state}`]),
  ]
}
