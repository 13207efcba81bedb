import { z } from 'zod'
import { assume } from './assumed.ts'
import { apiError, type ApiError } from '../../domain/api/api-error.ts'

export interface WrongValue {
  readonly input: unknown
  readonly path?: readonly PropertyKey[] | undefined
}

/** The position of the wrong value in its list. */
export const positionOf = ({ path = [] }: WrongValue): number =>
  Number(path.find((step) => typeof step === 'number'))

/** The name of a field in messages: `recipients[].share` becomes `recipients[1].share`. */
const nameOf = (field: string, value: WrongValue): string =>
  field.replace('[]', () => `[${positionOf(value)}]`)

/** The error for a field that is missing or has the wrong type. */
const typeError =
  (field: string, expected: string, missing?: ApiError) =>
  (value: WrongValue): never => {
    const name = nameOf(field, value)
    if (value.input === undefined || value.input === null) throw missing ?? apiError('missing', name)
    throw apiError('wrongType', name, expected)
  }

/** A string that is valid Unicode, so that it can be stored and sent as UTF-8. */
export const text = (field: string, error = typeError(field, 'a string')) =>
  z.string({ error }).refine((value) => value.isWellFormed(), {
    error: (value): never => {
      throw apiError('notUnicode', nameOf(field, value))
    },
  })

/** A string with one or more entries, separated by commas. For an array, the error explains this notation. */
export const entries = (field: string) =>
  text(field, (given) => {
    const isList = Array.isArray(given.input)
    return typeError(field, isList ? 'a string, several entries with commas between them' : 'a string')(given)
  })

/** A field that may be missing or `null`. The reference does not mention `null`. */
export const optional = <Type extends z.ZodType, Value>(type: Type, defaultValue: Value) =>
  type
    .nullish()
    .transform((value) => value ?? defaultValue)
    .apply(assume, 'optionalFields', 'type')

/** A field with a default. */
export const withDefault = <Type extends z.ZodType, Value>(type: Type, defaultValue: Value) =>
  optional(type, defaultValue).meta({ default: defaultValue })

export const optionalText = (field: string) => optional(text(field), '')

export const optionalEntries = (field: string) => optional(entries(field), '')

export const optionalBoolean = (field: string, defaultValue: boolean) =>
  withDefault(z.boolean({ error: typeError(field, 'true or false') }), defaultValue)

export const number = (field: string, missing?: ApiError) =>
  z.number({ error: typeError(field, 'a finite number', missing) })

/** An integer of any size. `z.int()` would reject integers above 2^53. */
export function integer(field: string, missing?: ApiError) {
  const error = typeError(field, 'an integer', missing)
  return z.number({ error }).refine(Number.isInteger, { error, abort: true }).meta({ type: 'integer' })
}

/** A time in a response. */
export const serviceTime = z
  .string()
  .meta({ pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$`, examples: ['2026-07-01 12:00:00'] })
