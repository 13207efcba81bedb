import { countKeptBytes, findHeader } from '../http/exchange.ts'
import { parseMediaType } from '../http/form.ts'
import { isRecord } from '../text/is-object.ts'
import { truncate } from '../text/truncate.ts'
import { NOT_JSON, readJson, type Answer } from './describe-answer.ts'

/** The `data` of a response, if it is an object. */
export function readData(answer: Answer | undefined): Readonly<Record<string, unknown>> | undefined {
  const envelope = readEnvelope(answer)
  return isRecord(envelope?.data) ? envelope.data : undefined
}

export function readEnvelope(answer: Answer | undefined): Readonly<Record<string, unknown>> | undefined {
  const value = answer && readJson(answer.body)
  return isRecord(value) ? value : undefined
}

const JSON_TYPE = /^(application|text)\/([^/]+\+)?json$/

/** Whether a status says nothing about the request, because it is a redirect, a rate limit or a failure. */
const isOtherStatus = (status: number): boolean =>
  (status >= 300 && status < 400) || status === 429 || status >= 500

/**
 * What arrived instead of a response of the service, such as `HTTP 302`. `undefined` if the service has accepted or refused the
 * request.
 */
export function whatCameInstead(answer: Answer): string | undefined {
  const { status, headers, body } = answer
  const code = `HTTP ${status}`
  if (isOtherStatus(status)) return code
  if (body.size === 0) return `${code} and an empty body`
  if (countKeptBytes(body) < body.size) return `${code} and a body that is cut off`
  const type = parseMediaType(findHeader(headers, 'content-type') ?? '')
  if (!JSON_TYPE.test(type)) return `${code} and ${type === '' ? 'no content type' : truncate(type, 100)}`
  if (readJson(body) === NOT_JSON) return `${code} and a body that is not JSON`
  return responseCode(answer) === undefined || typeof readEnvelope(answer)?.ResponseMsg !== 'string'
    ? `${code} and other JSON`
    : undefined
}

/** The `ResponseCode` of an envelope: 1 if the service has accepted the request, otherwise 0. It may be text. */
export function responseCode(answer: Answer | undefined): 0 | 1 | undefined {
  const code = readEnvelope(answer)?.ResponseCode
  return code === 1 || code === '1' ? 1 : code === 0 || code === '0' ? 0 : undefined
}

/** The number in the pay link of a new link, plain or as base64. If the pay link has no number, the id of the link. */
export function payIdIn(created: Answer | undefined): number | undefined {
  const { id, pay_link: payLink } = readData(created) ?? {}
  return numberInPayLink(payLink) ?? (typeof id === 'number' ? id : undefined)
}

export const numberInPayLink = (payLink: unknown): number | undefined =>
  typeof payLink === 'string' && URL.canParse(payLink)
    ? numberIn(new URL(payLink).searchParams.get('link_id') ?? '')
    : undefined

function numberIn(linkId: string): number | undefined {
  const text = /^\d+$/.test(linkId) ? linkId : decoded(linkId)
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function decoded(linkId: string): string {
  try {
    return atob(linkId)
  } catch {
    return ''
  }
}
