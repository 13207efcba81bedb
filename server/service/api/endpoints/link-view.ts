import { z } from 'zod'
import { payLinkUrl, qrImageUrl, type Link } from '../../../domain/links/link.ts'
import { toEuros } from '../../../domain/money/cents.ts'
import { berlinTime } from '../../../domain/time/berlin-time.ts'

const flag = z.enum(['true', 'false'])

export const LinkData = z
  .object({
    id: z.int().meta({ description: 'The id of the link.' }),
    user_id: z.string().meta({ description: 'The id of the account that owns the link.' }),
    amount: z.number().meta({ description: 'The amount that the customer pays, in euros.' }),
    recipient_note: z.string().meta({ description: 'The note of the request, or empty.' }),
    status: z.literal('Unused').meta({ description: 'A new link has not been paid.' }),
    paymentEndpoint: z.string().meta({
      description: 'The webhook targets of the request as URLs, or empty.',
    }),
    callback_url: z
      .string()
      .meta({ description: 'The address that the browser is sent to after the payment, or empty.' }),
    servicefee: z.string().meta({ description: "The account's fee in percent, as text." }),
    recipients: z
      .string()
      .nullable()
      .meta({ description: 'The recipients as JSON text. `null` for a link without a split.' }),
    is_split_link: flag.meta({ description: 'Whether the payment is split, as text.' }),
    split_type: z
      .enum(['normal', 'absolute'])
      .meta({ description: 'Whether shares are in percent or in euros.' }),
    bank_transfer: flag.meta({ description: 'Whether the checkout offers bank transfer, as text.' }),
    is_qr_link: flag.meta({ description: 'Whether a QR code was requested, as text.' }),
    is_cancellation: z.literal('No').meta({ description: 'A new link has not been cancelled.' }),
    payment_config: z.literal('').meta({ description: 'Always empty.' }),
    bank_statement_description: z.string().meta({ description: 'The text of the request, or empty.' }),
    created_at: z.string().meta({ description: 'When the link was created, in Berlin time.' }),
    pay_link: z.string().meta({ description: 'The address to send the customer to.' }),
    qr_img: z.string().meta({ description: 'The address of a QR code of `pay_link`, or empty.' }),
    transaction_type: z.enum(['Split', 'Basic']).meta({ description: 'The kind of the link.' }),
  })
  .meta({ id: 'PaymentLink', description: 'A new payment link.' })

const toFlag = (value: boolean): z.output<typeof flag> => (value ? 'true' : 'false')

/** Builds the view of a new link. The reference shows booleans and lists as text. */
export const toLinkData = (link: Link, baseUrl: string): z.output<typeof LinkData> => ({
  id: link.id,
  user_id: link.accountId,
  amount: toEuros(link.amount),
  recipient_note: link.note,
  status: 'Unused',
  paymentEndpoint: link.targets.map(({ url }) => url).join(','),
  callback_url: link.callbackUrl,
  servicefee: link.serviceFee,
  recipients:
    link.kind === 'split'
      ? JSON.stringify(link.recipients.map(({ token, share }) => ({ token, share })))
      : null,
  is_split_link: toFlag(link.kind === 'split'),
  split_type: link.splitType,
  bank_transfer: toFlag(link.bankTransfer),
  is_qr_link: toFlag(link.isQrLink),
  is_cancellation: 'No',
  payment_config: '',
  bank_statement_description: link.bankStatementDescription,
  created_at: berlinTime(link.createdAt),
  pay_link: payLinkUrl(link.payId, baseUrl),
  qr_img: link.isQrLink ? qrImageUrl(link.payId, baseUrl) : '',
  transaction_type: link.kind === 'split' ? 'Split' : 'Basic',
})
