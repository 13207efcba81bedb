import { z } from 'zod'
import { issue } from './issue.ts'

/** The error of a field that is missing or has the wrong type. */
const typeError =
  (field: string, expected: string, missing = issue('missing', field)) =>
  ({ input }: { readonly input: unknown }): string =>
    input === undefined || input === null ? missing : issue('wrongType', field, expected)

/** A string that is valid Unicode, so that it can be stored and sent as UTF-8. */
export const text = (field: string, error = typeError(field, 'a string')) =>
  z.string({ error }).refine((value) => value.isWellFormed(), {
    error: issue('notUnicode', field),
  })

/** A string with one or more comma-separated entries. An array gets an error that explains this notation. */
export const entries = (field: string) =>
  text(field, ({ input }) => {
    const expected = Array.isArray(input) ? 'a string, several entries with commas between them' : 'a string'
    return typeError(field, expected)({ input })
  })

/** A string that may be missing or `null`. Both become an empty string. */
const optional = (type: ReturnType<typeof text>) => type.nullish().transform((value) => value ?? '')

export const optionalText = (field: string) => optional(text(field))

export const optionalEntries = (field: string) => optional(entries(field))

export const boolean = (field: string) => z.boolean({ error: typeError(field, 'true or false') })

export const optionalBoolean = (field: string, otherwise: boolean) =>
  boolean(field)
    .nullish()
    .transform((value) => value ?? otherwise)

export const number = (field: string, missing?: string) =>
  z.number({ error: typeError(field, 'a finite number', missing) })

export const integer = (field: string, missing?: string) =>
  z.int({ error: typeError(field, 'an integer', missing) })
