import { findHeader } from '../http/exchange.ts'
import { omitUndefined } from '../text/omit-undefined.ts'
import { truncate } from '../text/truncate.ts'
import { isSuccessful, type Attempt } from './delivery.ts'

/** How many characters of an answer are shown. */
const MAX_TEXT = 120

const MAX_BYTES = 4096

/** What the event of an attempt says about an answer that did not deliver the webhook. */
export function responseFacts(attempt: Pick<Attempt, 'status' | 'responseHeaders' | 'responseBody'>): {
  readonly redirectedTo?: string
  readonly responseText?: string
} {
  const { status, responseHeaders } = attempt
  if (status === null || isSuccessful({ status })) return {}
  if (status >= 300 && status < 400) {
    return omitUndefined({ redirectedTo: findHeader(responseHeaders, 'location') })
  }
  const text = shortResponseText(attempt)
  return text === '' ? {} : { responseText: text }
}

/** The beginning of a response body, in one line of at most `MAX_TEXT` characters. */
export function shortResponseText(attempt: Pick<Attempt, 'responseBody'>): string {
  const text = readBodyStart(attempt).replace(/\s+/g, ' ').trim()
  return text.length > MAX_TEXT ? `${truncate(text, MAX_TEXT)}…` : text
}

export const readBodyStart = ({ responseBody }: Pick<Attempt, 'responseBody'>): string =>
  new TextDecoder().decode(responseBody.subarray(0, MAX_BYTES))
