import { payLinkUrl, qrImageUrl, type Link } from '../domain/link.ts'
import { toEuros } from '../domain/money.ts'
import { berlinTime } from '../domain/time.ts'

/** A new link in the service's words: booleans and lists as text, as the reference has them. */
export const presentLink = (link: Link, baseUrl: string) => ({
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
  is_split_link: String(link.kind === 'split'),
  split_type: link.splitType,
  bank_transfer: String(link.bankTransfer),
  is_qr_link: String(link.isQrLink),
  is_cancellation: 'No',
  payment_config: '',
  bank_statement_description: link.bankStatementDescription,
  created_at: berlinTime(link.createdAt),
  pay_link: payLinkUrl(link.payId, baseUrl),
  qr_img: link.isQrLink ? qrImageUrl(link.payId, baseUrl) : '',
  transaction_type: link.kind === 'split' ? 'Split' : 'Basic',
})
