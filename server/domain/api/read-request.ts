import { bodyText, type Body } from '../http/exchange.ts'
import { decodeForm } from '../http/form.ts'
import { parseJson, parseJsonList } from '../text/is-json.ts'
import { isObject, isRecord } from '../text/is-object.ts'

export type RequestFields = Readonly<Record<string, unknown>>

/** The fields of a request. Reads the body as JSON or as a form, whatever its content type says. */
export function readFields(body: Body): RequestFields {
  const text = bodyText(body)
  const value = parseJson(text)
  return isRecord(value) ? value : decodeForm(text)
}

/** The recipient tokens of a request. Has an empty text for a recipient without a token. */
export function recipientTokensIn({ recipients }: RequestFields): string[] {
  const list = parseJsonList(recipients)
  return (isObject(list) ? Object.values(list) : []).map((recipient: unknown) =>
    isRecord(recipient) && typeof recipient.token === 'string' ? recipient.token : '',
  )
}
