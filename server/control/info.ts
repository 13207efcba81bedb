import { Hono } from 'hono'
import { z } from 'zod'
import * as behaviors from '../store/behaviors.ts'
import * as counts from '../store/counts.ts'
import * as epoch from '../store/epoch.ts'
import * as events from '../store/events.ts'
import * as invoices from '../store/invoices.ts'
import type { ControlContext } from './context.ts'
import { query } from './input.ts'
import { presentClock, presentInvoice } from './present.ts'

const Listing = z.strictObject({ account: z.string().optional() })

export const infoRoutes = ({ store, version, baseUrl, allowedHosts }: ControlContext) =>
  new Hono()
    .get('/info', async (c) => {
      return c.json({
        version,
        url: baseUrl(c),
        epoch: await epoch.current(store.db),
        clock: presentClock(store.time()),
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
