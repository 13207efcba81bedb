import { splitTypes } from '../../../domain/money/split.ts'
import { z } from 'zod'
import { payLinkUrl, qrImageUrl, type Link } from '../../../domain/links/link.ts'
import { toEuros } from '../../../domain/money/cents.ts'
import { berlinTime } from '../../../domain/time/berlin-time.ts'
import { assume } from '../assumed.ts'
import { serviceTime } from '../fields.ts'

const flag = z.enum(['true', 'false'])

export const SplitLinkData = z
  .object({
    id: z.int().meta({ description: 'The id of the link.' }),
    user_id: z.string().meta({ description: 'The id of the account that owns the link.', format: 'uuid' }),
    amount: z.number().meta({ description: 'The amount that the customer pays, in euros.' }),
    recipient_note: z.string().meta({ description: 'The note of the request, or empty.' }),
    status: z.literal('Unused').meta({ description: 'A new link has not been paid.' }),
    paymentEndpoint: z
      .string()
      .meta({
        description: 'The webhook targets of the request as URLs, separated by commas, or empty.',
      })
      .apply(assume, 'storedUrls', 'description'),
    callback_url: z
      .string()
      .meta({
        description: 'The address that the browser is sent to after the payment, or empty.',
      })
      .apply(assume, 'storedUrls', 'description'),
    servicefee: z
      .string()
      .meta({ description: "The account's fee in percent, as text.", pattern: String.raw`^\d+(\.\d+)?$` })
      .apply(assume, 'linkFields', 'description'),
    recipients: z
      .string()
      .meta({ description: 'The recipients as JSON text.', contentMediaType: 'application/json' }),
    is_split_link: z.literal('true').meta({ description: 'The payment is split. A text, not a boolean.' }),
    split_type: z.enum(splitTypes).meta({ description: 'Whether shares are in percent or in euros.' }),
    bank_transfer: flag
      .meta({ description: 'Whether the checkout offers bank transfer, as text.' })
      .apply(assume, 'linkFields', 'description'),
    is_qr_link: flag.meta({ description: 'Whether a QR code was requested, as text.' }),
    is_cancellation: z.literal('No').meta({ description: 'A new link has not been cancelled.' }),
    payment_config: z
      .string()
      .meta({ description: 'Always empty.' })
      .apply(assume, 'linkFields', 'description'),
    bank_statement_description: z
      .string()
      .meta({ description: 'Empty, because a split link has no such text.' })
      .apply(assume, 'linkFields', 'description'),
    created_at: serviceTime
      .meta({ description: 'When the link was created, in Berlin time.' })
      .apply(assume, 'serverTime', 'description'),
    pay_link: z.string().meta({
      description: 'The address to send the customer to.',
      format: 'uri',
      pattern: String.raw`/payment\?link_id=.+`,
    }),
    qr_img: z
      .string()
      .meta({
        description:
          'The address of a QR code of `pay_link`, 300 by 300 pixels. Empty unless `is_qr_link` was set.',
        // An empty text is also a valid `uri-reference`.
        format: 'uri-reference',
      })
      .apply(assume, 'linkFields', 'description'),
    transaction_type: z.literal('Split').meta({ description: 'The kind of the link.' }),
  })
  .meta({ id: 'SplitLink', description: 'A new link with a split.' })

/** The reference does not show the response of createLink. */
export const BasicLinkData = SplitLinkData.extend({
  recipients: z.null().meta({ description: 'Nobody but the owner gets a share.' }),
  is_split_link: z.literal('false').meta({ description: 'The payment is not split. A text, not a boolean.' }),
  bank_statement_description: z.string().meta({ description: 'The text of the request, or empty.' }),
  transaction_type: z.literal('Basic').meta({ description: 'The kind of the link.' }),
})
  .meta({ id: 'BasicLink', description: 'A new link without a split.' })
  .apply(assume, 'createLink', 'field')

const toFlag = (value: boolean): z.output<typeof flag> => (value ? 'true' : 'false')

/** The fields whose values depend on the kind of the link. */
interface KindFields {
  readonly recipients: string | null
  readonly is_split_link: 'true' | 'false'
  readonly transaction_type: 'Split' | 'Basic'
}

/** Builds the view of a new link. Booleans and lists are text, as in the reference. */
const toLinkData = <Kind extends KindFields>(link: Link, baseUrl: string, kind: Kind) => ({
  id: link.id,
  user_id: link.accountId,
  amount: toEuros(link.amount),
  recipient_note: link.note,
  status: 'Unused' as const,
  paymentEndpoint: link.targets.map(({ url }) => url).join(','),
  callback_url: link.callbackUrl,
  servicefee: link.serviceFee,
  recipients: kind.recipients as Kind['recipients'],
  is_split_link: kind.is_split_link as Kind['is_split_link'],
  split_type: link.splitType,
  bank_transfer: toFlag(link.bankTransfer),
  is_qr_link: toFlag(link.isQrLink),
  is_cancellation: 'No' as const,
  payment_config: '',
  bank_statement_description: link.bankStatementDescription,
  created_at: berlinTime(link.createdAt),
  pay_link: payLinkUrl(link.payId, baseUrl),
  qr_img: link.isQrLink ? qrImageUrl(link.payId, baseUrl) : '',
  transaction_type: kind.transaction_type as Kind['transaction_type'],
})

export const toSplitLinkData = (link: Link, baseUrl: string): z.output<typeof SplitLinkData> =>
  toLinkData(link, baseUrl, {
    recipients: JSON.stringify(link.recipients.map(({ token, share }) => ({ token, share }))),
    is_split_link: 'true',
    transaction_type: 'Split',
  })

export const toBasicLinkData = (link: Link, baseUrl: string): z.output<typeof BasicLinkData> =>
  toLinkData(link, baseUrl, { recipients: null, is_split_link: 'false', transaction_type: 'Basic' })
