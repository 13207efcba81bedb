import { paymentMethods } from '../../server/domain/links/link.ts'
import {
  amountTerm,
  amountTexts,
  bodyMeaning,
  accountTerm,
  orderTerm,
  paymentTerm,
  choice,
  isNumberOfPayment,
} from '../search/filter-terms.ts'
import type { FilterTerms, Predicate, RankOf } from '../search/filter.ts'
import { contains } from '../search/words.ts'
import { formatAge } from '../../server/contract/format/values.ts'
import { ELSEWHERE } from './webhook-cell.tsx'
import { now } from '../data/clock.ts'
import { foldText } from '../data/fold-text.ts'
import { belongsTo } from '../data/attention.ts'
import { statusName, statusOf, type Payment } from '../data/payment.ts'
import {
  webhookStates,
  type WebhookMark,
  type WebhookState,
} from '../../server/contract/format/webhook-marks.ts'

/** A payment with the values that its row shows. */
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

/** The names of a payment's status: `paid`, and also `refund-requested` after a refund request. */
const statusTexts = ({ payment }: ListedPayment): readonly string[] => [
  payment.link.status,
  statusName(payment),
]

const states: Readonly<Record<string, Predicate<ListedPayment>>> = {
  missed: ({ payment, webhooks }) => belongsTo.missed(payment, webhooks),
  split: ({ payment }) => payment.link.kind === 'split',
}

/**
 * The terms of the payments' filter, which has the syntax of the timeline's filter. A term has the name of the column that it
 * filters.
 */
export const paymentTerms: FilterTerms<ListedPayment> = {
  payment: paymentTerm('the payment with the pay_id 1001', ({ payment }) => payment.link.payId),
  amount: amountTerm('€64.00 or more', ({ payment }) => payment.link.amount),
  status: {
    ...choice(statuses, 'status:paid', 'paid', (value) => (listed) => statusTexts(listed).includes(value)),
    otherNames: ['state'],
  },
  webhooks: {
    ...choice(
      [...webhookStates, 'none'],
      'webhooks:failed',
      'with a webhook that failed for good',
      (value) =>
        ({ webhooks }) =>
          value === 'none' ? webhooks.length === 0 : webhooks.some(({ state }) => state === value),
    ),
    otherNames: ['webhook', 'delivery', 'hook'],
  },
  order: orderTerm('with 12 in the note, not 127', ({ payment }) => payment.link),
  account: accountTerm(({ payment, accountName }) => ({ id: payment.link.accountId, name: accountName })),
  method: choice(
    paymentMethods,
    'method:card',
    'paid by card',
    (value) => (listed) => methodOf(listed) === value,
  ),
  age: {
    values: ['<5min', '>1h', '>1d'],
    example: 'age:<5min',
    meaning: 'created less than 5 minutes ago. Also s, h and d',
    otherNames: ['created', 'time', 'date'],
    toPredicate: ageTest,
  },
  is: choice(
    Object.keys(states),
    'is:missed',
    'paid or cancelled, and your app does not know',
    (value) => states[value] ?? (() => false),
  ),
  host: {
    values: [],
    example: 'host:localhost',
    meaning: 'with this text in the address of a webhook',
    otherNames: ['path', 'url', 'target', 'address', 'domain'],
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

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Parses `<5min` or `>=1h`. Without a sign, this is the maximum age. */
function ageTest(value: string): Predicate<ListedPayment> {
  const [, sign = '', digits, unit = ''] = /^(<=?|>=?|)(\d+) ?(s|min|m|h|d)$/.exec(value) ?? []
  if (digits === undefined) return () => false
  const limit = now.peek() - Number(digits) * UNIT_MS[unit]!
  return ({ payment }) => {
    const createdAt = Date.parse(payment.link.createdAt)
    return sign.startsWith('>') ? createdAt <= limit : createdAt >= limit
  }
}

/** How the customer pays. `null` while this is not known. */
export const methodOf = ({ payment: { link } }: Pick<ListedPayment, 'payment'>): string | null =>
  link.paidBy ?? (link.status === 'awaiting-transfer' ? 'bank-transfer' : null)

const texts = new WeakMap<ListedPayment, readonly string[]>()

/** The texts of a payment that a search looks in, except its age: number and note, account, state, webhooks and other ids. */
export function textsOfPayment(listed: ListedPayment): readonly string[] {
  let known = texts.get(listed)
  if (!known) texts.set(listed, (known = lastingTexts(listed)))
  return known
}

/** A text that an age may contain: a number, or the beginning of a unit. */
const AGE = /^(\d|[shd]$|m(i|in)?$)/

function lastingTexts(listed: ListedPayment): readonly string[] {
  const { link } = listed.payment
  const state = [
    amountTexts(link.amount),
    statusOf(listed.payment).text,
    ...statusTexts(listed),
    methodOf(listed)?.replace('-', ' '),
    link.kind === 'split' && `split among ${link.payout.recipients.length + 1}`,
    ...(listed.webhooks.length === 0 ? ['– none'] : listed.webhooks.map((mark) => webhookWords[mark.state])),
    listed.webhooks.some(({ deliveredTo }) => deliveredTo !== undefined) && ELSEWHERE,
    listed.webhooks.length > 1 && String(listed.webhooks.length),
  ]
  const targets = listed.webhooks.map(({ target }) => target)
  return [
    `${link.payId}\n${link.note}`,
    listed.accountName,
    state.filter(Boolean).join('\n'),
    [...targets, link.id, link.linkId].join('\n'),
  ].map(foldText)
}

const webhookWords: Readonly<Record<WebhookState, string>> = {
  delivered: 'webhook delivered',
  stored: 'webhook stored',
  retrying: 'webhook retrying\nretry',
  held: 'webhook held',
  failed: 'webhook failed',
  queued: 'webhook queued',
}

/**
 * The position of the first text with a phrase. A payment with the phrase in its note then comes before one with the phrase in
 * its host.
 */
export const rankOf: RankOf<ListedPayment> = (phrase) => {
  const mayBeAge = AGE.test(phrase.typed)
  return (listed) => {
    const { payId, createdAt } = listed.payment.link
    if (isNumberOfPayment(payId, phrase)) return 0
    const known = textsOfPayment(listed)
    const rank = known.findIndex((text) => contains(text, phrase))
    if (rank !== -1) return rank
    return mayBeAge && contains(formatAge(createdAt, now.peek()), phrase) ? known.length : Infinity
  }
}
