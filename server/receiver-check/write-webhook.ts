import type { CheckedOrder } from '../contract/check.ts'
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
}

/** No account and no payment has these ids. */
const UNKNOWN_USER_ID = '00000000-0000-4000-8000-0000000bad1d'
const UNKNOWN_PAY_ID = 999_999_999_999

interface Field {
  readonly name: string
  readonly value: string
  readonly isNumber: boolean
}

/** Writes the webhook of an order, changed as the case requires. */
export function writeWebhook(order: CheckedOrder, variant: WebhookVariant): Webhook {
  const charset = variant.charset === undefined ? '' : `; charset=${variant.charset}`
  const slowMs = variant.slowMs ?? 0
  if (variant.encoding === 'json') {
    const body = variant.body ?? toJson(fieldsOf(order, variant))
    return { contentType: `application/json${charset}`, body, slowMs }
  }
  const body = variant.body ?? toForm(fieldsOf(order, variant), variant.brackets === 'literal')
  return { contentType: `application/x-www-form-urlencoded${charset}`, body, slowMs }
}

/** The fields, in the order of the API reference. */
function fieldsOf(order: CheckedOrder, variant: WebhookVariant): Field[] {
  const { payId, note, amount, user, status = 'Success', extraFields, omit } = variant
  const fields = [
    number('pay_id', String(payId === 'unknown' ? UNKNOWN_PAY_ID : order.payId)),
    text('note', note === 'unknown' ? 'belongs to no order' : order.note),
    number('amount', amountText(order.amount, amount)),
    text('user_id', user === 'forged' ? UNKNOWN_USER_ID : order.accountId),
    text('status', status),
    ...(extraFields ? [text('currency', 'EUR'), text('paid_at', '2026-01-01 12:00:00')] : []),
  ]
  return fields.filter(({ name }) => name !== omit)
}

const number = (name: string, value: string): Field => ({ name, value, isNumber: true })
const text = (name: string, value: string): Field => ({ name, value, isNumber: false })

function amountText(euros: number, form: WebhookVariant['amount']): string {
  if (form === 'two-decimals') return euros.toFixed(2)
  if (form === 'forged') return euros === 0.01 ? '0.02' : '0.01'
  return String(euros)
}

/** Builds the JSON by hand, because `JSON.stringify` cannot write the number 10.50. */
function toJson(fields: readonly Field[]): string {
  const pairs = fields.map(
    ({ name, value, isNumber }) => `${JSON.stringify(name)}:${isNumber ? value : JSON.stringify(value)}`,
  )
  return `{"ResponseCode":1,"data":{${pairs.join(',')}}}`
}

function toForm(fields: readonly Field[], isLiteral: boolean): string {
  const pairs = fields.map(({ name, value }) => {
    const key = `data[${name}]`
    return `${isLiteral ? key : encodeURIComponent(key)}=${new URLSearchParams([['', value]]).toString().slice(1)}`
  })
  return ['ResponseCode=1', ...pairs].join('&')
}
