import { z } from 'zod'
import { parseHostPattern } from '../../domain/network/allowed-host.ts'
import { MIN_CLOCK_TIME, isInClockRange, MAX_CLOCK_TIME } from '../../domain/time/clock.ts'
import { MAX_AMOUNT, fromEuros, isWholeCents } from '../../domain/money/money.ts'
import { validateUrl } from '../../domain/network/urls.ts'

/** Text that can be stored and sent as UTF-8. */
export const unicodeText = z
  .string()
  .refine((value) => value.isWellFormed(), { error: 'is not valid Unicode' })

/** Text against which nothing may speak. `ofList` is for whoever gives a list in its place. */
export const validatedText = (validate: (text: string) => string | null, listError?: string) =>
  z
    .string({ error: ({ input }) => (Array.isArray(input) ? listError : undefined) })
    .refine((value) => validate(value) === null, {
      error: ({ input }) => validate(String(input))!,
      abort: true,
    })

export const httpUrl = validatedText(validateUrl)

/** A host in whatever notation, as it is compared. `*.` and a domain is one too. */
export const hostPattern = (error: string) =>
  z.string({ error }).transform((given, { addIssue }) => {
    const pattern = parseHostPattern(given)
    if (pattern !== null) return pattern
    addIssue({ code: 'custom', message: error })
    return z.NEVER
  })

export const isoDateTime = z.iso.datetime({
  offset: true,
  error: 'should be an ISO 8601 time with its zone, like 2026-12-01T00:00:00+01:00',
})

/** A moment that something happened at, as records keep it. */
export const utcInstant = isoDateTime
  .refine(isInClockRange, { error: `should be from ${MIN_CLOCK_TIME} to ${MAX_CLOCK_TIME}`, abort: true })
  .transform((time) => new Date(time).toISOString())

/** Euros at the edge, cents inside. */
const eurosToCents = (number: z.ZodNumber) =>
  number
    .max(MAX_AMOUNT / 100, { error: `should be at most ${MAX_AMOUNT / 100}`, abort: true })
    .refine(isWholeCents, { error: 'should have at most two decimals', abort: true })
    .transform(fromEuros)

/** What is paid: there is no payment of nothing. */
export const positiveAmount = eurosToCents(
  z.number().gt(0, { error: 'should be greater than zero', abort: true }),
)

/** What is charged, which may be nothing. */
export const nonNegativeAmount = eurosToCents(
  z.number().min(0, { error: 'should not be below zero', abort: true }),
)

/** Whether an answer waits until its webhooks have settled, or comes once they are accepted. */
export const waitMode = z.enum(['settled', 'accepted']).default('settled').meta({
  description:
    'Whether the answer waits until every webhook has settled, or comes as soon as it is accepted.',
})

/** Narrows a list down to one link. */
export const linkParam = z.string().optional().meta({
  description: 'Only what is about this link: its id, its `link_id`, `pay:<pay_id>`, or its pay link.',
})

/** Narrows a list down to one account. */
export const accountParam = z
  .string()
  .optional()
  .meta({ description: 'Only what is of the account with this id.' })

export type WaitMode = z.output<typeof waitMode>
