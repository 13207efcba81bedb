import { apiError } from '../../domain/api/api-error.ts'
import type { BehaviorSettings } from '../../domain/behaviors/behavior.ts'
import { encodeBody, type Body } from '../../domain/http/exchange.ts'
import { decodeForm, parseMediaType, type FormValue } from '../../domain/http/form.ts'
import { MAX_JSON_DEPTH, measureJson } from '../../domain/http/json-depth.ts'
import { parseJsonList } from '../../domain/text/is-json.ts'
import { truncate } from '../../domain/text/truncate.ts'

type AcceptedForm = Exclude<BehaviorSettings['requestBody'], 'json'>

/**
 * The body of a request. It caches its text, JSON and form, because both the operation and the diagnostics read them.
 */
export class RawBody {
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** Whether the body exceeds the limit. `bytes` is then incomplete. */
  readonly isTooLarge: boolean
  #encoded: Body | undefined
  #json: object | undefined
  #form: Readonly<Record<string, FormValue>> | undefined

  /** The header `Content-Encoding`, unless it means no encoding. */
  readonly contentEncoding: string | undefined

  /** `encoded` is the body of a recorded call, whose bytes may be incomplete. */
  constructor(
    {
      contentType,
      contentEncoding,
    }: { readonly contentType: string | undefined; readonly contentEncoding: string | undefined },
    bytes: Uint8Array,
    isTooLarge: boolean,
    encoded?: Body,
  ) {
    this.mediaType = parseMediaType(contentType ?? '')
    this.contentEncoding =
      bytes.length === 0 || /^[\s,]*(identity[\s,]*)*$/i.test(contentEncoding ?? '')
        ? undefined
        : contentEncoding
    this.bytes = bytes
    this.isTooLarge = isTooLarge
    this.#encoded = encoded
  }

  /** The body as the journal records it. */
  get encoded(): Body {
    return (this.#encoded ??= encodeBody(this.bytes))
  }

  /** Throws if the body is too large or not UTF-8. */
  get text(): string {
    this.assertText()
    const { content } = this.encoded
    return content.startsWith(BYTE_ORDER_MARK) ? content.slice(1) : content
  }

  /** Throws if the body is too large or not UTF-8, for every media type. */
  assertText(): void {
    if (this.isTooLarge) throw apiError('bodyTooLarge')
    if (this.encoded.encoding !== 'utf8') {
      throw this.compression === undefined
        ? apiError('bodyNotUtf8')
        : apiError('bodyEncoded', this.compression)
    }
  }

  /** `Content-Encoding: gzip`, or just `gzip` if there is no header but the first bytes are those of gzip. */
  get compression(): string | undefined {
    if (this.contentEncoding !== undefined) return `Content-Encoding: ${printable(this.contentEncoding)}`
    return this.encoded.encoding === 'utf8'
      ? undefined
      : COMPRESSIONS.find(([start]) => start.every((byte, index) => this.bytes[index] === byte))?.[1]
  }

  /** Whether the body has no text. Throws if the body is not UTF-8. */
  get isEmpty(): boolean {
    return this.text.trim() === ''
  }

  /** The fields of a form. Cached, so callers must not change them. */
  get form(): Readonly<Record<string, FormValue>> {
    return (this.#form ??= decodeForm(this.text))
  }

  /** The fields of a body that is sent as a form. With the option `json-or-any-form`, the body may be JSON. */
  readForm(accepted: AcceptedForm): { readonly body: object; readonly isForm: boolean } {
    if (accepted === 'json-or-form') return { body: this.form, isForm: true }
    if (this.text.trim().startsWith('{')) return { body: this.json, isForm: false }
    const { recipients, ...form } = decodeForm(this.text, { groupsEntries: true })
    return {
      body: recipients === undefined ? form : { ...form, recipients: parseJsonList(recipients) },
      isForm: true,
    }
  }

  /** The JSON object in the body. Cached, so callers must not change it. Throws if the body is anything else. */
  get json(): object {
    return (this.#json ??= parseJson(this.text, this.compression))
  }
}

/** The first bytes of compressed data, by name. Brotli cannot be recognized in this way. */
const COMPRESSIONS: readonly (readonly [start: readonly number[], name: string])[] = [
  [[0x1f, 0x8b], 'gzip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
  [[0x78, 0x01], 'deflate'],
  [[0x78, 0x5e], 'deflate'],
  [[0x78, 0x9c], 'deflate'],
  [[0x78, 0xda], 'deflate'],
]

const BYTE_ORDER_MARK = '\uFEFF'

/** Makes a text safe to quote in a message by limiting it to printable ASCII and 100 characters. */
export const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)

function parseJson(text: string, compression: string | undefined): object {
  if (measureJson(text).depth > MAX_JSON_DEPTH) throw apiError('bodyTooDeep')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw compression === undefined
      ? apiError('bodyNotJson', whyNotJson(text, error))
      : apiError('bodyEncoded', compression)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw apiError('bodyNotObject')
  }
  return value
}

/** The message of V8's JSON parser, with the position. It differs between versions of Node. */
const whyNotJson = (text: string, error: unknown): string =>
  text.trim() === '' ? 'it is empty' : truncate(String(error).replace(/^SyntaxError: /, ''), 200)
