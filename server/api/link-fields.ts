import { amount, optionalBoolean, optionalText } from './fields.ts'

/** The fields that createLink and createSplitLink have in common, in the reference's order. */
export const linkFields = {
  amount,
  recipient_note: optionalText('recipient_note'),
  callback_url: optionalText('callback_url'),
  payment_endpoint: optionalText('payment_endpoint'),
  cancellable: optionalBoolean('cancellable', true),
  is_qr_link: optionalBoolean('is_qr_link', false),
}

/** From the service's words to ours. */
export const orderOf = (fields: {
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
