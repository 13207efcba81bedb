export type FieldName = 'account' | 'amount' | 'note' | 'recipients' | 'callbackUrl' | 'paymentEndpoint'

/** A field of the form, with the index if the error is about one recipient. */
export interface ErrorField {
  readonly field: FieldName
  readonly part?: 'token' | 'share'
  readonly index?: number
}

const FIELDS: Readonly<Record<string, FieldName>> = {
  amount: 'amount',
  callback_url: 'callbackUrl',
  payment_endpoint: 'paymentEndpoint',
  recipient_note: 'note',
  recipients: 'recipients',
  token: 'account',
}

/** Finds the field of the form for a field of the API, such as `recipients[1].share`. */
export function fieldOfError(path: string): ErrorField | undefined {
  const [name = '', index, , part] = path.split(/[[\].]/)
  const field = FIELDS[name]
  if (field === undefined) return undefined
  if (index === undefined) return { field }
  return { field, part: part === 'token' ? 'token' : 'share', index: Number(index) }
}
