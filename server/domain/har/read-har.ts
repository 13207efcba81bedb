import { decodeFile } from '../text/decode-file.ts'
import {
  encodeBody,
  findHeader,
  textBody,
  type Body,
  type Exchange,
  type Headers,
  type Response,
} from '../http/exchange.ts'
import { MAX_BODY_BYTES, MIB } from '../http/limits.ts'
import { isJson } from '../text/is-json.ts'
import { isRecord } from '../text/is-object.ts'
import { truncate } from '../text/truncate.ts'
import { UsageError } from '../text/usage-error.ts'
import { visibleLine } from '../text/visible.ts'
import { isInClockRange } from '../time/clock.ts'
import type { Instant } from '../time/berlin-time.ts'

/** The maximum size of an HTTP Archive, in bytes. */
export const MAX_HAR_BYTES = 64 * MIB

/** The maximum number of requests in an HTTP Archive. */
export const MAX_HAR_ENTRIES = 20_000

/** Longer URLs are cut. The sandbox itself accepts 16 KiB for URL and header fields together. */
const MAX_URL_LENGTH = 16 * 1024
const MAX_HEADERS = 200
const MAX_HEADER_NAME_LENGTH = 200
const MAX_HEADER_VALUE_LENGTH = 8 * 1024
const MAX_ERROR_LENGTH = 1_000

/** A call in an HTTP Archive, with its response. */
export interface RecordedExchange {
  /** The position of its entry in `log.entries`. */
  readonly index: number
  readonly exchange: Exchange
  /** `null` if no entry of the file has a readable time. */
  readonly startedAt: Instant | null
  readonly ms: number
  /** Why there is no response, or why it did not come from the service. */
  readonly error: string | null
  /** The real service that answered, if the file was recorded by a sandbox with an upstream. */
  readonly upstream: string | null
}

export interface RecordedCalls {
  readonly calls: readonly RecordedExchange[]
  /** The number of requests that are not calls of the v2 API, or that go to a different origin. */
  readonly ignored: number
  readonly leftOut: readonly LeftOut[]
}

/** A part of an HTTP Archive that cannot be read. */
export interface LeftOut {
  /** Like `log.entries[3]`. */
  readonly place: string
  /** Like `it has no request`. */
  readonly reason: string
}

/**
 * Reads the calls of the v2 API in an HTTP Archive, which may have been written by a browser, a proxy or a sandbox. With
 * `origin`, reads only calls to this origin. Throws a `UsageError` if the text is not an HTTP Archive. Some programs write
 * unusual entries, so only the necessary fields are read, and an unreadable entry is left out.
 */
export const readHar = (text: string, origin?: string): RecordedCalls => readCalls(entriesIn(text), origin)

/** The entries of an HTTP Archive, without any validation. Throws a `UsageError` if the text is not an HTTP Archive. */
export function entriesIn(text: string): readonly unknown[] {
  const { log } = object(parse(text), 'The file')
  const { entries } = object(log, 'log')
  if (!Array.isArray(entries)) throw notHar('log.entries should be a list')
  if (entries.length > MAX_HAR_ENTRIES) {
    throw new UsageError(`The file has ${entries.length} requests. It may have at most ${MAX_HAR_ENTRIES}.`)
  }
  return entries
}

/** The calls of the v2 API among the entries of an HTTP Archive. */
export function readCalls(entries: readonly unknown[], origin?: string): RecordedCalls {
  const times = readTimes(entries)
  const calls: RecordedExchange[] = []
  const leftOut: LeftOut[] = []
  for (const [index, entry] of entries.entries()) {
    const request = findCall(entry, origin)
    if (typeof request === 'string') leftOut.push({ place: `log.entries[${index}]`, reason: request })
    else if (request !== null) calls.push(readCall(entry as Fields, request, index, times[index] ?? null))
  }
  return { calls, ignored: entries.length - calls.length - leftOut.length, leftOut }
}

/** The text of a file, without a byte order mark. Throws a `UsageError` if it is not text. */
export function decodeHar(bytes: Uint8Array): string {
  const decoded = decodeFile(bytes)
  if ('text' in decoded) return decoded.text
  if (decoded.not === 'zip') {
    throw new UsageError(
      'The file is a ZIP archive. Unpack it into a folder of its own, and name the .har file in it.',
    )
  }
  if (decoded.not === 'gzip') throw new UsageError('The file is compressed with gzip. Unpack it first.')
  throw notHar('it is not UTF-8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notHar(`it is not JSON: ${visibleLine(truncate(String(error).replace(/^SyntaxError: /, ''), 200))}`)
  }
}

const notHar = (problem: string): UsageError =>
  new UsageError(
    `The file is not an HTTP Archive: ${problem}. Save the traffic as HAR, for example in the network panel of a browser.`,
  )

type Fields = Readonly<Record<string, unknown>>

function object(value: unknown, place: string): Fields {
  if (isRecord(value)) return value
  throw notHar(`${place} should be an object`)
}

/** Compares two exchanges so that the oldest comes first. */
export const compareTimes = (one: RecordedExchange, other: RecordedExchange): number =>
  (one.startedAt ?? '').localeCompare(other.startedAt ?? '')

/**
 * The time of each entry. An entry without a readable time gets the time of the previous entry, or of the next one if there is no
 * previous entry.
 */
function readTimes(entries: readonly unknown[]): (Instant | null)[] {
  const times = entries.map(readTime)
  let last = times.find((time) => time !== null) ?? null
  return times.map((time) => (last = time ?? last))
}

function readTime(entry: unknown): Instant | null {
  const text = isRecord(entry) ? entry.startedDateTime : undefined
  const time = typeof text === 'string' ? new Date(text) : new Date(Number.NaN)
  return Number.isNaN(time.getTime()) || !isInClockRange(time.toISOString()) ? null : time.toISOString()
}

const PREFIX = '/api/v2/'

/** An HTTP method: a token, without spaces. */
const METHOD = /^[\w!#$%&'*+.^`|~-]{1,100}$/

interface CallRequest {
  readonly method: string
  readonly url: string
  readonly request: Fields
}

/** The request of an entry, or why it cannot be read. `null` if it is not a call to the origin. */
function findCall(entry: unknown, origin: string | undefined): CallRequest | string | null {
  if (!isRecord(entry)) return `it is ${shown(entry)} instead of an object`
  const { request } = entry
  if (!isRecord(request)) return 'it has no request'
  const { url: text, method } = request
  if (typeof text !== 'string' || text === '') return 'its request has no URL'
  const url = truncate(text, MAX_URL_LENGTH)
  if (!URL.canParse(url)) {
    if (!URL.canParse(url, 'http://localhost')) return `its URL is ${shown(text)}, which cannot be read`
    const { pathname } = new URL(url, 'http://localhost')
    return pathname.startsWith(PREFIX) ? `its URL is ${shown(text)}, without a host` : null
  }
  const parsed = new URL(url)
  if (!isWebUrl(url) || !parsed.pathname.startsWith(PREFIX)) return null
  if (origin !== undefined && parsed.origin !== origin) return null
  if (typeof method !== 'string' || !METHOD.test(method)) return `its method is ${shown(method)}`
  return { method, url: withoutUserInfo(url), request }
}

/** An unreadable value, for a message. */
const shown = (value: unknown): string =>
  value === undefined ? 'missing' : visibleLine(truncate(JSON.stringify(value), 100))

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

function readCall(
  entry: Fields,
  { method, url, request }: CallRequest,
  index: number,
  startedAt: Instant | null,
): RecordedExchange {
  const { time, _sandbox: details } = entry
  const { upstream } = isRecord(details) ? details : {}
  const { _error: error } = isRecord(entry.response) ? entry.response : {}
  const response = readHarResponse(entry.response)
  return {
    index,
    exchange: { request: readRequest(method, url, request), response },
    startedAt,
    // JSON can contain 1e999, which JavaScript reads as infinity.
    ms: typeof time === 'number' && time >= 0 && time <= Number.MAX_SAFE_INTEGER ? time : 0,
    error:
      typeof error === 'string' && error !== ''
        ? truncate(error, MAX_ERROR_LENGTH)
        : response === null
          ? 'no answer came'
          : null,
    upstream: typeof upstream === 'string' && isWebUrl(upstream) ? new URL(upstream).origin : null,
  }
}

function readRequest(method: string, url: string, request: Fields): Exchange['request'] {
  const headers = readHeaders(request.headers)
  const { postData, bodySize } = request
  const mimeType = isRecord(postData) ? postData.mimeType : undefined
  const lacksType = typeof mimeType === 'string' && findHeader(headers, 'content-type') === undefined
  return {
    method,
    url,
    headers: lacksType ? [...headers, ['Content-Type', cutHeaderValue(mimeType)]] : headers,
    // A request without a body has no `postData`. Some programs give it a size of -1.
    body: isRecord(postData)
      ? readBody(withFormText(postData), [bodySize], headers)
      : readBody({ text: '' }, [bodySize === -1 ? 0 : bodySize], headers),
  }
}

/** The URL without user name and password, because the password need not be stored. */
function withoutUserInfo(text: string): string {
  const url = new URL(text)
  if (url.username === '' && url.password === '') return text
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * HAR may contain the fields of a form instead of its text. The names of the fields include their brackets:
 * `recipients[0][token]`.
 */
function withFormText(postData: Fields): Fields {
  const { text, params } = postData
  const hasText = typeof text === 'string' && text !== ''
  if (hasText || !Array.isArray(params) || params.length === 0) return postData
  const pairs = params.map((param: unknown) => {
    const { name, value } = isRecord(param) ? param : {}
    return typeof name === 'string' ? [name, textOf(value)] : null
  })
  // Without an unreadable field, the rest would be a different body.
  return pairs.includes(null)
    ? { ...postData, text: null }
    : { ...postData, text: new URLSearchParams(pairs as string[][]).toString() }
}

/** The response of an entry. `null` if there was none, or if it is unreadable. */
export function readHarResponse(response: unknown): Response | null {
  if (!isRecord(response)) return null
  const status = typeof response.status === 'string' ? Number(response.status) : response.status
  // Browsers write 0 or -1 if there was no response.
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599) return null
  const headers = readHeaders(response.headers)
  const content = isRecord(response.content) ? response.content : {}
  const hasNoBody = status < 200 || status === 204 || status === 304
  return {
    status,
    headers,
    body: hasNoBody ? textBody('') : readBody(content, [content.size, response.bodySize], headers),
  }
}

/** HTTP/2 sends method and path as header fields such as `:authority`. */
const isPseudoHeader = (name: string): boolean => name.startsWith(':')

/** A list of names and values. Some programs write an object instead. */
function readHeaders(value: unknown): Headers {
  const pairs = Array.isArray(value)
    ? value.map((header: unknown) => (isRecord(header) ? ([header.name, header.value] as const) : []))
    : isRecord(value)
      ? Object.entries(value).flatMap(([name, content]) =>
          [content].flat().map((one) => [name, one] as const),
        )
      : []
  return pairs
    .filter((pair): pair is readonly [string, unknown] => typeof pair[0] === 'string' && pair[0] !== '')
    .filter(([name]) => !isPseudoHeader(name))
    .slice(0, MAX_HEADERS)
    .map(
      ([name, content]) => [truncate(name, MAX_HEADER_NAME_LENGTH), cutHeaderValue(textOf(content))] as const,
    )
}

/** A value as text. Null and a missing value are empty. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)

const cutHeaderValue = (value: string): string => truncate(value, MAX_HEADER_VALUE_LENGTH)

/** Cuts a body at the length at which the sandbox cuts the bodies that it records. `sizes` are the sizes in the entry. */
function readBody(
  { text, encoding, size: whole }: Fields,
  sizes: readonly unknown[],
  headers: Headers,
): Body {
  const length = findHeader(headers, 'content-length')
  const knownSizes = [...sizes, length === undefined ? undefined : Number(length)].filter(
    Number.isSafeInteger,
  )
  const size = Math.max(0, ...(knownSizes as number[]))
  const omitted: Body = { encoding: 'utf8', content: '', size, isOmitted: true }
  if (typeof text !== 'string') return knownSizes.includes(0) && size === 0 ? textBody('') : omitted
  // Programs that leave out a body still write its size, or -1.
  if (text === '')
    return size === 0 && (knownSizes.length === 0 || knownSizes.includes(0)) ? textBody('') : omitted
  const body = encoding === 'base64' ? readBase64(text) : readText(text)
  if (body === undefined) return omitted
  // The size can include what the program has removed, such as a byte order mark or a compression.
  if (isJson(body.content)) return body
  return { ...body, size: Math.max(body.size, Number.isSafeInteger(whole) ? Number(whole) : 0) }
}

function readText(content: string): Body {
  const whole = textBody(content)
  return whole.size <= MAX_BODY_BYTES
    ? whole
    : encodeBody(new TextEncoder().encode(content).subarray(0, MAX_BODY_BYTES), whole.size)
}

/** Some programs also write text as base64. */
function readBase64(content: string): Body | undefined {
  try {
    const binary = atob(content)
    const kept = binary.slice(0, MAX_BODY_BYTES)
    return encodeBody(
      Uint8Array.from(kept, (character) => character.charCodeAt(0)),
      binary.length,
    )
  } catch {
    return undefined
  }
}
