import { Hono } from 'hono'
import { z } from 'zod'
import type { TaxInvoice } from '../domain/invoice.ts'
import { advanceClock } from '../operations/advance-clock.ts'
import { setClock, useRealClock } from '../operations/set-clock.ts'
import type { Work } from '../store/store.ts'
import type { ControlContext } from './context.ts'
import { body } from './input.ts'
import { presentClock, presentInvoice } from './present.ts'

const instant = z.iso.datetime({
  offset: true,
  error: 'should be an ISO 8601 time with its zone, like 2026-12-01T00:00:00+01:00',
})
const destination = z.union([z.literal('next-month'), instant], {
  error: 'should be an ISO 8601 time with its zone, or next-month',
})
const amount = z.int().min(0).max(1_000_000).optional()

const Setting = z
  .strictObject({ now: instant.optional(), mode: z.enum(['running', 'frozen']).optional() })
  .refine(({ now, mode }) => now !== undefined || mode !== undefined, {
    error: "should have now, mode or both. DELETE /_sandbox/v1/clock goes back to the machine's time.",
  })

const Advance = z
  .strictObject({ months: amount, days: amount, hours: amount, minutes: amount, to: destination.optional() })
  .refine(
    ({ to, ...span }) => (to !== undefined) !== Object.values(span).some((value) => value !== undefined),
    {
      error: 'should have to, or some of months, days, hours and minutes',
    },
  )

export function clockRoutes({ store }: ControlContext) {
  /** Answers once everything that fell due has happened. */
  const change = (verb: (work: Work) => Promise<TaxInvoice[]>) =>
    store.transact(async (work) => {
      const issued = await verb(work)
      return { ...presentClock(work), issued: issued.map(presentInvoice) }
    })

  return new Hono()
    .get('/', (c) => c.json(presentClock(store.time())))
    .put('/', body(Setting), async (c) => c.json(await change((work) => setClock(work, c.req.valid('json')))))
    .delete('/', async (c) => c.json(await change(useRealClock)))
    .post('/advance', body(Advance), async (c) => {
      const { to, ...span } = c.req.valid('json')
      return c.json(await change((work) => advanceClock(work, to === undefined ? span : { to })))
    })
}
