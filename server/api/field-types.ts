import type { InForce } from '../domain/behavior.ts'

/** Which fields of a body are not text. `recipients.*.share` is the share of every recipient. */
export interface FieldTypes {
  readonly numbers: readonly string[]
  readonly booleans: readonly string[]
}

type Fields = Record<string, unknown>

const NUMERIC = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** Reads numbers that were sent as text, where that is allowed. Either way the answer rests on it. */
export function readNumericStrings(body: object, { numbers }: FieldTypes, inForce: InForce): object {
  for (const path of numbers) {
    change(body as Fields, path.split('.'), (value) => {
      const isNumeric = typeof value === 'string' && NUMERIC.test(value)
      return isNumeric && inForce.rely('numericStrings') === 'accept' ? Number(value) : value
    })
  }
  return body
}

/** A form holds nothing but text, so its numbers and booleans are read from it. */
export function readFormTypes(body: object, { numbers, booleans }: FieldTypes): object {
  for (const path of numbers) {
    change(body as Fields, path.split('.'), (value) =>
      typeof value === 'string' && NUMERIC.test(value) ? Number(value) : value,
    )
  }
  for (const path of booleans) {
    change(body as Fields, path.split('.'), (value) =>
      value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value,
    )
  }
  return body
}

function change(
  fields: Fields,
  [step, ...rest]: readonly string[],
  replace: (value: unknown) => unknown,
): void {
  if (step === undefined) return
  const names = step === '*' ? Object.keys(fields) : [step]
  for (const name of names) {
    if (!Object.hasOwn(fields, name)) continue
    const value = fields[name]
    if (rest.length === 0) fields[name] = replace(value)
    else if (typeof value === 'object' && value !== null) change(value as Fields, rest, replace)
  }
}
