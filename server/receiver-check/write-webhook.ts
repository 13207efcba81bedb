import type { WebhookVariant } from './check-case.ts'
import type { CheckedOrder } from '../contract/check.ts'

/** A webhook as it is posted. */
export interface Webhook {
  readonly contentType: string
  readonly body: string
  readonly slowMs: number
}

/** With the name of the case that it is of. */
export interface CaseWebhook extends Webhook {
  readonly check: string
}

/** Of no account and no payment, here or elsewhere. */
const UNKNOWN_USER_ID = '00000000-0000-4000-8000-0000000bad1d'
const UNKNOWN_PAY_ID = 999_999_999_999

interface Field {
  readonly name: string
  readonly value: string
  readonly isNumber: boolean
}

/** Writes a webhook for an order, different in what the case says. */
export function writeWebhook(order: CheckedOrder, sending: WebhookVariant): Webhook {
  const charset = sending.charset === undefined ? '' : `; charset=${sending.charset}`
  const slowMs = sending.slowMs ?? 0
  if (sending.encoding === 'json') {
    const body = sending.body ?? toJson(fieldsOf(order, sending))
    return { contentType: `application/json${charset}`, body, slowMs }
  }
  const body = sending.body ?? toForm(fieldsOf(order, sending), sending.brackets === 'literal')
  return { contentType: `application/x-www-form-urlencoded${charset}`, body, slowMs }
}

/** In the reference's order. */
function fieldsOf(order: CheckedOrder, sending: WebhookVariant): Field[] {
  const { payId, note, amount, user, status = 'Success', extraFields: extra, omit: without } = sending
  const fields = [
    number('pay_id', String(payId === 'unknown' ? UNKNOWN_PAY_ID : order.payId)),
    text('note', note === 'unknown' ? 'no order of anybody' : order.note),
    number('amount', amountText(order.amount, amount)),
    text('user_id', user === 'forged' ? UNKNOWN_USER_ID : order.accountId),
    text('status', status),
    ...(extra ? [text('currency', 'EUR'), text('paid_at', '2026-01-01 12:00:00')] : []),
  ]
  return fields.filter(({ name }) => name !== without)
}

const number = (name: string, value: string): Field => ({ name, value, isNumber: true })
const text = (name: string, value: string): Field => ({ name, value, isNumber: false })

function amountText(euros: number, written: WebhookVariant['amount']): string {
  if (written === 'two-decimals') return euros.toFixed(2)
  if (written === 'forged') return euros === 0.01 ? '0.02' : '0.01'
  return String(euros)
}

/** Assembled by hand because no JSON writer prints the number 10.50. */
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
