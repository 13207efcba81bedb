import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { advanceClock } from '../operations/advance-clock.ts'
import type { ClockMove } from '../operations/clock-move.ts'
import { setClock, useRealClock } from '../operations/set-clock.ts'
import type { Work } from '../store/store.ts'
import type { ControlContext } from './context.ts'
import { instant } from './fields.ts'
import { body } from './input.ts'
import { presentClock, presentInvoice, presentRetry } from './present.ts'

const destination = z.union([z.literal('next-month'), instant], {
  error: 'should be an ISO 8601 time with its zone, or next-month',
})
const amount = z.int({ error: 'should be a whole number from 0 to 1000000' }).min(0).max(1_000_000).optional()

const Setting = z
  .strictObject({ now: instant.optional(), mode: z.enum(['running', 'frozen']).optional() })
  .refine(({ now, mode }) => now !== undefined || mode !== undefined, {
    error: "should have now, mode or both. DELETE /_sandbox/v1/clock goes back to the machine's time.",
  })

const Advance = z
  .strictObject({
    months: amount,
    days: amount,
    hours: amount,
    minutes: amount,
    seconds: amount,
    to: destination.optional(),
  })
  .refine(
    ({ to, ...span }) => (to !== undefined) !== Object.values(span).some((value) => value !== undefined),
    {
      error: 'should have to, or some of months, days, hours, minutes and seconds',
    },
  )

export function clockRoutes({ store, moveClock, baseUrl }: ControlContext) {
  /** Answers once everything that fell due has happened. */
  async function change(c: Context, begin: (work: Work) => Promise<ClockMove>) {
    const { time, issued, attempts } = await moveClock(begin)
    return {
      ...presentClock(time),
      issued: issued.map(presentInvoice),
      attempts: attempts.map((attempt) => presentRetry(attempt, baseUrl(c))),
    }
  }

  return new Hono()
    .get('/', (c) => c.json(presentClock(store.time())))
    .put('/', body(Setting), async (c) =>
      c.json(await change(c, (work) => setClock(work, c.req.valid('json')))),
    )
    .delete('/', async (c) => c.json(await change(c, useRealClock)))
    .post('/advance', body(Advance), async (c) => {
      const { to, ...span } = c.req.valid('json')
      return c.json(await change(c, (work) => advanceClock(work, to === undefined ? span : { to })))
    })
}
