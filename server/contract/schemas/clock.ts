import { z } from 'zod'
import type { ClockView } from '../views.ts'
import { instant, schemaFor } from './fields.ts'
import { isoDateTime, wholeNumber } from './request-fields.ts'

export const clockMode = z.enum(['running', 'frozen'])

export const ClockSchema = schemaFor<ClockView>()(
  z
    .object({
      now: instant.meta({ description: 'The current time of the clock.' }),
      mode: clockMode,
      offsetMs: z.number().meta({ description: "How many milliseconds it is ahead of the machine's clock." }),
      serverTime: z
        .string()
        .meta({ description: 'The same time in the Berlin time zone, in the format of the service.' }),
      zone: z.string().meta({ description: 'The time zone: `CET` or `CEST`.' }),
    })
    .meta({ id: 'Clock', description: "The sandbox's clock." }),
)

export const SetClockBody = z
  .strictObject({
    now: isoDateTime.optional().meta({ description: 'The new time.' }),
    mode: clockMode.optional().meta({ description: 'Whether the clock runs or is frozen.' }),
  })
  .refine(({ now, mode }) => now !== undefined || mode !== undefined, {
    error: "should have now, mode or both. DELETE /_sandbox/v1/clock goes back to the machine's time.",
  })
  .meta({ examples: [{ now: '2026-12-31T23:59:59+01:00', mode: 'frozen' }] })

const amountOf = (unit: string) =>
  wholeNumber(0, 1_000_000)
    .optional()
    .meta({ description: `How many ${unit}.` })

export const AdvanceClockBody = z
  .strictObject({
    months: amountOf('months, by the calendar of Berlin'),
    days: amountOf('days'),
    hours: amountOf('hours'),
    minutes: amountOf('minutes'),
    seconds: amountOf('seconds'),
    to: z
      .union([z.literal('next-month'), isoDateTime], {
        error: 'should be an ISO 8601 time with a time zone, or next-month',
      })
      .optional()
      .meta({ description: 'The time to advance to, instead of an amount.' }),
  })
  .refine(
    ({ to, ...span }) => (to !== undefined) !== Object.values(span).some((value) => value !== undefined),
    { error: 'should have either to, or one or more of months, days, hours, minutes and seconds' },
  )
  .meta({ examples: [{ months: 1 }] })
