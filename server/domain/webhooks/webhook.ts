import type { BehaviorSettings } from '../behaviors/behavior.ts'
import { toEuros, type Cents } from '../money/cents.ts'

/** The outcomes of a payment, spelled as in the reference. */
export const paymentOutcomes = ['Success', 'cancel'] as const

export type PaymentOutcome = (typeof paymentOutcomes)[number]

/** The spellings of the outcomes: as in the reference, and in lower case. */
export const statusTexts = [...paymentOutcomes, 'success'] as const

/** An outcome in one of its spellings, or the text that was passed to sendWebhookViaPayId. */
export type StatusText = (typeof statusTexts)[number] | (string & {})

/** The status to send: an outcome in the spelling of `statusText`, or a text that is sent unchanged. */
export type StatusToSend = PaymentOutcome | { readonly text: string }

export interface WebhookBody {
  readonly contentType: string
  readonly text: string
}

/** The facts that a webhook reports. */
export interface WebhookContent {
  readonly payId: number
  readonly note: string
  readonly amount: Cents
  readonly accountId: string
  readonly status: string
}

type AmountText = BehaviorSettings['amountText']

interface WebhookFieldRow {
  readonly type: 'integer' | 'number' | 'text' | 'status'
  readonly description: string
  /** Writes the value, before it is quoted or encoded. */
  readonly write: (content: WebhookContent, amountText: AmountText) => string
}

/**
 * The fields in `data`, in the sequence of the reference. A new value also needs a field in `WebhookContent`. The body, its
 * schema and examples in the OpenAPI document, the guide and the webhooks of the receiver check are generated from this table.
 */
export const webhookFields = {
  pay_id: {
    type: 'integer',
    description: 'The id of the payment. Pass it to `refundPayment` and `sendWebhookViaPayId`.',
    write: ({ payId }) => String(payId),
  },
  note: {
    type: 'text',
    description: 'The `recipient_note` of the link, for example your order number.',
    write: ({ note }) => note,
  },
  amount: {
    type: 'number',
    description: 'The paid amount, in euros.',
    write: ({ amount }, amountText) =>
      amountText === 'shortest' ? String(toEuros(amount)) : toEuros(amount).toFixed(2),
  },
  user_id: {
    type: 'text',
    description: 'The id of the account that owns the link.',
    write: ({ accountId }) => accountId,
  },
  status: {
    type: 'status',
    description:
      'The outcome: `Success` or `cancel`. With the behavior `statusText=lowercase`, `success` or `cancel`.',
    write: ({ status }) => status,
  },
} as const satisfies Record<string, WebhookFieldRow>

export type WebhookFieldName = keyof typeof webhookFields

/** An example for documents. */
export const sampleWebhook: WebhookContent = {
  payId: 1001,
  note: 'Order 7',
  amount: 100_00,
  accountId: '00000000-0000-4000-8000-000000000001',
  status: 'Success',
}

/** A field with its value, as it is written into a body. */
export interface WebhookEntry {
  readonly name: string
  readonly value: string
  readonly isNumber: boolean
}

export const isNumberField = (name: WebhookFieldName): boolean =>
  webhookFields[name].type === 'integer' || webhookFields[name].type === 'number'

export const webhookEntries = (content: WebhookContent, amountText: AmountText): WebhookEntry[] =>
  Object.entries<WebhookFieldRow>(webhookFields).map(([name, { write }]) => ({
    name,
    value: write(content, amountText),
    isNumber: isNumberField(name as WebhookFieldName),
  }))

/** The name of a field in a form. */
export const formFieldName = (name: string): string => `data[${name}]`

/** Builds the JSON by hand, because JSON encoders cannot write the number 100.00. */
export function encodeWebhookJson(entries: readonly WebhookEntry[]): string {
  const pairs = entries.map(
    ({ name, value, isNumber }) => `${JSON.stringify(name)}:${isNumber ? value : JSON.stringify(value)}`,
  )
  return `{"ResponseCode":1,"data":{${pairs.join(',')}}}`
}

/** Encodes the fields as a form, either as browsers do, or with literal brackets and with spaces as %20. */
export function encodeWebhookForm(
  entries: readonly WebhookEntry[],
  formEncoding: BehaviorSettings['formEncoding'],
): string {
  const pairs = entries.map(({ name, value }): [string, string] => [formFieldName(name), value])
  const text =
    formEncoding === 'encoded'
      ? new URLSearchParams(pairs).toString()
      : pairs.map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`).join('&')
  return `ResponseCode=1&${text}`
}

/** The behaviors that decide how a webhook's body is written. */
export type WebhookFormat = Pick<BehaviorSettings, 'webhookEncoding' | 'formEncoding' | 'amountText'>

/** The body of a webhook, with its media type. */
export function webhookBody(
  content: WebhookContent,
  { webhookEncoding, formEncoding, amountText }: WebhookFormat,
): WebhookBody {
  const entries = webhookEntries(content, amountText)
  return webhookEncoding === 'json'
    ? { contentType: 'application/json', text: encodeWebhookJson(entries) }
    : { contentType: 'application/x-www-form-urlencoded', text: encodeWebhookForm(entries, formEncoding) }
}

export const spellStatus = (outcome: PaymentOutcome, spelling: BehaviorSettings['statusText']): StatusText =>
  spelling === 'documented' || outcome === 'cancel' ? outcome : 'success'

/** Reads the status that was passed to sendWebhookViaPayId. `undefined` if the status is refused. */
export function readStatus(
  text: string,
  resendStatus: () => BehaviorSettings['resendStatus'],
): StatusToSend | undefined {
  if (text === 'Success' || text === 'cancel') return text
  const choice = resendStatus()
  if (choice === 'as-given') return { text }
  if (choice !== 'any-case') return undefined
  return paymentOutcomes.find((outcome) => outcome.toLowerCase() === text.toLowerCase())
}
