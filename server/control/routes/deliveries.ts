import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { listHeldHosts, releaseAllTo, releaseDelivery } from '../../operations/webhooks/release-delivery.ts'
import { replayDelivery } from '../../operations/webhooks/replay-delivery.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../store/store.ts'
import type { ControlContext } from '../context.ts'
import {
  accountParam,
  hostPattern,
  httpUrl,
  unicodeText,
  waitMode,
  type WaitMode,
} from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { body, limit, query, seq } from '../requests/input.ts'
import { unknownItemNotes } from '../requests/unknown-items.ts'
import { notFound } from '../requests/problem.ts'
import { awaitDeliveries, withEpoch } from '../waits/await-deliveries.ts'
import { DeliverySchema, deliveryState } from '../../contract/schemas/delivery.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { ruleWarnings, releasedCount } from '../../contract/schemas/map.ts'
import { presentDeliveries } from '../present-deliveries.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Replay = z.strictObject({
  to: httpUrl.optional().meta({ description: 'Where to send it instead.' }),
  body: unicodeText.optional().meta({ description: 'What to send instead.' }),
  wait: waitMode,
})
const Release = z.strictObject({ wait: waitMode })
const ONE_HOST = 'should be a host like shop.example.com, without scheme, port and path'
const ReleaseAll = z.strictObject({
  host: hostPattern(ONE_HOST)
    .refine((host) => !host.startsWith('*.'), { error: ONE_HOST })
    .meta({
      description: 'The host that they are held for.',
      examples: ['shop.example.com'],
    }),
  account: accountParam,
})
const Listing = z.strictObject({
  account: accountParam,
  link: seq.optional().meta({ description: 'Only those of the link with this id.' }),
  state: deliveryState.optional().meta({ description: 'Only those in this state.' }),
  limit: limit(100),
})

const path = { id: z.string().meta({ description: 'The id of the delivery.', examples: ['1'] }) }

export function deliveryRoutes({ store, baseUrl }: ControlContext) {
  async function existing(db: typeof store.db, id: string): Promise<Delivery> {
    const delivery = /^\d{1,15}$/.test(id) ? await deliveries.find(db, Number(id)) : undefined
    if (!delivery) throw notFound(`There is no delivery ${id}. GET /_sandbox/v1/deliveries lists them.`)
    return delivery
  }

  /** Sends something on its way, and shows it once it has settled or been accepted. */
  async function conclude(c: Context, until: WaitMode, verb: (work: UnitOfWork) => Promise<Delivery>) {
    const sent = await store.transact(async (work) => withEpoch(work, [await verb(work)]))
    const then = await awaitDeliveries(store, sent, until, c.req.raw.signal)
    const [shown] = await presentDeliveries(store.db, then, baseUrl(c))
    return shown!
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List deliveries',
        description: 'Newest first.',
        answers: { 200: z.object({ deliveries: readonlyList(DeliverySchema) }) },
        problems: [404],
      }),
      query(Listing),
      async (c) => {
        const { account: accountId, link, state, limit: most } = c.req.valid('query')
        await assertAccountExists(store.db, accountId)
        const found = await deliveries.list(
          store.db,
          {
            ...(accountId === undefined ? {} : { accountId }),
            ...(link === undefined ? {} : { linkId: link }),
            ...(state === undefined ? {} : { state }),
          },
          most,
        )
        return c.json({ deliveries: await presentDeliveries(store.db, found, baseUrl(c)) })
      },
    )
    .get(
      '/:id',
      describeRoute({
        summary: 'Get a delivery',
        description: 'With the bytes of every attempt.',
        path,
        answers: { 200: DeliverySchema },
        problems: [404],
      }),
      async (c) => {
        const delivery = await existing(store.db, c.req.param('id'))
        const [shown] = await presentDeliveries(store.db, [delivery], baseUrl(c), true)
        return c.json(shown!)
      },
    )
    .post(
      '/:id/replay',
      describeRoute({
        summary: 'Send a webhook again',
        description: 'The same bytes to the same target, but for what is given.',
        path,
        answers: { 201: DeliverySchema },
        problems: [404],
      }),
      body(Replay),
      async (c) => {
        const { wait: until, ...changes } = c.req.valid('json')
        const replay = async (work: UnitOfWork) =>
          replayDelivery(work, await existing(work.db, c.req.param('id')), changes)
        return c.json(await conclude(c, until, replay), 201)
      },
    )
    .post(
      '/release',
      describeRoute({
        summary: 'Let out everything that is held for a host',
        description: 'This once. `PUT /allowed-hosts` does it for good.',
        answers: { 200: z.object({ released: releasedCount, notes: ruleWarnings }) },
        problems: [404],
      }),
      body(ReleaseAll),
      async (c) => {
        const { host, account: accountId } = c.req.valid('json')
        await assertAccountExists(store.db, accountId)
        return c.json(
          await store.transact(async (work) => {
            const held = await listHeldHosts(work, accountId)
            return {
              released: await releaseAllTo(work, host, accountId),
              notes: unknownItemNotes([host], held, (name) => `Nothing is held for ${name}.`),
            }
          }),
        )
      },
    )
    .post(
      '/:id/release',
      describeRoute({
        summary: 'Let a held webhook out',
        description: 'This once. 409 if it is not held.',
        path,
        answers: { 200: DeliverySchema },
        problems: [404, 409],
      }),
      body(Release),
      async (c) => {
        const release = async (work: UnitOfWork) =>
          releaseDelivery(work, await existing(work.db, c.req.param('id')))
        return c.json(await conclude(c, c.req.valid('json').wait, release))
      },
    )
}
