import { findHeader } from '../http/exchange.ts'
import { omitUndefined } from '../text/omit-undefined.ts'
import { truncate } from '../text/truncate.ts'
import { findCodePlace } from './code-place.ts'
import { isSuccessful, type Attempt } from './delivery.ts'

/** The maximum length of a response's text in messages. */
const MAX_TEXT = 120

const MAX_BYTES = 4096

/** What is recorded about a response that refused the webhook, in the event of its attempt. */
export interface ResponseFacts {
  readonly redirectedTo?: string
  readonly responseText?: string
  readonly errorName?: string
  readonly errorPlace?: string
}

export function responseFacts(
  attempt: Pick<Attempt, 'status' | 'responseHeaders' | 'responseBody'>,
): ResponseFacts {
  const { status, responseHeaders } = attempt
  if (status === null || isSuccessful({ status })) return {}
  if (status >= 300 && status < 400) {
    return omitUndefined({ redirectedTo: findHeader(responseHeaders, 'location') })
  }
  const start = readBodyStart(attempt)
  const body = withoutMarkup(start)
  // In JSON, a stack trace is one string with escaped line breaks.
  const { error, place } = findCodePlace(
    body.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\"`, '"'),
  )
  const text = oneLine(
    jsonMessage(start) ?? pageTitle(start) ?? (place === undefined ? body : errorLine(body)),
  )
  return {
    ...(text !== '' && { responseText: text }),
    ...omitUndefined({ errorName: error, errorPlace: place }),
  }
}

/** The JSON keys in which frameworks put the reason of an error, the best key first. */
const MESSAGE_KEYS = ['message', 'detail', 'error_description', 'error', 'title', 'errors']

/** The reason in a JSON body such as `{"error":{"message":"No order"}}`. */
function jsonMessage(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return messageIn(JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.split('\n')[0]
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return messageIn(value[0])
  const fields = value as Readonly<Record<string, unknown>>
  return MESSAGE_KEYS.map((key) => messageIn(fields[key])).find((message) => message !== undefined)
}

const pageTitle = (text: string): string | undefined =>
  /^\s*</.test(text)
    ? withoutMarkup(/<title\b[^>]*>.*?<\/title\s*>/is.exec(text)?.[0] ?? '').trim() || undefined
    : undefined

/** The line of a stack trace that contains the name of the error: the last line in Python, otherwise the first. */
function errorLine(trace: string): string {
  const lines = trace.split('\n').filter((line) => line.trim() !== '')
  return (trace.trim().startsWith('Traceback ') ? lines.findLast((line) => /^\w/.test(line)) : lines[0]) ?? ''
}

/** The beginning of a response body, on one line of at most `MAX_TEXT` characters. */
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

/** The text of an HTML page, even if its last tag is cut off. Returns any other text unchanged. */
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
