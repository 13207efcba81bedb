import { parseJson } from '../domain/text/is-json.ts'
import { isObject } from '../domain/text/is-object.ts'
import { decodeForm, parseMediaType } from '../domain/http/form.ts'

/** The decoded body of a webhook, from a form or JSON: `{ResponseCode, data: {pay_id, note, amount, user_id, status}}`. */
export interface Payload {
  readonly [key: string]: unknown
}

/** Decodes a body according to its content type. Returns `undefined` for anything but a form or a JSON object. */
export function readPayload(contentType: string, text: string): Payload | undefined {
  const mediaType = parseMediaType(contentType)
  if (mediaType === 'application/x-www-form-urlencoded') return decodeForm(text)
  if (mediaType !== 'application/json') return undefined
  const value = parseJson(text)
  return isObject(value) ? (value as Payload) : undefined
}
