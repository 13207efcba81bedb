import { Hono, type Context } from 'hono'
import { advanceClock } from '../../service/operations/clock/advance-clock.ts'
import type { ClockMove } from '../../service/operations/clock/clock-move.ts'
import { setClock, useRealClock } from '../../service/operations/clock/set-clock.ts'
import type { UnitOfWork } from '../../store/store.ts'
import type { ControlContext } from '../context.ts'
import { body } from '../requests/validators.ts'
import { presentClock, presentInvoice, presentRetry } from '../../contract/views.ts'
import { AdvanceClockBody, ClockSchema, SetClockBody } from '../../contract/schemas/clock.ts'
import { RetrySchema } from '../../contract/schemas/delivery.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { InvoiceSchema } from '../../contract/schemas/invoice.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ChangedClock = ClockSchema.extend({
  issued: readonlyList(InvoiceSchema).meta({ description: 'The invoices that were issued.' }),
  attempts: readonlyList(RetrySchema).meta({ description: 'The webhooks that were tried again.' }),
}).meta({ id: 'ChangedClock', description: 'The clock, and everything that fell due.' })

const responses = { 200: ChangedClock } as const

export function clockRoutes({ store, moveClock, baseUrl }: ControlContext) {
  /** Changes the clock. Responds when everything that fell due is done. */
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
        summary: 'Get the clock',
        description: 'Its time, whether it runs, and how far it is ahead of the machine.',
        responses: { 200: ClockSchema },
      }),
      (c) => c.json(presentClock(store.time())),
    )
    .put(
      '/',
      describeRoute({
        summary: 'Set the clock',
        description:
          'If the clock moves forward, everything that falls due is done before the answer. Setting it back undoes nothing: a month that was billed stays billed.',
        responses,
        errors: [409, 422],
      }),
      body(SetClockBody),
      async (c) => c.json(await change(c, (work) => setClock(work, c.req.valid('json')))),
    )
    .delete(
      '/',
      describeRoute({
        summary: "Go back to the machine's time",
        description:
          'The clock runs again. If it moves forward, everything that falls due is done before the answer.',
        responses,
        errors: [409],
      }),
      async (c) => c.json(await change(c, useRealClock)),
    )
    .post(
      '/advance',
      describeRoute({
        summary: 'Advance the clock',
        description:
          'Everything that falls due is done before the answer: invoices are issued, webhooks are tried again.',
        responses,
        errors: [409, 422],
      }),
      body(AdvanceClockBody),
      async (c) => {
        const { to, ...span } = c.req.valid('json')
        return c.json(await change(c, (work) => advanceClock(work, to === undefined ? span : { to })))
      },
    )
}
