import { Hono } from 'hono'
import { z } from 'zod'
import { eventTypes } from '../../domain/events/event.ts'
import { pinEvent, unpinEvent } from '../../operations/state/pin-event.ts'
import * as events from '../../store/journal/events.ts'
import * as pins from '../../store/journal/pins.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { validateEventType } from '../waits/validate-match.ts'
import type { ControlContext } from '../context.ts'
import { accountParam, linkParam } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { findLink } from '../requests/find-link.ts'
import { limit, query, seq } from '../requests/input.ts'
import { presentEvent } from '../../contract/views.ts'
import { notFound } from '../requests/problem.ts'
import { EventSchema } from '../../contract/schemas/event.ts'
import { ExchangeSchema } from '../../contract/schemas/exchange.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Listing = z.strictObject({
  after: seq
    .optional()
    .meta({ description: 'Only events after this `seq`, the oldest first. Without it, the newest.' }),
  before: seq.optional().meta({ description: 'Only events before this `seq`.' }),
  type: z
    .string()
    .transform((types) => types.split(',').map(validateEventType))
    .optional()
    .meta({
      description: `Only events of these types, with commas between them: ${eventTypes.join(', ')}.`,
      examples: ['link.paid,link.cancelled'],
    }),
  account: accountParam,
  link: linkParam,
  limit: limit(100),
})

const path = { seq: z.string().meta({ description: 'Its place in the journal.', examples: ['7'] }) }

const Detail = z.intersection(
  EventSchema,
  z.object({
    exchange: ExchangeSchema.nullable(),
    pinned: z.boolean().meta({ description: 'Whether it stays in the journal, however many follow.' }),
  }),
)

export function eventRoutes({ store, baseUrl }: ControlContext) {
  const change = (number: string, apply: typeof pinEvent): Promise<void> =>
    store.transact(async (work) => apply(work, (await find(work.db, number)).event.seq))

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'Read the journal',
        description:
          'The newest events, or those after a `seq`. Each without the bytes, which `GET /events/{seq}` has.',
        answers: {
          200: z.object({
            events: readonlyList(EventSchema),
            head: z.int().meta({ description: 'The last `seq` there is.' }),
          }),
        },
        problems: [404],
      }),
      query(Listing),
      async (c) => {
        const { after, before, type, account: accountId, link: ref, limit: most } = c.req.valid('query')
        await assertAccountExists(store.db, accountId)
        const filter: events.EventFilter = {
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
      describeRoute({
        summary: 'Get an event',
        description: 'With the bytes of both sides, where it is about a request.',
        path,
        answers: { 200: Detail },
        problems: [404],
      }),
      async (c) => {
        const { event, exchange } = await find(store.db, c.req.param('seq'))
        const pinned = await pins.has(store.db, event.seq)
        return c.json({ ...presentEvent(event, baseUrl(c)), exchange, pinned })
      },
    )
    .put(
      '/:seq/pin',
      describeRoute({
        summary: 'Pin an event',
        description: 'It stays in the journal, however many follow, until it is unpinned.',
        path,
        answers: { 204: null },
        problems: [404],
      }),
      async (c) => {
        await change(c.req.param('seq'), pinEvent)
        return c.body(null, 204)
      },
    )
    .delete(
      '/:seq/pin',
      describeRoute({
        summary: 'Unpin an event',
        description: 'It leaves the journal again when it is old enough.',
        path,
        answers: { 204: null },
        problems: [404],
      }),
      async (c) => {
        await change(c.req.param('seq'), unpinEvent)
        return c.body(null, 204)
      },
    )
}

async function find(db: UnitOfWork['db'], number: string): Promise<events.EventWithBytes> {
  const found = /^\d{1,15}$/.test(number) ? await events.find(db, Number(number)) : undefined
  if (found) return found
  const { oldest } = await events.range(db)
  const older =
    Number(number) > 0 && Number(number) < oldest ? ` What it still has begins with ${oldest}.` : ''
  throw notFound(`There is no event ${number} in this journal.${older}`)
}
