export type FieldName = 'account' | 'amount' | 'note' | 'recipients' | 'callbackUrl' | 'paymentEndpoint'

/** A field of the form, and for recipients which of them, where the message has a number. */
export interface ErrorField {
  readonly field: FieldName
  readonly part?: 'token' | 'share'
  readonly index?: number
}

const fields: readonly (readonly [RegExp, FieldName])[] = [
  [/callback_url/, 'callbackUrl'],
  [/payment_endpoint/, 'paymentEndpoint'],
  [/recipient_note/, 'note'],
  [/recipient|share/i, 'recipients'],
  [/amount/, 'amount'],
  [/token|API key/, 'account'],
]

/** The field that a refusal is about, as far as its words tell. */
export function fieldOfError(refusal: string): ErrorField | undefined {
  const index = /at index (\d+)$/.exec(refusal)?.[1]
  if (index !== undefined) {
    return { field: 'recipients', part: /token/.test(refusal) ? 'token' : 'share', index: Number(index) }
  }
  const field = fields.find(([pattern]) => pattern.test(refusal))?.[1]
  return field && { field }
}
