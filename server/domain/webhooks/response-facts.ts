import { findHeader } from '../http/exchange.ts'
import { omitUndefined } from '../text/omit-undefined.ts'
import { truncate } from '../text/truncate.ts'
import { findCodePlace } from './code-place.ts'
import { isSuccessful, type Attempt } from './delivery.ts'

/** How many characters of an answer are shown. */
const MAX_TEXT = 120

const MAX_BYTES = 4096

/** The facts that an attempt's event records about an answer that refused the webhook. */
export function responseFacts(attempt: Pick<Attempt, 'status' | 'responseHeaders' | 'responseBody'>): {
  readonly redirectedTo?: string
  readonly responseText?: string
  readonly errorName?: string
  readonly errorPlace?: string
} {
  const { status, responseHeaders } = attempt
  if (status === null || isSuccessful({ status })) return {}
  if (status >= 300 && status < 400) {
    return omitUndefined({ redirectedTo: findHeader(responseHeaders, 'location') })
  }
  const body = withoutMarkup(readBodyStart(attempt))
  const text = oneLine(body)
  // In JSON, a trace is one string, with its line breaks escaped.
  const { error, place } = findCodePlace(
    body.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\"`, '"'),
  )
  return {
    ...(text !== '' && { responseText: text }),
    ...omitUndefined({ errorName: error, errorPlace: place }),
  }
}

/** The beginning of a response body, in one line of at most `MAX_TEXT` characters. */
export const shortResponseText = (attempt: Pick<Attempt, 'responseBody'>): string =>
  oneLine(readBodyStart(attempt))

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_TEXT ? `${truncate(line, MAX_TEXT)}…` : line
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
}

/** The text of an HTML page, whose last tag may be cut off. Any other text is unchanged. */
const withoutMarkup = (text: string): string =>
  /^\s*</.test(text)
    ? text
        .replace(/<(script|style|svg)\b.*?(<\/\1\s*>|$)/gis, ' ')
        .replace(/<!--.*?(-->|$)/gs, ' ')
        .replace(/<[^>]*(>|$)/g, ' ')
        .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_entity, name: string) => ENTITIES[name]!)
    : text

export const readBodyStart = ({ responseBody }: Pick<Attempt, 'responseBody'>): string =>
  new TextDecoder().decode(responseBody.subarray(0, MAX_BYTES))
