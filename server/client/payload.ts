import { decodeForm } from '../domain/http/form.ts'
import { parseMediaType } from '../domain/http/form.ts'

/** What a webhook's body holds, form or JSON alike: `{ResponseCode, data: {pay_id, note, amount, user_id, status}}`. */
export interface Payload {
  readonly [key: string]: unknown
}

/** Reads a body by its content type. `undefined` for anything that is neither a form nor a JSON object. */
export function readPayload(contentType: string, text: string): Payload | undefined {
  const mediaType = parseMediaType(contentType)
  if (mediaType === 'application/x-www-form-urlencoded') return decodeForm(text)
  if (mediaType !== 'application/json') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Payload) : undefined
  } catch {
    return undefined
  }
}
