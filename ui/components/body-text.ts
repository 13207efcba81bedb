import { findHeader } from '../../server/domain/http/exchange.ts'
import type { Body, Headers } from '../../server/domain/http/exchange.ts'
import { decodeForm } from '../../server/domain/http/form.ts'
import { layOutJson, type JsonToken } from './json-layout.ts'

/** The longest text of a body that is shown. */
export const MAX_SHOWN = 256 * 1024

/** A JSON or form body as formatted JSON. `undefined` if the body is long or of another type. */
export function prettyBody(headers: Headers, { encoding, content }: Body): JsonToken[] | undefined {
  if (encoding !== 'utf8' || content === '' || content.length > MAX_SHOWN) return undefined
  return isForm(headers) ? layOutJson(JSON.stringify(decodeForm(content))) : layOutJson(content)
}

/** Whether a body is a form. Formatted JSON would not show the encoding of the bytes. */
export const isForm = (headers: Headers): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(findHeader(headers, 'content-type') ?? '')
