import { Hono } from 'hono'
import { z } from 'zod'
import { eventTypes, type EventType } from '../domain/events.ts'
import * as events from '../store/events.ts'
import type { ControlContext } from './context.ts'
import { findLink } from './find-link.ts'
import { body, hint, limit, query, seq } from './input.ts'
import { presentEvent } from './present.ts'
import { notFound, Problem } from './problem.ts'
import { waitForEvents } from './wait-for-events.ts'

function acceptType(name: string): EventType {
  const type = eventTypes.find((known) => known === name)
  if (type !== undefined) return type
  const types = `The types are ${eventTypes.join(', ')}.`
  throw new Problem(
    400,
    'Not valid',
    `There is no event type ${name}${hint(name, eventTypes) || '.'} ${types}`,
  )
}

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

const Wish = z.strictObject({
  match: z.record(z.string(), z.unknown()).default({}),
  count: z.int().min(1).max(1000).default(1),
  after: z.int().min(0).default(0),
  timeoutMs: z.int().min(0).max(60_000).default(5_000),
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
    .post('/wait', body(Wish), async (c) => {
      const wish = c.req.valid('json')
      if (Object.keys(wish.match).length === 0) {
        throw new Problem(
          400,
          'Not valid',
          'match is empty and would match anything. Name at least a type, like {"match":{"type":"link.paid"}}.',
        )
      }
      if (typeof wish.match.type === 'string') acceptType(wish.match.type)
      const present = (event: Parameters<typeof presentEvent>[0]) => presentEvent(event, baseUrl(c))
      const answer = await waitForEvents(store, { ...wish, present }, c.req.raw.signal)
      if ('found' in answer) return c.json({ events: answer.found })

      const what = wish.count === 1 ? 'No event' : `Fewer than ${wish.count} events`
      throw new Problem(
        408,
        'Not seen in time',
        `${what} matched ${JSON.stringify(wish.match)} within ${wish.timeoutMs} ms. The nearest are listed with what differed.`,
        { nearest: answer.nearest },
      )
    })
