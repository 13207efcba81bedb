import { parseJson } from '../../domain/text/is-json.ts'
import { findHeader, textBody, type Exchange } from '../../domain/http/exchange.ts'
import { decodeForm, parseMediaType } from '../../domain/http/form.ts'
import { isRecord } from '../../domain/text/is-object.ts'
import type { Answer } from '../../domain/api/describe-answer.ts'
import { payIdIn, readData } from '../../domain/api/read-answer.ts'

/** The two ways in which a service reports the end of a payment. */
export type NotificationKind = 'redirect' | 'webhook'

export type NotificationRequest = Exchange['request']

/**
 * Describes a redirect or a webhook as if it were a response, so that it can be compared in the same way. `created` is the
 * response that created the link. `request` is `null` if the service sends none.
 */
export function describeNotification(
  kind: NotificationKind,
  request: NotificationRequest | null,
  created: Answer,
): Answer {
  const value = request && (kind === 'redirect' ? readRedirect(request) : readWebhook(request))
  const contentType = request && kind === 'webhook' ? findHeader(request.headers, 'content-type') : undefined
  return {
    status: 200,
    headers: contentType === undefined ? [] : [['content-type', contentType]],
    body: textBody(JSON.stringify({ [kind]: describeFields(value, request, created) })),
  }
}

const readRedirect = ({ url }: NotificationRequest): unknown => Object.fromEntries(new URL(url).searchParams)

function readWebhook({ headers, body }: NotificationRequest): unknown {
  if (body.encoding !== 'utf8') return 'bytes that are not text'
  const type = parseMediaType(findHeader(headers, 'content-type') ?? '')
  if (type === 'application/x-www-form-urlencoded')
    return { ...decodeForm(body.content), 'form (text)': describeFormText(body.content) }
  const value = parseJson(body.content)
  return value === undefined ? body.content : value
}

/** Which characters of a form are percent-encoded. The decoded fields do not show this. */
const describeFormText = (form: string): string =>
  [form.includes('[') ? 'literal brackets' : 'encoded brackets', form.includes('+') ? '+' : '%20'].join(', ')

/** The `pay_id` in a webhook. `undefined` if there is none, for example in an empty body. */
export function payIdInWebhook(request: NotificationRequest): number | undefined {
  const value = readWebhook(request)
  // Without a content type, a form is read as plain text.
  const fields = typeof value === 'string' ? decodeForm(value) : value
  if (!isRecord(fields)) return undefined
  const { pay_id: payId } = isRecord(fields.data) ? fields.data : fields
  return typeof payId === 'number' || (typeof payId === 'string' && /^\d+$/.test(payId))
    ? Number(payId)
    : undefined
}

/** Adds what the type of a value does not show: whether `pay_id` is the link's id, and how `amount` is written. */
function describeFields(value: unknown, request: NotificationRequest | null, created: Answer): unknown {
  if (!isRecord(value)) return value
  const described = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => [
    [name, describeFields(inner, request, created)],
    ...(name === 'pay_id' ? [['pay_id (meaning)', payIdName(inner, created)] as [string, unknown]] : []),
    ...(name === 'amount' ? [['amount (text)', amountText(inner, request)] as [string, unknown]] : []),
  ])
  return Object.fromEntries(described)
}

function payIdName(payId: unknown, created: Answer): string {
  if (Number(payId) === readData(created)?.id) return 'the id of the link'
  return Number(payId) === payIdIn(created) ? 'the number in the pay link' : 'another number'
}

/** JSON loses the zeros of 0.10, so they are read from the text. */
function amountText(amount: unknown, request: NotificationRequest | null): string {
  const written = /"amount"\s*:\s*(-?[\d.]+)/.exec(request?.body.content ?? '')?.[1]
  return `€${written !== undefined && Number(written) === amount ? written : String(amount)}`
}
