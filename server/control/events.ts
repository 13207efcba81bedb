import { Hono } from 'hono'
import { z } from 'zod'
import * as events from '../store/events.ts'
import { acceptType } from './accept-match.ts'
import type { ControlContext } from './context.ts'
import { findLink } from './find-link.ts'
import { limit, query, seq } from './input.ts'
import { presentEvent } from './present.ts'
import { notFound } from './problem.ts'

const Listing = z.strictObject({
  after: seq.optional(),
  before: seq.optional(),
  type: z
    .string()
    .transform((types) => types.split(',').map(acceptType))
    .optional(),
  account: z.string().optional(),
  link: z.string().optional(),
  limit: limit(100),
})

export const eventRoutes = ({ store, baseUrl }: ControlContext) =>
  new Hono()
    .get('/', query(Listing), async (c) => {
      const { after, before, type, account, link, limit: most } = c.req.valid('query')
      const filter: events.Filter = {
        ...(after === undefined ? {} : { after }),
        ...(before === undefined ? {} : { before }),
        ...(type === undefined ? {} : { types: type }),
        ...(account === undefined ? {} : { accountId: account }),
        ...(link === undefined ? {} : { linkId: (await findLink(store.db, link)).id }),
      }
      // Going on from a place reads forwards; without one the newest are wanted.
      const read = after === undefined ? events.newest : events.list
      const found = await read(store.db, filter, most)
      const { head } = await events.range(store.db)
      return c.json({ events: found.map((event) => presentEvent(event, baseUrl(c))), head })
    })
    .get('/:seq', async (c) => {
      const number = c.req.param('seq')
      const found = /^\d{1,15}$/.test(number) ? await events.find(store.db, Number(number)) : undefined
      if (!found) throw notFound(`There is no event ${number} in this journal.`)
      return c.json({ ...presentEvent(found.event, baseUrl(c)), exchange: found.exchange })
    })
