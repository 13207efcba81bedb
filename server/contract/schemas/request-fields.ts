import { z } from 'zod'
import { parseHostPattern } from '../../domain/network/allowed-host.ts'
import { MIN_CLOCK_TIME, isInClockRange, MAX_CLOCK_TIME } from '../../domain/time/clock.ts'
import { MAX_AMOUNT, fromEuros, isWholeCents } from '../../domain/money/cents.ts'
import { whyInvalidUrl } from '../../domain/network/urls.ts'

/** Text that can be stored and sent as UTF-8. */
export const unicodeText = z
  .string()
  .refine((value) => value.isWellFormed(), { error: 'is not valid Unicode' })

/** Text that `validate` accepts. `listError` is the error if a list is passed instead of a text. */
export const validatedText = (validate: (text: string) => string | null, listError?: string) =>
  z
    .string({ error: ({ input }) => (Array.isArray(input) ? listError : undefined) })
    .refine((value) => validate(value) === null, {
      error: ({ input }) => validate(String(input))!,
      abort: true,
    })

export const httpUrl = validatedText(whyInvalidUrl)

/** A host in any notation, or a domain after `*.`. The output is normalized, so that it can be compared. */
export const hostPattern = (error: string) =>
  z.string({ error }).transform((given, { addIssue }) => {
    const pattern = parseHostPattern(given)
    if (pattern !== null) return pattern
    addIssue({ code: 'custom', message: error })
    return z.NEVER
  })

export const isoDateTime = z.iso.datetime({
  offset: true,
  error: 'should be an ISO 8601 time with a time zone, like 2026-12-01T00:00:00+01:00',
})

/** A time that the clock can show. The output is in UTC, as records store it. */
export const utcInstant = isoDateTime
  .refine(isInClockRange, { error: `should be from ${MIN_CLOCK_TIME} to ${MAX_CLOCK_TIME}`, abort: true })
  .transform((time) => new Date(time).toISOString())

/** Converts euros in requests to cents. */
const eurosToCents = (number: z.ZodNumber) =>
  number
    .max(MAX_AMOUNT / 100, { error: `should be at most ${MAX_AMOUNT / 100}`, abort: true })
    .refine(isWholeCents, { error: 'should have at most two decimals', abort: true })
    .transform(fromEuros)

/** The amount of a payment, in euros. The output is in cents. */
export const positiveAmount = eurosToCents(
  z.number().gt(0, { error: 'should be greater than zero', abort: true }),
)

/** A fee or tax in euros, zero or more. The output is in cents. */
export const nonNegativeAmount = eurosToCents(
  z.number().min(0, { error: 'should not be below zero', abort: true }),
)

/** A whole number in a body. The error names its limits. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = `should be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`
  return z.int({ error }).min(least, { error }).max(most, { error })
}

export const waitMode = z.enum(['settled', 'accepted']).default('settled').meta({
  description: '`settled`: the answer waits until every webhook has settled. `accepted`: it comes at once.',
})

/** Restricts a list to one link. */
export const linkParam = z.string().optional().meta({
  description: 'Only entries of this link: its id, its `link_id`, `pay:<pay_id>`, or its pay link.',
})

/** Restricts a list to one account. */
export const accountParam = z
  .string()
  .optional()
  .meta({ description: 'Only entries of the account with this id.' })

export type WaitMode = z.output<typeof waitMode>
