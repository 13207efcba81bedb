import { isObject } from '../../domain/text/is-object.ts'
import type { ActiveBehaviors } from '../../domain/behaviors/behavior.ts'

/** The fields of a body that are not text. `recipients.*.share` is the share of each recipient. */
export interface FieldTypes {
  readonly numbers: readonly string[]
  readonly booleans: readonly string[]
}

type Fields = Record<string, unknown>

const NUMERIC = /^-?(0|[1-9]\d*)(\.\d+)?$/

/**
 * Converts numbers that were sent as text, if the behavior `numericStrings` allows it. The response depends on
 * that behavior either way.
 */
export function coerceNumericStrings(
  body: object,
  { numbers }: FieldTypes,
  behaviors: ActiveBehaviors,
): object {
  return replaceValues(body, numbers, (value) =>
    isNumeric(value) && behaviors.use('numericStrings') === 'accept' ? Number(value) : value,
  )
}

/** Converts the numbers and booleans of a form, which contains text only. */
export function coerceForm(body: object, { numbers, booleans }: FieldTypes): object {
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

/**
 * Replaces the values at a path. Returns a copy if a value changed, otherwise the same object. The received
 * body never changes.
 */
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
