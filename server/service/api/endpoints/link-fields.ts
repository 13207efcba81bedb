import { apiError } from '../../../domain/api/api-error.ts'
import { refuse } from '../refuse.ts'
import { MAX_AMOUNT, fromEuros, isWholeCents } from '../../../domain/money/cents.ts'
import { errorDetails } from '../../../domain/api/api-error.ts'
import { MAX_TARGETS } from '../../../domain/links/limits.ts'
import { assume } from '../assumed.ts'
import { number, optionalBoolean, optionalEntries, optionalText } from '../fields.ts'

/** The fields of both createLink and createSplitLink, in the sequence of the reference. */
export const linkFields = {
  /** Converts euros to cents. */
  amount: number('amount', apiError('amountMissing'))
    .gt(0, { error: refuse('amountNotPositive'), abort: true })
    .max(MAX_AMOUNT / 100, { error: refuse('amountTooLarge'), abort: true })
    .refine(isWholeCents, { error: refuse('tooManyDecimals', 'amount'), abort: true })
    .transform(fromEuros)
    .meta({
      description: 'The amount that the customer pays, in euros, with at most two decimals.',
      examples: [100],
    })
    .apply(assume, 'amountDecimals', 'description')
    .apply(assume, 'amountLimit', 'maximum'),
  recipient_note: optionalText('recipient_note').meta({
    description:
      'A text that identifies the payment. The customer sees it, and the webhook contains it as `note`.',
    examples: ['Order 7'],
  }),
  callback_url: optionalEntries('callback_url').meta({
    description:
      "The address that the browser is sent to after the payment: a URL, or an index into the account's callback URLs, counted from 0. Of several entries, separated by commas, the first one is used.",
    examples: ['https://shop.example/thanks', '0'],
  }),
  payment_endpoint: optionalEntries('payment_endpoint').meta({
    description:
      "The targets of the webhook, instead of the account's payment endpoint: URLs, and indexes into the account's webhook URLs, counted from 0. Separate several entries by commas.",
    examples: ['http://localhost:3000/webhooks/paylink', '0,http://localhost:3000/audit'],
  }),
  cancellable: optionalBoolean('cancellable', true).meta({
    description: 'Whether the customer can cancel the payment.',
    examples: [true],
  }),
  is_qr_link: optionalBoolean('is_qr_link', false)
    .meta({
      description: 'Whether the response has the address of a QR code.',
      examples: [true],
    })
    .apply(assume, 'optionalFields', 'default'),
}

/** The errors of createLink and createSplitLink that the schema cannot detect. */
export const linkErrors = [
  errorDetails('idsUsedUp'),
  errorDetails('entryInvalid', 'callback_url', 0, 'shop.example'),
  errorDetails('entryInvalid', 'payment_endpoint', 0, 'shop.example'),
  errorDetails('indexOutOfRange', 'callback_url', '7', 2),
  errorDetails('indexOutOfRange', 'payment_endpoint', '7', 2),
  errorDetails('notHttps', 'callback_url', 'http://shop.example/thanks'),
  errorDetails('notHttps', 'payment_endpoint', 'http://shop.example/hook'),
  errorDetails('notHttps', null, 'http://shop.example/hook'),
  errorDetails('tooManyEntries', 'callback_url', MAX_TARGETS),
  errorDetails('tooManyEntries', 'payment_endpoint', MAX_TARGETS),
]

/** The open points that every new link depends on. */
export const linkAssumptions = [
  'payId',
  'linkId',
  'linkFields',
  'storedUrls',
  'addresses',
  'indexOutOfRange',
  'repeatedEntries',
  'amountDecimals',
  'amountLimit',
  'https',
] as const

/** The link request with the field names of the domain. */
export const toLinkRequest = (fields: {
  amount: number
  recipient_note: string
  callback_url: string
  payment_endpoint: string
  cancellable: boolean
  is_qr_link: boolean
}) => ({
  amount: fields.amount,
  note: fields.recipient_note,
  callbackUrl: fields.callback_url,
  paymentEndpoint: fields.payment_endpoint,
  cancellable: fields.cancellable,
  isQrLink: fields.is_qr_link,
})
