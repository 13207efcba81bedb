import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { advanceClock } from '../../operations/clock/advance-clock.ts'
import type { ClockMove } from '../../operations/clock/clock-move.ts'
import { setClock, useRealClock } from '../../operations/clock/set-clock.ts'
import type { UnitOfWork } from '../../store/store.ts'
import type { ControlContext } from '../context.ts'
import { isoDateTime } from '../../contract/schemas/request-fields.ts'
import { body } from '../requests/input.ts'
import { presentClock, presentInvoice, presentRetry } from '../../contract/views.ts'
import { clockMode, ClockSchema } from '../../contract/schemas/clock.ts'
import { RetrySchema } from '../../contract/schemas/delivery.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { InvoiceSchema } from '../../contract/schemas/invoice.ts'
import { describeRoute } from '../requests/describe-route.ts'

const destination = z.union([z.literal('next-month'), isoDateTime], {
  error: 'should be an ISO 8601 time with its zone, or next-month',
})
const amount = (unit: string) =>
  z
    .int({ error: 'should be a whole number from 0 to 1000000' })
    .min(0)
    .max(1_000_000)
    .optional()
    .meta({ description: `How many ${unit}.` })

const Setting = z
  .strictObject({
    now: isoDateTime.optional().meta({ description: 'What the clock is to show.' }),
    mode: clockMode.optional().meta({ description: 'Whether it runs on from there or stands still.' }),
  })
  .refine(({ now, mode }) => now !== undefined || mode !== undefined, {
    error: "should have now, mode or both. DELETE /_sandbox/v1/clock goes back to the machine's time.",
  })
  .meta({ examples: [{ now: '2026-12-31T23:59:59+01:00', mode: 'frozen' }] })

const Advance = z
  .strictObject({
    months: amount('months, by the calendar of Berlin'),
    days: amount('days'),
    hours: amount('hours'),
    minutes: amount('minutes'),
    seconds: amount('seconds'),
    to: destination.optional().meta({ description: 'Until when, instead.' }),
  })
  .refine(
    ({ to, ...span }) => (to !== undefined) !== Object.values(span).some((value) => value !== undefined),
    {
      error: 'should have to, or some of months, days, hours, minutes and seconds',
    },
  )
  .meta({ examples: [{ months: 1 }] })

const Changed = ClockSchema.extend({
  issued: readonlyList(InvoiceSchema).meta({ description: 'The invoices that fell due.' }),
  attempts: readonlyList(RetrySchema).meta({
    description: 'The further attempts of webhooks that fell due.',
  }),
}).meta({ id: 'ChangedClock', description: 'The clock, once all that fell due has happened.' })

const changed = { answers: { 200: Changed } } as const

export function clockRoutes({ store, moveClock, baseUrl }: ControlContext) {
  /** Answers once everything that fell due has happened. */
  async function change(c: Context, begin: (work: UnitOfWork) => Promise<ClockMove>) {
    const { time, issued, attempts } = await moveClock(begin)
    return {
      ...presentClock(time),
      issued: issued.map(presentInvoice),
      attempts: attempts.map((attempt) => presentRetry(attempt, baseUrl(c))),
    }
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'Read the clock',
        description: 'What it shows, whether it runs, and how far ahead of the machine it is.',
        answers: { 200: ClockSchema },
      }),
      (c) => c.json(presentClock(store.time())),
    )
    .put(
      '/',
      describeRoute({
        summary: 'Set the clock',
        description: 'If it goes forward, everything that falls due on the way happens before the answer.',
        ...changed,
        problems: [409, 422],
      }),
      body(Setting),
      async (c) => c.json(await change(c, (work) => setClock(work, c.req.valid('json')))),
    )
    .delete(
      '/',
      describeRoute({
        summary: "Go back to the machine's time",
        description:
          'The clock runs again. If that is forward, what falls due on the way happens before the answer.',
        ...changed,
        problems: [409],
      }),
      async (c) => c.json(await change(c, useRealClock)),
    )
    .post(
      '/advance',
      describeRoute({
        summary: 'Let time pass',
        description:
          'Everything that falls due on the way happens before the answer: invoices are issued, webhooks are tried again.',
        ...changed,
        problems: [409, 422],
      }),
      body(Advance),
      async (c) => {
        const { to, ...span } = c.req.valid('json')
        return c.json(await change(c, (work) => advanceClock(work, to === undefined ? span : { to })))
      },
    )
}
