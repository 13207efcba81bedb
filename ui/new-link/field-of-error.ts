export type FieldName = 'account' | 'amount' | 'note' | 'recipients' | 'callbackUrl' | 'paymentEndpoint'

/** A field of the form. For recipients, the index if the message contains it. */
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

/** Finds the field that an error message of the API is about. */
export function fieldOfError(message: string): ErrorField | undefined {
  const [, atEnd, inName] = /at index (\d+)$|^(?:Please enter )?recipients\[(\d+)\]/.exec(message) ?? []
  const index = atEnd ?? inName
  if (index !== undefined) {
    return { field: 'recipients', part: /token/.test(message) ? 'token' : 'share', index: Number(index) }
  }
  const field = fields.find(([pattern]) => pattern.test(message))?.[1]
  return field && { field }
}
