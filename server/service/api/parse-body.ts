import type { z } from 'zod'
import type { ActiveBehaviors, BehaviorSettings } from '../../domain/behaviors/behavior.ts'
import { encodeBody, type Body } from '../../domain/http/exchange.ts'
import { decodeForm, type FormValue } from '../../domain/http/form.ts'
import { parseJsonList } from '../../domain/text/is-json.ts'
import { MAX_JSON_DEPTH, measureJson } from '../../domain/http/json-depth.ts'
import { truncate } from '../../domain/text/truncate.ts'
import { parseMediaType } from '../../domain/http/form.ts'
import { ApiError, apiError, errorDetails } from '../../domain/api/api-error.ts'
import { walkFields } from '../../domain/api/walk-fields.ts'
import { errorOf } from './refuse.ts'
import { coerceBody, type TypedFields } from './coerce-body.ts'

type AcceptedForm = Exclude<BehaviorSettings['requestBody'], 'json'>

/**
 * The body of a request. It caches its text, JSON and form, because both the operation and the diagnostics read them.
 */
export class RawBody {
  readonly mediaType: string
  readonly bytes: Uint8Array
  /** Whether the body exceeds the limit, so that `bytes` is incomplete. */
  readonly isTooLarge: boolean
  #encoded: Body | undefined
  #json: object | undefined
  #form: Readonly<Record<string, FormValue>> | undefined

  /** The header `Content-Encoding`, if it says that the body is encoded. */
  readonly contentEncoding: string | undefined

  /** `encoded` is the body in a recording, which may know more than its bytes. */
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

  /** `Content-Encoding: gzip`, or `gzip` if the bytes alone show it. */
  get compression(): string | undefined {
    if (this.contentEncoding !== undefined) return `Content-Encoding: ${printable(this.contentEncoding)}`
    return this.encoded.encoding === 'utf8'
      ? undefined
      : COMPRESSIONS.find(([start]) => start.every((byte, index) => this.bytes[index] === byte))?.[1]
  }

  /** Whether there is no text. Throws if the body is not UTF-8. */
  get isEmpty(): boolean {
    return this.text.trim() === ''
  }

  /** The fields of a form. Cached: do not change them. */
  get form(): Readonly<Record<string, FormValue>> {
    return (this.#form ??= decodeForm(this.text))
  }

  /** The fields of a body that is sent as a form. The option `json-or-any-form` also reads JSON. */
  readForm(accepted: AcceptedForm): { readonly body: object; readonly isForm: boolean } {
    if (accepted === 'json-or-form') return { body: this.form, isForm: true }
    if (this.text.trim().startsWith('{')) return { body: this.json, isForm: false }
    const { recipients, ...form } = decodeForm(this.text, { groupsEntries: true })
    return {
      body: recipients === undefined ? form : { ...form, recipients: parseJsonList(recipients) },
      isForm: true,
    }
  }

  /** The JSON object. Cached: do not change it. Throws if the body is anything else. */
  get json(): object {
    return (this.#json ??= parseJson(this.text, this.compression))
  }
}

/** The first bytes of compressed data. Brotli has none. */
const COMPRESSIONS: readonly (readonly [start: readonly number[], name: string])[] = [
  [[0x1f, 0x8b], 'gzip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd'],
  [[0x78, 0x01], 'deflate'],
  [[0x78, 0x5e], 'deflate'],
  [[0x78, 0x9c], 'deflate'],
  [[0x78, 0xda], 'deflate'],
]

export const FORM_TYPE = 'application/x-www-form-urlencoded'

const BYTE_ORDER_MARK = '\uFEFF'

/** The errors about a body as a whole. */
export const bodyErrors = [
  errorDetails('contentTypeNotJson', 'text/plain'),
  errorDetails('bodyTooLarge'),
  errorDetails('bodyNotUtf8'),
  errorDetails('bodyEncoded', 'Content-Encoding: gzip'),
  errorDetails('bodyTooDeep'),
  errorDetails('bodyNotJson', 'Unexpected end of JSON input'),
  errorDetails('bodyNotObject'),
]

/** Parses a body with the schema of an endpoint. Throws the `ApiError` of the first wrong field. */
export function parseBody<Schema extends z.ZodObject>(
  raw: RawBody,
  schema: Schema,
  fields: TypedFields,
  behaviors: ActiveBehaviors,
): z.output<Schema> {
  const body = readObject(raw, schema, fields, behaviors)
  for (const { name, path, value, knownNames } of walkFields(body, fields.paths)) {
    if (!knownNames.has(name)) behaviors.markAssumptions('unknownFields')
    else if (value === null || (value === '' && fields.required.has(path)))
      behaviors.markAssumptions('optionalFields')
  }
  try {
    return schema.parse(body)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (countWrongFields(schema, body) > 1) behaviors.markAssumptions('checkOrder')
    // The schema looks no token up, so this one is missing.
    if (error.details.code === 'recipientUnknown') behaviors.markAssumptions('ownWording')
    throw error
  }
}

const countWrongFields = (schema: z.ZodObject, body: object): number =>
  Object.entries(schema.shape as Record<string, z.ZodType>).filter(
    ([name, type]) => errorOf(type, Reflect.get(body, name)) !== undefined,
  ).length

/** Whether an empty body stands for `{}`, because no field is required. */
export const acceptsEmpty = (schema: z.ZodType): boolean => errorOf(schema, {}) === undefined

function readObject(
  raw: RawBody,
  schema: z.ZodType,
  fields: TypedFields,
  behaviors: ActiveBehaviors,
): object {
  if (raw.compression !== undefined) behaviors.markAssumptions('requestEncoding')
  raw.assertText()
  const { mediaType } = raw
  if (mediaType !== 'application/json') {
    const accepted = behaviors.dependOn('requestBody')
    if (mediaType === FORM_TYPE && accepted !== 'json') {
      const { body, isForm } = raw.readForm(accepted)
      return coerceBody(body, fields, isForm, behaviors)
    }
    throw apiError('contentTypeNotJson', printable(mediaType))
  }
  if (raw.isEmpty && acceptsEmpty(schema)) {
    behaviors.markAssumptions('emptyBody')
    return {}
  }
  return coerceBody(raw.json, fields, false, behaviors)
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)

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

/** The message of V8's JSON parser. It contains the position, and differs between versions of Node. */
const whyNotJson = (text: string, error: unknown): string =>
  text.trim() === '' ? 'it is empty' : truncate(String(error).replace(/^SyntaxError: /, ''), 200)
