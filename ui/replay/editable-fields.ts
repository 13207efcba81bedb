import { JSON_TOKEN } from '../components/json-layout.ts'

/** A value in the body of a webhook, and its place in the text. Changing the value leaves all other bytes unchanged. */
export interface EditableField {
  /** The name in a form, such as `data[amount]`. A field of a JSON body gets the same name. */
  readonly name: string
  readonly value: string
  /** The value in its encoding in the text, at `start`. In a form, includes the equals sign before it. */
  readonly encoded: string
  readonly start: number
  /** Where the name begins. Equals `start` for an element of a list, which has no name. */
  readonly nameStart: number
}

/** The fields of a body in sequence. `undefined` if a JSON body is invalid. Any text is a valid form. */
export const editableFields = (text: string, isForm: boolean): EditableField[] | undefined =>
  isForm ? fieldsOfForm(text) : fieldsOfJson(text)

/** Replaces an encoded value in the text. */
export const replaceField = (text: string, { start, encoded }: EditableField, replacement: string): string =>
  text.slice(0, start) + replacement + text.slice(start + encoded.length)

const endOf = ({ start, encoded }: EditableField): number => start + encoded.length

/** Removes a field, and the separator before or after it. */
export function removeField(text: string, field: EditableField, isForm: boolean): string {
  const before = text.slice(0, field.nameStart)
  const after = text.slice(endOf(field))
  const separator = isForm ? /^&/ : /^\s*,\s*/
  return separator.test(after)
    ? before + after.replace(separator, '')
    : before.replace(isForm ? /&$/ : /\s*,\s*$/, '') + after
}

/** The name and the value of a field, as written in a text. */
export const pairOf = (text: string, field: EditableField): string =>
  text.slice(field.nameStart, endOf(field))

/** The name and the value of a new field. A JSON field has the last part of its name. */
export const newPair = (name: string, isForm: boolean): string =>
  isForm
    ? String(new URLSearchParams([[name, '']]))
    : `${JSON.stringify(/\[([^\]]*)\]$/.exec(name)?.[1] ?? name)}:""`

/**
 * Inserts a pair into its object, after the fields that precede it in `names`, or else at the beginning. `undefined` if a JSON
 * body does not have the object.
 */
export function insertField(
  text: string,
  { name, pair, names }: { readonly name: string; readonly pair: string; readonly names: readonly string[] },
  isForm: boolean,
): string | undefined {
  const siblings = (editableFields(text, isForm) ?? []).filter(
    (field) => isForm || parentOf(field.name) === parentOf(name),
  )
  const earlier = new Set(names.slice(0, names.indexOf(name)))
  const previous = siblings.findLast((field) => earlier.has(field.name))
  const separator = isForm ? '&' : ','
  if (previous) return text.slice(0, endOf(previous)) + separator + pair + text.slice(endOf(previous))
  const first = siblings[0]
  if (first) return text.slice(0, first.nameStart) + pair + separator + text.slice(first.nameStart)
  if (isForm) return pair
  if (parentOf(name) !== '' || !/^\s*\{/.test(text)) return undefined
  return text.replace(
    /\{(\s*\}?)/,
    (_start, rest: string) => `{${pair}${rest.endsWith('}') ? '' : ','}${rest}`,
  )
}

/** The object of a JSON field: `data` for `data[amount]`, `''` at the top. */
const parentOf = (name: string): string => /^(.*)\[[^\]]*\]$/.exec(name)?.[1] ?? ''

/** Encodes the value of a form field, with the equals sign before it. */
export const encodeFormValue = (value: string): string => String(new URLSearchParams([['', value]]))

const JSON_LITERAL = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/

/** A value that is not a JSON literal becomes a string, so that the body stays JSON. */
export const encodeJsonValue = (value: string, isText: boolean): string =>
  !isText && JSON_LITERAL.test(value) ? value : JSON.stringify(value)

function fieldsOfForm(text: string): EditableField[] {
  let next = 0
  return text.split('&').flatMap((pair) => {
    const start = next
    next += pair.length + 1
    if (pair === '') return []
    const key = pair.split('=', 1)[0]!
    const encoded = pair.slice(key.length)
    const name = decode(key)
    return [{ name, value: decode(encoded.slice(1)), encoded, start: start + key.length, nameStart: start }]
  })
}

const decode = (encoded: string): string => new URLSearchParams(`v=${encoded}`).get('v')!

/** An object or a list that contains a value. */
interface Level {
  readonly isList: boolean
  key: string | number
  /** Where the key begins. Missing in a list. */
  keyStart?: number
  /** Whether the next token of an object is a key. */
  awaitsKey: boolean
}

function fieldsOfJson(text: string): EditableField[] | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const fields: EditableField[] = []
  const levels: Level[] = []
  for (const { 0: token, index } of text.matchAll(JSON_TOKEN)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[') {
      levels.push({ isList: token === '[', key: 0, awaitsKey: token === '{' })
    } else if (token === '}' || token === ']') {
      levels.pop()
    } else if (token === ',' && level) {
      if (level.isList) level.key = Number(level.key) + 1
      else level.awaitsKey = true
    } else if (level?.awaitsKey) {
      level.key = JSON.parse(token) as string
      level.keyStart = index
      level.awaitsKey = false
    } else if (level && token !== ':') {
      const [first, ...others] = levels.map(({ key }) => key)
      fields.push({
        name: `${first}${others.map((key) => `[${key}]`).join('')}`,
        value: token.startsWith('"') ? (JSON.parse(token) as string) : token,
        encoded: token,
        start: index,
        nameStart: level.keyStart ?? index,
      })
    }
  }
  return fields
}
