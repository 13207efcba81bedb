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
import { isRecord } from '../text/is-object.ts'
import { truncate } from '../text/truncate.ts'
import { UsageError } from '../text/usage-error.ts'
import { isInClockRange } from '../time/clock.ts'
import type { Instant } from '../time/berlin-time.ts'

/** The largest HTTP Archive that is read, in bytes. */
export const MAX_HAR_BYTES = 64 * MIB

/** How many requests an HTTP Archive may have. */
export const MAX_HAR_ENTRIES = 20_000

/** Longer texts are cut. The sandbox itself accepts 16 KiB of URL and header fields together. */
const MAX_URL_LENGTH = 16 * 1024
const MAX_HEADERS = 200
const MAX_HEADER_NAME_LENGTH = 200
const MAX_HEADER_VALUE_LENGTH = 8 * 1024
const MAX_ERROR_LENGTH = 1_000

/** A request of an HTTP Archive, with its response. */
export interface RecordedExchange {
  readonly exchange: Exchange
  readonly startedAt: Instant
  readonly ms: number
  /** Why the response is missing, or is not that of the service. */
  readonly error: string | null
  /** The real environment that answered, if a sandbox with an upstream recorded the file. */
  readonly upstream: string | null
}

/**
 * Reads the text of an HTTP Archive that a browser, a proxy or a sandbox wrote. Fields that nobody needs may be missing.
 * Throws a `UsageError` that names the place of the mistake.
 */
export function readHar(text: string): RecordedExchange[] {
  const { log } = object(parse(text), 'The file')
  const { entries } = object(log, 'log')
  if (!Array.isArray(entries)) throw notHar('log.entries should be a list')
  if (entries.length > MAX_HAR_ENTRIES) {
    throw new UsageError(`The file has ${entries.length} requests. It may have at most ${MAX_HAR_ENTRIES}.`)
  }
  return entries.map((entry: unknown, index) => readEntry(entry, `log.entries[${index}]`))
}

function parse(text: string): unknown {
  try {
    // Some proxies begin the file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw notHar(`it is not JSON: ${truncate(String(error).replace(/^SyntaxError: /, ''), 200)}`)
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

function string(value: unknown, place: string): string {
  if (typeof value === 'string') return value
  throw notHar(`${place} should be text`)
}

function readEntry(value: unknown, place: string): RecordedExchange {
  const entry = object(value, place)
  const started = new Date(string(entry.startedDateTime, `${place}.startedDateTime`))
  if (Number.isNaN(started.getTime()) || !isInClockRange(started.toISOString())) {
    throw notHar(`${place}.startedDateTime should be a time since 1970`)
  }
  const { time } = entry
  const response = readResponse(entry.response, `${place}.response`)
  const { _sandbox: details } = entry
  const { upstream } = isRecord(details) ? details : {}
  const { _error: error } = isRecord(entry.response) ? entry.response : {}
  return {
    exchange: { request: readRequest(entry.request, `${place}.request`), response },
    startedAt: started.toISOString(),
    // JSON can contain numbers that are infinite for JavaScript: `1e999`.
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

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

function readRequest(value: unknown, place: string): Exchange['request'] {
  const request = object(value, place)
  const url = truncate(string(request.url, `${place}.url`), MAX_URL_LENGTH)
  if (!URL.canParse(url)) throw notHar(`${place}.url should be a URL`)
  const headers = readHeaders(request.headers, `${place}.headers`)
  const body = isRecord(request.postData) ? readPostData(request.postData, `${place}.postData`) : textBody('')
  const mimeType = isRecord(request.postData) ? request.postData.mimeType : undefined
  const lacksType = typeof mimeType === 'string' && findHeader(headers, 'content-type') === undefined
  return {
    method: string(request.method, `${place}.method`),
    url: withoutUserInfo(url),
    headers: lacksType ? [...headers, ['Content-Type', cutHeaderValue(mimeType)]] : headers,
    body,
  }
}

/** Nobody needs the password of `https://user:password@host/`, so it is not stored. */
function withoutUserInfo(text: string): string {
  const url = new URL(text)
  if (url.username === '' && url.password === '') return text
  url.username = ''
  url.password = ''
  return url.href
}

/** A form may have its fields in place of its text. Their names have their brackets: `recipients[0][token]`. */
function readPostData(postData: Fields, place: string): Body {
  const { text, params } = postData
  if (Array.isArray(params) && params.length > 0 && (text === undefined || text === '')) {
    const pairs = params.map((param: unknown, index) => {
      const { name, value = '' } = object(param, `${place}.params[${index}]`)
      return [string(name, `${place}.params[${index}].name`), String(value)]
    })
    return readText(new URLSearchParams(pairs).toString())
  }
  return readBody(postData, place)
}

export function readResponse(value: unknown, place: string): Response | null {
  const response = object(value, place)
  const { status } = response
  if (typeof status !== 'number' || !Number.isInteger(status))
    throw notHar(`${place}.status should be a number`)
  // What browsers write if no response came.
  if (status < 100 || status > 599) return null
  const content = isRecord(response.content) ? response.content : {}
  return {
    status,
    headers: readHeaders(response.headers, `${place}.headers`),
    body: readBody(content, `${place}.content`),
  }
}

/** The names that HTTP/2 puts in place of the first line: `:authority`. */
const isPseudoHeader = (name: string): boolean => name.startsWith(':')

function readHeaders(value: unknown, place: string): Headers {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw notHar(`${place} should be a list`)
  return value
    .map((header: unknown, index) => {
      const { name, value: content } = object(header, `${place}[${index}]`)
      return [
        truncate(string(name, `${place}[${index}].name`), MAX_HEADER_NAME_LENGTH),
        cutHeaderValue(string(content, `${place}[${index}].value`)),
      ] as const
    })
    .filter(([name]) => !isPseudoHeader(name))
    .slice(0, MAX_HEADERS)
}

const cutHeaderValue = (value: string): string => truncate(value, MAX_HEADER_VALUE_LENGTH)

/**
 * Keeps as much of a body as the sandbox keeps of other bodies. A body without its text was left out by the program that
 * wrote the file. Its size says so.
 */
function readBody({ text = '', encoding, size }: Fields, place: string): Body {
  const content = string(text, `${place}.text`)
  const body = encoding === 'base64' ? readBase64(content, place) : readText(content)
  const declared = typeof size === 'number' && Number.isSafeInteger(size) ? size : 0
  return { ...body, size: Math.max(body.size, declared) }
}

function readText(content: string): Body {
  const whole = textBody(content)
  return whole.size <= MAX_BODY_BYTES
    ? whole
    : encodeBody(new TextEncoder().encode(content).subarray(0, MAX_BODY_BYTES), whole.size)
}

/** Some programs write text as base64 too. */
function readBase64(content: string, place: string): Body {
  const binary = decodeBase64(content, place)
  const kept = binary.slice(0, MAX_BODY_BYTES)
  return encodeBody(
    Uint8Array.from(kept, (character) => character.charCodeAt(0)),
    binary.length,
  )
}

function decodeBase64(content: string, place: string): string {
  try {
    return atob(content)
  } catch {
    throw notHar(`${place}.text should be base64`)
  }
}

const PREFIX = '/api/v2/'

export interface FoundCalls {
  readonly calls: readonly RecordedExchange[]
  /** How many requests are no calls, or go elsewhere. */
  readonly ignored: number
}

/** A method of HTTP, which is a token: it has no spaces. */
const METHOD = /^[\w!#$%&'*+.^`|~-]{1,100}$/

/**
 * The calls of the v2 API among some requests, of one origin or of all. Browsers also record requests for files and extensions,
 * which are no calls.
 */
export function findCalls(recorded: readonly RecordedExchange[], origin?: string): FoundCalls {
  const calls = recorded.filter(({ exchange }) => {
    const { method, url: text } = exchange.request
    const url = new URL(text)
    const isCall = isWebUrl(text) && METHOD.test(method) && url.pathname.startsWith(PREFIX)
    return isCall && (origin === undefined || url.origin === origin)
  })
  return { calls, ignored: recorded.length - calls.length }
}
