import { Hono } from 'hono'
import { z } from 'zod'
import { eventTypes } from '../domain/events.ts'
import * as events from '../store/events.ts'
import { acceptType } from './accept-match.ts'
import type { ControlContext } from './context.ts'
import { account, link } from './fields.ts'
import { acceptAccount } from './find-account.ts'
import { findLink } from './find-link.ts'
import { limit, query, seq } from './input.ts'
import { presentEvent } from './present.ts'
import { notFound } from './problem.ts'
import { EventShape } from './shapes/event.ts'
import { ExchangeShape } from './shapes/exchange.ts'
import { list } from './shapes/fields.ts'
import { tell } from './tell.ts'

const Listing = z.strictObject({
  after: seq
    .optional()
    .meta({ description: 'Only events after this `seq`, the oldest first. Without it, the newest.' }),
  before: seq.optional().meta({ description: 'Only events before this `seq`.' }),
  type: z
    .string()
    .transform((types) => types.split(',').map(acceptType))
    .optional()
    .meta({
      description: `Only events of these types, with commas between them: ${eventTypes.join(', ')}.`,
      examples: ['link.paid,link.cancelled'],
    }),
  account,
  link,
  limit: limit(100),
})

export const eventRoutes = ({ store, baseUrl }: ControlContext) =>
  new Hono()
    .get(
      '/',
      tell({
        summary: 'Read the journal',
        answers: {
          200: z.object({
            events: list(EventShape),
            head: z.int().meta({ description: 'The last `seq` there is.' }),
          }),
        },
        problems: [404],
      }),
      query(Listing),
      async (c) => {
        const { after, before, type, account: accountId, link: ref, limit: most } = c.req.valid('query')
        await acceptAccount(store.db, accountId)
        const filter: events.Filter = {
          ...(after === undefined ? {} : { after }),
          ...(before === undefined ? {} : { before }),
          ...(type === undefined ? {} : { types: type }),
          ...(accountId === undefined ? {} : { accountId }),
          ...(ref === undefined ? {} : { linkId: (await findLink(store.db, ref)).id }),
        }
        // Going on from a place reads forwards; without one the newest are wanted.
        const read = after === undefined ? events.newest : events.list
        const found = await read(store.db, filter, most)
        const { head } = await events.range(store.db)
        return c.json({ events: found.map((event) => presentEvent(event, baseUrl(c))), head })
      },
    )
    .get(
      '/:seq',
      tell({
        summary: 'Get an event',
        description: 'With the bytes of both sides, where it is about a request.',
        path: { seq: z.string().meta({ description: 'Its place in the journal.', examples: ['7'] }) },
        answers: { 200: z.intersection(EventShape, z.object({ exchange: ExchangeShape.nullable() })) },
        problems: [404],
      }),
      async (c) => {
        const number = c.req.param('seq')
        const found = /^\d{1,15}$/.test(number) ? await events.find(store.db, Number(number)) : undefined
        if (!found) throw notFound(`There is no event ${number} in this journal.`)
        return c.json({ ...presentEvent(found.event, baseUrl(c)), exchange: found.exchange })
      },
    )
