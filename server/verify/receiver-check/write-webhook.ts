import type { CheckedOrder } from '../../contract/checks/check.ts'
import { fromEuros, type Cents } from '../../domain/money/cents.ts'
import {
  encodeWebhookForm,
  encodeWebhookJson,
  webhookEntries,
  type WebhookContent,
  type WebhookEntry,
} from '../../domain/webhooks/webhook.ts'
import type { WebhookVariant } from './check-case.ts'

/** The body of a webhook and how it is posted. */
export interface Webhook {
  readonly contentType: string
  readonly body: string
  /** How long the body takes to send, in milliseconds. */
  readonly slowMs: number
}

export interface CaseWebhook extends Webhook {
  /** The name of the case, for the journal. */
  readonly check: string
  /** So many webhooks with this id end at the same time. */
  readonly atOnce?: { readonly id: string; readonly count: number }
}

/** No account and no payment has these ids. */
const UNKNOWN_USER_ID = '00000000-0000-4000-8000-0000000bad1d'
const UNKNOWN_PAY_ID = 999_999_999_999

/** Writes the webhook of an order, changed as the case requires. */
export function writeWebhook(order: CheckedOrder, variant: WebhookVariant): Webhook {
  const charset = variant.charset === undefined ? '' : `; charset=${variant.charset}`
  const slowMs = variant.slowMs ?? 0
  if (variant.encoding === 'json') {
    const body = variant.body ?? encodeWebhookJson(entriesOf(order, variant))
    return { contentType: `application/json${charset}`, body, slowMs }
  }
  const body = variant.body ?? encodeWebhookForm(entriesOf(order, variant), variant.brackets ?? 'encoded')
  return { contentType: `application/x-www-form-urlencoded${charset}`, body, slowMs }
}

/** The fields of the webhook, with the changes of the variant. */
function entriesOf(order: CheckedOrder, variant: WebhookVariant): WebhookEntry[] {
  const { payId, note, amount, user, status = 'Success', extraFields, omit } = variant
  const cents = fromEuros(order.amount)
  const content: WebhookContent = {
    payId: payId === 'unknown' ? UNKNOWN_PAY_ID : order.payId,
    note: note === 'unknown' ? 'belongs to no order' : order.note,
    amount: amount === 'forged' ? forgedAmount(cents) : cents,
    accountId: user === 'forged' ? UNKNOWN_USER_ID : order.accountId,
    status,
  }
  const entries = webhookEntries(content, amount === 'two-decimals' ? 'two-decimals' : 'shortest')
  return [...entries, ...(extraFields ? EXTRA_ENTRIES : [])].filter(({ name }) => name !== omit)
}

/** Fields that the API reference does not have. */
const EXTRA_ENTRIES: readonly WebhookEntry[] = [
  { name: 'currency', value: 'EUR', isNumber: false },
  { name: 'paid_at', value: '2026-01-01 12:00:00', isNumber: false },
]

const forgedAmount = (amount: Cents): Cents => (amount === 1 ? 2 : 1)
