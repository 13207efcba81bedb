import type { LinkView } from '../contract/views.ts'
import { findClosestMatch } from '../domain/text/closest-match.ts'
import type { CreatedLink } from '../domain/api/operation-types.ts'
import type { Api, Envelope } from './api.ts'
import { describeValue, isPlainObject } from './option-value.ts'
import { SandboxError } from './request.ts'

/** What a link is made of. */
export interface LinkFields {
  /** In euros. */
  readonly amount: number
  /** Who gets a share, in percent, or in euros where `splitType` is `absolute`. */
  readonly recipients?: readonly { readonly token: string; readonly share: number }[]
  /** `normal` by default. */
  readonly splitType?: 'normal' | 'absolute'
  /** The customer sees it, and the webhook carries it. */
  readonly note?: string
  /** Where the browser goes after the payment: a URL, or an index into the account's `callbackUrls`. */
  readonly callbackUrl?: string
  /** Where the webhook goes: URLs and indexes into the account's `webhookUrls`, with commas between them. */
  readonly paymentEndpoint?: string
  /** `true` by default. */
  readonly cancellable?: boolean
  readonly isQrLink?: boolean
  readonly bankTransfer?: boolean
  readonly bankStatementDescription?: string
}

/** The fields as the service spells them. */
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

/** Creates a link with a call of the emulated API, and returns it in the spelling of the handle. */
export async function createLink(
  { callUnchecked }: Pick<Api, 'callUnchecked'>,
  show: (id: number) => Promise<LinkView>,
  fields: LinkFields,
): Promise<LinkView> {
  const body = toBody(fields)
  const operation = fields.recipients === undefined ? 'createLink' : 'createSplitLink'
  const envelope = (await callUnchecked(operation, body)) as Envelope<{ readonly data: CreatedLink }>
  if (envelope.ResponseCode === 1) return show(envelope.data.id)
  throw new SandboxError(
    `${operation} was refused: ${envelope.ResponseMsg}`,
    `POST /api/v2/${operation}`,
    200,
    { ...envelope },
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
  const meant =
    names.find((known) => FIELD_NAMES[known as keyof LinkFields] === name) ?? findClosestMatch(name, names)
  throw new TypeError(
    `createLink has no field ${name}.${meant === undefined ? '' : ` Did you mean ${meant}?`} It takes ${names.join(', ')}. To send the service's own field names, use call('createLink', body).`,
  )
}
