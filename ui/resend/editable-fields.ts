import { JSON_TOKEN } from '../details/json-layout.ts'

/** A value in the body of a webhook, and its place in the text. Changing it leaves all other bytes unchanged. */
export interface EditableField {
  /** The name in a form, such as `data[amount]`. A field of a JSON body gets the same name. */
  readonly name: string
  readonly value: string
  /** The value as it is encoded in the text, at `start`. In a form, with the equals sign before it. */
  readonly encoded: string
  readonly start: number
}

/** The fields of a body, in its order. `undefined` if a JSON body is invalid; any text is a valid form. */
export const editableFields = (text: string, isForm: boolean): EditableField[] | undefined =>
  isForm ? fieldsOfForm(text) : fieldsOfJson(text)

/** Replaces an encoded value in the text. */
export const replaceField = (text: string, { start, encoded }: EditableField, replacement: string): string =>
  text.slice(0, start) + replacement + text.slice(start + encoded.length)

/** With the equals sign before it. */
export const encodeFormValue = (value: string): string => String(new URLSearchParams([['', value]]))

const JSON_LITERAL = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/

/** What is not a JSON literal becomes a string, so that the body remains JSON. */
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
    return [{ name: decode(key), value: decode(encoded.slice(1)), encoded, start: start + key.length }]
  })
}

const decode = (encoded: string): string => new URLSearchParams(`v=${encoded}`).get('v')!

/** An object or a list around a value. */
interface Level {
  readonly isList: boolean
  key: string | number
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
      level.awaitsKey = false
    } else if (level && token !== ':') {
      const [first, ...others] = levels.map(({ key }) => key)
      fields.push({
        name: `${first}${others.map((key) => `[${key}]`).join('')}`,
        value: token.startsWith('"') ? (JSON.parse(token) as string) : token,
        encoded: token,
        start: index,
      })
    }
  }
  return fields
}
