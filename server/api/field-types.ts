import type { ActiveBehaviors } from '../domain/behaviors/behavior.ts'

/** Which fields of a body are not text. `recipients.*.share` is the share of every recipient. */
export interface FieldTypes {
  readonly numbers: readonly string[]
  readonly booleans: readonly string[]
}

type Fields = Record<string, unknown>

const NUMERIC = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** Reads numbers that were sent as text, where that is allowed. Either way the answer rests on it. */
export function readNumericStrings(
  body: object,
  { numbers }: FieldTypes,
  behaviors: ActiveBehaviors,
): object {
  return replaceValues(body, numbers, (value) =>
    isNumeric(value) && behaviors.use('numericStrings') === 'accept' ? Number(value) : value,
  )
}

/** A form holds nothing but text, so its numbers and booleans are read from it. */
export function readFormTypes(body: object, { numbers, booleans }: FieldTypes): object {
  const withNumbers = replaceValues(body, numbers, (value) => (isNumeric(value) ? Number(value) : value))
  return replaceValues(withNumbers, booleans, (value) =>
    value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value,
  )
}

const isNumeric = (value: unknown): boolean => typeof value === 'string' && NUMERIC.test(value)

const replaceValues = (
  body: object,
  paths: readonly string[],
  replace: (value: unknown) => unknown,
): object => paths.reduce((read, path) => replaceValue(read, path.split('.'), replace), body)

/** A body with other values at a path. It is the same where none is another, else a copy: what came in stays as it is. */
function replaceValue(
  body: object,
  [step, ...rest]: readonly string[],
  replace: (value: unknown) => unknown,
): object {
  if (step === undefined) return body
  const fields = body as Fields
  let copy: Fields | undefined
  for (const name of step === '*' ? Object.keys(fields) : [step]) {
    if (!Object.hasOwn(fields, name)) continue
    const value = fields[name]
    const next =
      rest.length === 0 ? replace(value) : isObject(value) ? replaceValue(value, rest, replace) : value
    if (next === value) continue
    copy ??= (Array.isArray(fields) ? [...(fields as unknown[])] : { ...fields }) as Fields
    copy[name] = next
  }
  return copy ?? body
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
