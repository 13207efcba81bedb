import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { listHeldHosts, allowAllTo, allowDelivery } from '../../service/operations/webhooks/allow-delivery.ts'
import { replayDelivery } from '../../service/operations/webhooks/replay-delivery.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../store/store.ts'
import type { ControlContext } from '../context.ts'
import { accountParam, hostPattern, waitMode, type WaitMode } from '../../contract/schemas/request-fields.ts'
import { accountFilter, assertAccountExists } from '../requests/find-account.ts'
import { flag, limit, parseId, seq } from '../requests/query-params.ts'
import { body, query } from '../requests/validators.ts'
import { unknownItemNotes } from '../requests/unknown-items.ts'
import { unknownId } from '../requests/problem.ts'
import { presentInMode } from '../waits/await-deliveries.ts'
import { withEpoch } from '../../store/await-settled.ts'
import { DeliverySchema, deliveryState, ReplayBody } from '../../contract/schemas/delivery.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { ruleWarnings, allowedCount } from '../../contract/schemas/map.ts'
import { presentDeliveries } from '../present-deliveries.ts'
import { describeRoute } from '../requests/describe-route.ts'

const AllowBody = z.strictObject({ wait: waitMode })

const ONE_HOST = 'should be a host like shop.example.com, without scheme, port and path'
const AllowAllBody = z.strictObject({
  host: hostPattern(ONE_HOST)
    .refine((host) => !host.startsWith('*.'), { error: ONE_HOST })
    .meta({ description: 'The host that the webhooks go to.', examples: ['shop.example.com'] }),
  account: accountParam,
})

const ListQuery = z.strictObject({
  account: accountParam,
  link: seq.optional().meta({ description: 'Only deliveries of the link with this id.' }),
  state: deliveryState.optional().meta({ description: 'Only deliveries in this state.' }),
  stored: flag.meta({
    description: 'Only deliveries that a tunnel stores, because no listener has fetched them.',
  }),
  before: seq.optional().meta({ description: 'Only deliveries with a smaller id, to read the next page.' }),
  limit: limit(100),
})

const params = { id: z.string().meta({ description: 'The id of the delivery.', examples: ['1'] }) }

export function deliveryRoutes({ store, baseUrl }: ControlContext) {
  async function find(db: typeof store.db, text: string): Promise<Delivery> {
    const id = parseId(text)
    const delivery = id === undefined ? undefined : await deliveries.find(db, id)
    if (!delivery) throw unknownId('delivery', text, 'GET /deliveries')
    return delivery
  }

  /** Queues a webhook. Responds with its delivery, either at once or when it has settled. */
  async function send(c: Context, wait: WaitMode, enqueue: (work: UnitOfWork) => Promise<Delivery>) {
    const options = { baseUrl: baseUrl(c), signal: c.req.raw.signal }
    const sent = await store.transact(async (work) => {
      const delivery = await enqueue(work)
      return {
        queued: await withEpoch(work, [delivery]),
        views: await presentDeliveries(work.db, [delivery], options.baseUrl),
      }
    })
    const [presented] = await presentInMode(store, sent, wait, options)
    return presented!
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List deliveries',
        description: 'Newest first.',
        responses: { 200: z.object({ deliveries: readonlyList(DeliverySchema) }) },
        errors: [404],
      }),
      query(ListQuery),
      async (c) => {
        const { account, link, state, stored, before, limit: most } = c.req.valid('query')
        const filter = {
          ...(await accountFilter(store.db, account)),
          ...omitUndefined({ linkId: link, state, before }),
          stored,
        }
        const matches = await deliveries.list(store.db, filter, most)
        return c.json({ deliveries: await presentDeliveries(store.db, matches, baseUrl(c)) })
      },
    )
    .get(
      '/:id',
      describeRoute({
        summary: 'Get a delivery',
        description: 'With the bytes of every attempt.',
        params,
        responses: { 200: DeliverySchema },
        errors: [404],
      }),
      async (c) => {
        const delivery = await find(store.db, c.req.param('id'))
        const [presented] = await presentDeliveries(store.db, [delivery], baseUrl(c), true)
        return c.json(presented!)
      },
    )
    .post(
      '/:id/replay',
      describeRoute({
        summary: 'Send a webhook again',
        description: 'Sends the same body to the same target, unless the request gives others.',
        params,
        responses: { 201: DeliverySchema },
        errors: [404],
      }),
      body(ReplayBody),
      async (c) => {
        const { wait, ...changes } = c.req.valid('json')
        const replay = async (work: UnitOfWork) =>
          replayDelivery(work, await find(work.db, c.req.param('id')), changes)
        return c.json(await send(c, wait, replay), 201)
      },
    )
    .post(
      '/allow',
      describeRoute({
        summary: 'Allow all webhooks held for a host',
        description: 'Sends them once. Use `PUT /allowed-hosts` to allow the host permanently.',
        responses: { 200: z.object({ allowed: allowedCount, notes: ruleWarnings }) },
        errors: [404],
      }),
      body(AllowAllBody),
      async (c) => {
        const { host, account } = c.req.valid('json')
        await assertAccountExists(store.db, account)
        return c.json(
          await store.transact(async (work) => {
            const heldHosts = await listHeldHosts(work, account)
            return {
              allowed: await allowAllTo(work, host, account),
              notes: unknownItemNotes([host], heldHosts, (name) => `Nothing is held for ${name}.`),
            }
          }),
        )
      },
    )
    .post(
      '/:id/allow',
      describeRoute({
        summary: 'Allow a held webhook',
        description: 'Sends it once. 409 if the webhook is not held.',
        params,
        responses: { 200: DeliverySchema },
        errors: [404, 409],
      }),
      body(AllowBody),
      async (c) => {
        const allow = async (work: UnitOfWork) => allowDelivery(work, await find(work.db, c.req.param('id')))
        return c.json(await send(c, c.req.valid('json').wait, allow))
      },
    )
}
