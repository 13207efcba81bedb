import { Hono } from 'hono'
import { z } from 'zod'
import { eventTypes } from '../../domain/events/event-fields.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import * as events from '../../store/journal/events.ts'
import { searchBodies } from '../../store/journal/search-bodies.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { validateEventType } from '../waits/validate-match.ts'
import type { ControlContext } from '../context.ts'
import { accountParam, linkParam } from '../../contract/schemas/request-fields.ts'
import { accountFilter } from '../requests/find-account.ts'
import { linkFilter } from '../requests/find-link.ts'
import { limit, parseId, seq } from '../requests/query-params.ts'
import { query } from '../requests/validators.ts'
import { presentEvent } from '../../contract/views.ts'
import { notFound } from '../requests/problem.ts'
import { EventSchema } from '../../contract/schemas/event.ts'
import { ExchangeSchema } from '../../contract/schemas/exchange.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ListQuery = z.strictObject({
  after: seq
    .optional()
    .meta({ description: 'Only events after this `seq`, oldest first. Without it, the newest.' }),
  before: seq.optional().meta({ description: 'Only events before this `seq`.' }),
  type: z
    .string()
    .transform((types) => types.split(',').map(validateEventType))
    .optional()
    .meta({
      description: `Only events of these types, separated by commas: ${eventTypes.join(', ')}.`,
      examples: ['link.paid,link.cancelled'],
    }),
  account: accountParam,
  link: linkParam,
  limit: limit(100),
})

const SearchQuery = z.strictObject({
  body: z
    .string()
    .min(1, { error: 'should be the text to search for' })
    .max(200, { error: 'should have at most 200 characters' })
    .meta({ description: 'The text. Case and the encoding of forms and JSON do not matter.' }),
  after: seq.default(0).meta({ description: 'Only events after this `seq`.' }),
  before: seq.optional().meta({ description: 'Only events before this `seq`: the `next` of the last page.' }),
  limit: limit(100),
})

const SearchPage = z.object({
  events: readonlyList(EventSchema),
  from: z.int().meta({ description: 'The `seq` of the oldest event whose bodies were searched.' }),
  to: z.int().meta({ description: 'The `seq` of the newest one.' }),
  next: z.int().nullable().meta({ description: 'Pass it as `before` for older events. Null at the end.' }),
})

const params = {
  seq: z.string().meta({ description: 'The number of the event in the journal.', examples: ['7'] }),
}

const EventDetails = z.intersection(
  EventSchema,
  z.object({
    exchange: ExchangeSchema.nullable(),
  }),
)

export function eventRoutes({ store, baseUrl }: ControlContext) {
  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List events',
        description:
          'The newest events, or those after a `seq`. `GET /events/{seq}` adds the bytes of request and response.',
        responses: {
          200: z.object({
            events: readonlyList(EventSchema),
            head: z.int().meta({ description: 'The `seq` of the newest event.' }),
          }),
        },
        errors: [404],
      }),
      query(ListQuery),
      async (c) => {
        const { after, before, type, account, link, limit: most } = c.req.valid('query')
        const filter = {
          ...(await accountFilter(store.db, account)),
          ...(await linkFilter(store.db, link)),
          ...omitUndefined({ after, before, types: type }),
        }
        const list = after === undefined ? events.newest : events.list
        const matches = await list(store.db, filter, most)
        const { head } = await events.range(store.db)
        return c.json({ events: matches.map((event) => presentEvent(event, baseUrl(c))), head })
      },
    )
    .get(
      '/search',
      describeRoute({
        summary: 'Search bodies',
        description:
          'The events whose request or response body contains a text, newest first. A page ends after a fraction of a second: follow `next`, even if a page is empty. Only the stored part of a body is searched.',
        responses: { 200: SearchPage },
      }),
      query(SearchQuery),
      async (c) => {
        const { body: text, after, before, limit: most } = c.req.valid('query')
        const { oldest, head } = await events.range(store.db)
        const end = before === undefined ? head + 1 : Math.min(before, head + 1)
        const { signal } = c.req.raw
        const search = { text, after, before: end, limit: most, signal }
        const { found, next } = await searchBodies(store.db, search)
        return c.json({
          events: found.map((event) => presentEvent(event, baseUrl(c))),
          from: next ?? Math.max(oldest, after + 1),
          to: end - 1,
          next,
        })
      },
    )
    .get(
      '/:seq',
      describeRoute({
        summary: 'Get an event',
        description: 'With the bytes of request and response, if the event has them.',
        params,
        responses: { 200: EventDetails },
        errors: [404],
      }),
      async (c) => {
        const { event, exchange } = await find(store.db, c.req.param('seq'))
        return c.json({ ...presentEvent(event, baseUrl(c)), exchange })
      },
    )
}

async function find(db: UnitOfWork['db'], text: string): Promise<events.EventWithBytes> {
  const number = parseId(text)
  const event = number === undefined ? undefined : await events.find(db, number)
  if (event) return event
  const { oldest } = await events.range(db)
  const isDeleted = number !== undefined && number > 0 && number < oldest
  const hint = isDeleted ? ` The oldest that it keeps is ${oldest}.` : ''
  throw notFound(`There is no event ${text} in this journal.${hint}`)
}
