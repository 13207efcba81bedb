import { z } from 'zod'
import { messages } from '../domain/api/api-error.ts'

/** What zod says when a field is missing, or not what it should be. */
const typeError =
  (field: string, expected: string, missing = messages.missing(field)) =>
  ({ input }: { readonly input: unknown }): string =>
    input === undefined || input === null ? missing : messages.wrongType(field, expected)

/** Text that can be stored and sent as UTF-8. */
export const text = (field: string, error = typeError(field, 'a string')) =>
  z.string({ error }).refine((value) => value.isWellFormed(), {
    error: messages.notUnicode(field),
  })

/** Text of one entry or several. Whoever sends a list is told how several are written. */
export const entries = (field: string) =>
  text(field, ({ input }) => {
    const expected = Array.isArray(input) ? 'a string, several entries with commas between them' : 'a string'
    return typeError(field, expected)({ input })
  })

/** Text that may be left out. `null` is as good as nothing. */
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
