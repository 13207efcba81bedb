import { decodeForm } from '../../server/domain/http/form.ts'

/** `data[amount]` and its value, from a form or from JSON. */
export function fieldsOf(content: string, isFormBody: boolean): (readonly [string, string])[] {
  try {
    return flatten(isFormBody ? decodeForm(content) : (JSON.parse(content) as unknown), '')
  } catch {
    return []
  }
}

function flatten(value: unknown, name: string): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return name === '' ? [] : [[name, String(value)]]
  return Object.entries(value).flatMap(([key, part]) => flatten(part, name === '' ? key : `${name}[${key}]`))
}
