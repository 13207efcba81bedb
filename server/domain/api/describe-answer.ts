import { countKeptBytes, findHeader, type Exchange } from '../http/exchange.ts'
import { parseMediaType } from '../http/form.ts'
import { parseJson } from '../text/is-json.ts'
import { isObject } from '../text/is-object.ts'
import { truncate } from '../text/truncate.ts'

export type Answer = NonNullable<Exchange['response']>

/** What must be equal at one place in two responses. */
export interface Trait {
  readonly kind: 'status' | 'header' | 'content-type' | 'body' | 'field'
  /** `string`, `object`, and so on. There are several if the place stands for all items of a list. */
  readonly types: readonly string[]
  /** The value, or a pattern if the value always differs between two services. It is compared as text. */
  readonly shape: string
  /** The place of the object or list that contains this place, or `null` at the top of the response. */
  readonly parent: string | null
}

/** The traits of a response by place: `status`, `header retry-after`, `ResponseMsg`, `data.pay_link`, `data[].sf_id`. */
export type Traits = ReadonlyMap<string, Trait>

/** Headers that change what a client does. All others differ from server to server. */
const RELEVANT_HEADERS = ['location', 'retry-after', 'www-authenticate', 'allow']

const described = new WeakMap<Answer, Traits>()

/**
 * Describes a response without the values that must differ between two services: ids, times and hosts. Cached, because one
 * response is compared with several others.
 */
export function describeAnswer(answer: Answer): Traits {
  const cached = described.get(answer)
  if (cached) return cached
  const traits = describe(answer)
  described.set(answer, traits)
  return traits
}

function describe({ status, headers, body }: Answer): Traits {
  const variants: VariantsByPlace = new Map()
  const add = (place: string, kind: Trait['kind'], type: string, shape = ''): void =>
    addVariant(variants, { place, parent: null, kind }, type, shape)

  add('status', 'status', 'HTTP status', String(status))
  const mediaType = parseMediaType(findHeader(headers, 'content-type') ?? '')
  add('content-type', 'content-type', 'media type', mediaType || 'none')
  for (const name of RELEVANT_HEADERS) {
    if (findHeader(headers, name) !== undefined) add(`header ${name}`, 'header', 'header')
  }
  const value = readJson(body)
  if (countKeptBytes(body) < body.size) add('body', 'body', 'cut off')
  else if (value === NOT_JSON) add('body', 'body', body.size === 0 ? 'empty' : 'not JSON')
  else addValue(variants, { place: 'body', parent: null, kind: 'body' }, '', value)
  return new Map([...variants].map(([place, found]) => [place, toTrait(found)]))
}

/** Descriptions of bodies that cannot be read. */
export const UNREADABLE_BODIES: ReadonlySet<string> = new Set(['cut off', 'empty', 'not JSON'])

export const NOT_JSON = Symbol('not JSON')

const BYTE_ORDER_MARK = '\uFEFF'

/** The JSON value of a body. A byte order mark is skipped, as the emulated API does. */
export function readJson({ encoding, content }: Answer['body']): unknown {
  if (encoding !== 'utf8') return NOT_JSON
  const value = parseJson(content.startsWith(BYTE_ORDER_MARK) ? content.slice(1) : content)
  return value === undefined ? NOT_JSON : value
}

interface Place {
  readonly place: string
  readonly parent: string | null
  readonly kind: Trait['kind']
}

/** The values at one place. All items of a list share a place, so it can have several types and shapes. */
interface Variants extends Place {
  readonly types: Set<string>
  readonly shapes: Set<string>
}

type VariantsByPlace = Map<string, Variants>

function addVariant(variants: VariantsByPlace, at: Place, type: string, shape: string): void {
  const existing = variants.get(at.place)
  if (existing === undefined)
    variants.set(at.place, { ...at, types: new Set([type]), shapes: new Set([shape]) })
  else {
    existing.types.add(type)
    existing.shapes.add(shape)
  }
}

const toTrait = ({ kind, types, shapes, parent }: Variants): Trait => ({
  kind,
  types: [...types].toSorted(),
  shape: [...shapes].toSorted().join(' or '),
  parent,
})

const MAX_DEPTH = 20

/** Longer names of fields are cut, because the places of everything in a field repeat its name. */
const MAX_NAME = 100

/** `name` is the field that contains the value, or the list that does. */
function addValue(variants: VariantsByPlace, at: Place, name: string, value: unknown, depth = 0): void {
  const shape = shapeOf(name, value)
  addVariant(variants, at, typeOf(value), shape)
  if (depth > MAX_DEPTH) return
  const inside = (place: string): Place => ({ place, parent: at.place, kind: 'field' })
  const prefix = at.kind === 'body' ? '' : at.place
  if (Array.isArray(value)) {
    const items = inside(`${prefix}[]`)
    for (const item of value) addValue(variants, items, name, item, depth + 1)
    return
  }
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const field = inside(`${prefix}${prefix === '' ? '' : '.'}${truncate(key, MAX_NAME)}`)
      addValue(variants, field, key, inner, depth + 1)
    }
    return
  }
  const nested = shape === JSON_TEXT ? parseJson(value as string) : null
  if (isObject(nested)) addValue(variants, inside(`${at.place}(JSON)`), `${name}(JSON)`, nested, depth + 1)
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

/** Fields whose values differ between accounts, links or months. */
const VARIABLE_FIELDS = new Set(
  (
    'id pay_id user_id sf_id total_secpaid_fee total_psp_fee vat totalRecords servicefee bank_transfer token ' +
    'company name street house_no city country zipcode'
  ).split(' '),
)

const JSON_TEXT = 'JSON as text'

/** Patterns for texts that differ between services. The first pattern that matches applies. */
const SHAPES: readonly (readonly [shape: string, matches: (text: string) => boolean])[] = [
  ['a time as YYYY-MM-DD HH:MM:SS', (text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)],
  ['a time in ISO 8601', (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)],
  ['a date as YYYY-MM-DD', (text) => /^\d{4}-\d\d-\d\d$/.test(text)],
  ['a month with its year', (text) => /^\p{L}+ \d{4}$/u.test(text)],
  ['an invoice number', (text) => /^\d{6}-sf-\w{10}$/.test(text)],
  ['a UUID', (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)],
  ['a number as text', (text) => /^-?\d+(\.\d+)?$/.test(text)],
  [JSON_TEXT, (text) => /^\s*[[{]/.test(text) && isObject(parseJson(text))],
]

function shapeOf(name: string, value: unknown): string {
  if (isObject(value) || value === null) return ''
  const isVariable = VARIABLE_FIELDS.has(name)
  if (typeof value !== 'string') return isVariable ? '' : String(value)
  if (name === 'ServerTime') return /^CES?T$/.test(value) ? 'CET or CEST' : quote(value)
  const shape = SHAPES.find(([, matches]) => matches(value))?.[0] ?? shapeOfUrls(value)
  if (shape !== undefined) return shape
  if (!isVariable) return quote(value)
  return value === 'true' || value === 'false' ? 'true or false as text' : 'text'
}

const MAX_QUOTED = 200

/** A text as JSON. Replaces long numbers, which are ids, and positions in lists, because they depend on the account. */
const quote = (text: string): string =>
  JSON.stringify(
    text
      .replace(/\d{4,}/g, '<number>')
      .replace(/\bhas \d+ entr(y|ies)\b/g, 'has <number> entries')
      .slice(0, MAX_QUOTED)
      .toWellFormed(),
  )

const shapeOfUrls = (text: string): string | undefined => {
  const urls = text.split(',')
  return urls.every((url) => /^https?:\/\//.test(url) && URL.canParse(url))
    ? urls.map(formOfUrl).join(' and ')
    : undefined
}

/** A URL without its origin and its ids: `the URL /payment?link_id=<base64 of a number>`. */
function formOfUrl(text: string): string {
  const { pathname, searchParams } = new URL(text)
  const path = pathname.split('/').map(withoutId).join('/')
  const query = [...searchParams].map(([name, value]) => `${name}=<${formOfParameter(value)}>`).join('&')
  return `the URL ${path}${query === '' ? '' : `?${query}`}`
}

const MAX_WORD = 24

/** A segment of a path, with `<id>` instead of its id, but with its extension: `<id>.png`. */
function withoutId(segment: string): string {
  const [name = '', ...extension] = segment.split('.')
  const isId = /\d/.test(name) || name.length > MAX_WORD || isBase64OfNumber(name)
  return isId ? ['<id>', ...extension].join('.') : segment
}

function formOfParameter(value: string): string {
  if (/^\d+$/.test(value)) return 'number'
  if (/^(https?:|\/)/.test(value)) return 'URL'
  return isBase64OfNumber(value) ? 'base64 of a number' : 'text'
}

function isBase64OfNumber(text: string): boolean {
  try {
    return /^\d+$/.test(atob(text))
  } catch {
    return false
  }
}
