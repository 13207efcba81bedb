import type { LinkView } from '../contract/views.ts'
import { findClosestMatch } from '../domain/text/closest-match.ts'
import type { CreatedLink } from '../domain/api/operation-types.ts'
import type { Envelope } from '../domain/api/envelope.ts'
import type { ApiClient } from './api.ts'
import { isPlainObject } from '../domain/text/is-object.ts'
import { describeValue } from './option-value.ts'
import { SandboxError } from '../contract/sandbox-error.ts'

/** The fields of a new payment link. */
export interface LinkFields {
  /** In euros. */
  readonly amount: number
  /** Who gets a share: in percent, or in euros if `splitType` is `absolute`. */
  readonly recipients?: readonly { readonly token: string; readonly share: number }[]
  readonly splitType?: 'normal' | 'absolute'
  /** Shown to the customer and sent in the webhook. */
  readonly note?: string
  /** Where the browser is redirected after the payment: a URL, or an index of the account's `callbackUrls`. */
  readonly callbackUrl?: string
  /** Where the webhook is sent: URLs and indexes of the account's `webhookUrls`, separated by commas. */
  readonly paymentEndpoint?: string
  readonly cancellable?: boolean
  readonly isQrLink?: boolean
  readonly bankTransfer?: boolean
  readonly bankStatementDescription?: string
}

/** The field names of the v2 API, by the names of this client. */
const FIELD_NAMES: Readonly<Record<keyof LinkFields, string>> = {
  amount: 'amount',
  recipients: 'recipients',
  splitType: 'split_type',
  note: 'recipient_note',
  callbackUrl: 'callback_url',
  paymentEndpoint: 'payment_endpoint',
  cancellable: 'cancellable',
  isQrLink: 'is_qr_link',
  bankTransfer: 'bank_transfer',
  bankStatementDescription: 'bank_statement_description',
}

/** Creates a link through the emulated API. Returns it with the field names of this client, not those of the API. */
export const createLink = async (
  api: Pick<ApiClient, 'send'>,
  show: (id: number) => Promise<LinkView>,
  fields: LinkFields,
): Promise<LinkView> => show((await requestLink(api, fields)).id)

/** Creates a link through the emulated API. Returns the API's own response. */
export async function requestLink(
  { send }: Pick<ApiClient, 'send'>,
  fields: LinkFields,
): Promise<CreatedLink> {
  const body = toBody(fields)
  const operation = fields.recipients === undefined ? 'createLink' : 'createSplitLink'
  const sent = await send(operation, body)
  const envelope = sent.envelope as Envelope<{ readonly data: CreatedLink }>
  if (envelope.ResponseCode === 1) return envelope.data
  throw new SandboxError(
    `${operation} was refused: ${envelope.ResponseMsg}`,
    `POST /api/v2/${operation}`,
    200,
    { ...envelope, errorCode: sent.errorCode },
  )
}

function toBody(fields: LinkFields): Readonly<Record<string, unknown>> {
  if (!isPlainObject(fields)) {
    throw new TypeError(
      `createLink needs an object with at least the amount in euros, like createLink({ amount: 12.5 }), not ${describeValue(fields)}.`,
    )
  }
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [toFieldName(name), value] as const),
  )
}

function toFieldName(name: string): string {
  if (Object.hasOwn(FIELD_NAMES, name)) return FIELD_NAMES[name as keyof LinkFields]
  const names = Object.keys(FIELD_NAMES)
  const suggestion =
    names.find((known) => FIELD_NAMES[known as keyof LinkFields] === name) ?? findClosestMatch(name, names)
  throw new TypeError(
    `createLink has no field ${name}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`} Available: ${names.join(', ')}. To send the field names of the v2 API, use call('createLink', body).`,
  )
}
