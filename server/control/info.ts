import { Hono } from 'hono'
import { z } from 'zod'
import { berlinTime, berlinZone } from '../domain/time.ts'
import { reset } from '../operations/reset.ts'
import * as behaviors from '../store/behaviors.ts'
import * as counts from '../store/counts.ts'
import * as epoch from '../store/epoch.ts'
import * as events from '../store/events.ts'
import * as invoices from '../store/invoices.ts'
import type { ControlContext } from './context.ts'
import { body, query } from './input.ts'
import { presentInvoice } from './present.ts'

const Listing = z.strictObject({ account: z.string().optional() })
const Reset = z.strictObject({ to: z.enum(['seed', 'empty']).default('seed') })

export const infoRoutes = ({ store, seed, version, baseUrl, allowedHosts }: ControlContext) =>
  new Hono()
    .get('/info', async (c) => {
      const now = store.now()
      return c.json({
        version,
        url: baseUrl(c),
        epoch: await epoch.current(store.db),
        clock: { now: now.toISOString(), serverTime: berlinTime(now), zone: berlinZone(now) },
        counts: await counts.all(store.db),
        journal: await events.range(store.db),
        allowedHosts,
        behaviors: await behaviors.settings(store.db),
      })
    })
    .get('/invoices', query(Listing), async (c) => {
      const found = await invoices.list(store.db, c.req.valid('query').account)
      return c.json({ invoices: found.map(presentInvoice) })
    })
    .post('/reset', body(Reset), async (c) => {
      const { to } = c.req.valid('json')
      await store.transact((work) => reset(work, to, seed))
      return c.json({ to, epoch: await epoch.current(store.db) })
    })
