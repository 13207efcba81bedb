import { countKeptBytes, findHeader, type Exchange } from '../http/exchange.ts'
import { parseMediaType } from '../http/form.ts'
import { isObject } from '../text/is-object.ts'

export type Answer = NonNullable<Exchange['response']>

/** What two services must have in common at one place of an answer. */
export interface Trait {
  readonly kind: 'status' | 'header' | 'content-type' | 'body' | 'field'
  /** `string`, `object`, and so on. */
  readonly type: string
  /** What must be equal besides the type: the value, or its form if the value must differ. */
  readonly form: string
  /** The place of the object or the list that contains this one. `null`: the answer itself. */
  readonly parent: string | null
}

/** The traits of an answer, by place: `status`, `header retry-after`, `ResponseMsg`, `data.pay_link`, `data[].sf_id`. */
export type Traits = ReadonlyMap<string, Trait>

/** Headers that change what a client does. All others differ from server to server. */
const RELEVANT_HEADERS = ['location', 'retry-after', 'www-authenticate', 'allow']

/** Describes an answer without the values that must differ between two services: ids, times and hosts. */
export function describeAnswer(answer: Answer): Traits {
  const traits = new Map<string, Trait>()
  const add = (place: string, kind: Trait['kind'], type: string, form = ''): void =>
    void traits.set(place, { kind, type, form, parent: null })

  add('status', 'status', 'HTTP status', String(answer.status))
  const mediaType = parseMediaType(findHeader(answer.headers, 'content-type') ?? '')
  add('content-type', 'content-type', 'media type', mediaType || 'none')
  for (const name of RELEVANT_HEADERS) {
    if (findHeader(answer.headers, name) !== undefined) add(`header ${name}`, 'header', 'header')
  }
  const { body } = answer
  if (countKeptBytes(body) < body.size) {
    add('body', 'body', 'cut off')
    return traits
  }
  const value = body.encoding === 'utf8' ? parseJson(body.content) : NOT_JSON
  if (value === NOT_JSON) add('body', 'body', body.size === 0 ? 'empty' : 'not JSON')
  else addValue(traits, '', null, value)
  return traits
}

const NOT_JSON = Symbol('not JSON')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return NOT_JSON
  }
}

const MAX_DEPTH = 20

function addValue(
  traits: Map<string, Trait>,
  place: string,
  parent: string | null,
  value: unknown,
  depth = 0,
): void {
  const name = /([^.[\]]*)(\[\])?$/.exec(place)?.[1] ?? ''
  const path = place === '' ? 'body' : place
  const type = typeOf(value)
  const form = formOf(name, value)
  const known = traits.get(path)
  traits.set(path, {
    kind: place === '' ? 'body' : 'field',
    type: merge(known?.type, type),
    form: merge(known?.form, form),
    parent,
  })
  if (depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    for (const item of value) addValue(traits, `${place}[]`, path, item, depth + 1)
    return
  }
  if (isObject(value)) {
    const prefix = place === '' ? '' : `${place}.`
    for (const [key, inner] of Object.entries(value)) {
      addValue(traits, prefix + key, path, inner, depth + 1)
    }
    return
  }
  const nested = form === JSON_TEXT ? parseJson(value as string) : null
  if (isObject(nested)) addValue(traits, `${place}(JSON)`, path, nested, depth + 1)
}

/** The items of a list share one place. If their traits differ, all variants are listed. */
const merge = (known: string | undefined, next: string): string =>
  known === undefined ? next : [...new Set([...known.split(' or '), next])].toSorted().join(' or ')

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

/** Fields whose values belong to one account, one link or one month. */
const VARIABLE_FIELDS = new Set(
  (
    'id pay_id user_id sf_id total_secpaid_fee total_psp_fee vat totalRecords servicefee bank_transfer token ' +
    'company name street house_no city country zipcode'
  ).split(' '),
)

const JSON_TEXT = 'JSON as text'

/** Forms of strings whose values differ between services, the first that matches. */
const FORMS: readonly (readonly [form: string, matches: (text: string) => boolean])[] = [
  ['a time as YYYY-MM-DD HH:MM:SS', (text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)],
  ['a time in ISO 8601', (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)],
  ['a date as YYYY-MM-DD', (text) => /^\d{4}-\d\d-\d\d$/.test(text)],
  ['a month with its year', (text) => /^\p{L}+ \d{4}$/u.test(text)],
  ['an invoice number', (text) => /^\d{6}-sf-\w{10}$/.test(text)],
  ['a UUID', (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)],
  ['a number as text', (text) => /^-?\d+(\.\d+)?$/.test(text)],
  [JSON_TEXT, (text) => /^\s*[[{]/.test(text) && isObject(parseJson(text))],
]

function formOf(name: string, value: unknown): string {
  if (isObject(value) || value === null) return ''
  const isVariable = VARIABLE_FIELDS.has(name)
  if (typeof value !== 'string') return isVariable ? '' : String(value)
  if (name === 'ServerTime') return /^CES?T$/.test(value) ? 'CET or CEST' : quote(value)
  const form = FORMS.find(([, matches]) => matches(value))?.[0] ?? formOfUrls(value)
  if (form !== undefined) return form
  if (!isVariable) return quote(value)
  return value === 'true' || value === 'false' ? 'true or false as text' : 'text'
}

const MAX_QUOTED = 200

/** A text as JSON. Long numbers in it are ids. */
const quote = (text: string): string =>
  JSON.stringify(
    text
      .replace(/\d{4,}/g, '<number>')
      .slice(0, MAX_QUOTED)
      .toWellFormed(),
  )

const formOfUrls = (text: string): string | undefined => {
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

/** A segment of a path, with `<id>` in place of an id. The extension remains: `<id>.png`. */
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
