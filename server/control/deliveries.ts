import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { Delivery } from '../domain/delivery.ts'
import { releaseDelivery } from '../operations/release-delivery.ts'
import { replayDelivery } from '../operations/replay-delivery.ts'
import * as deliveries from '../store/deliveries.ts'
import type { Work } from '../store/store.ts'
import type { ControlContext } from './context.ts'
import { httpUrl, text, wait, type Wait } from './fields.ts'
import { body, limit, query, seq } from './input.ts'
import { notFound } from './problem.ts'
import { outcomeOf, sentIn } from './settled.ts'
import { showDeliveries } from './show-deliveries.ts'

const Replay = z.strictObject({
  to: httpUrl.optional(),
  body: text.optional(),
  wait,
})
const Release = z.strictObject({ wait })
const Listing = z.strictObject({
  account: z.string().optional(),
  link: seq.optional(),
  state: z.enum(['pending', 'delivered', 'failed', 'held']).optional(),
  limit: limit(100),
})

export function deliveryRoutes({ store, baseUrl }: ControlContext) {
  async function existing(db: typeof store.db, id: string): Promise<Delivery> {
    const delivery = /^\d{1,15}$/.test(id) ? await deliveries.find(db, Number(id)) : undefined
    if (!delivery) throw notFound(`There is no delivery ${id}. GET /_sandbox/v1/deliveries lists them.`)
    return delivery
  }

  /** Sends something on its way, and shows it once it has settled or been accepted. */
  async function conclude(c: Context, until: Wait, verb: (work: Work) => Promise<Delivery>) {
    const sent = await store.transact(async (work) => sentIn(work, [await verb(work)]))
    const then = await outcomeOf(store, sent, until, c.req.raw.signal)
    const [shown] = await showDeliveries(store.db, then, baseUrl(c))
    return shown!
  }

  return new Hono()
    .get('/', query(Listing), async (c) => {
      const { account, link, state, limit: most } = c.req.valid('query')
      const found = await deliveries.list(
        store.db,
        {
          ...(account === undefined ? {} : { accountId: account }),
          ...(link === undefined ? {} : { linkId: link }),
          ...(state === undefined ? {} : { state }),
        },
        most,
      )
      return c.json({ deliveries: await showDeliveries(store.db, found, baseUrl(c)) })
    })
    .get('/:id', async (c) => {
      const delivery = await existing(store.db, c.req.param('id'))
      const [shown] = await showDeliveries(store.db, [delivery], baseUrl(c), true)
      return c.json(shown!)
    })
    .post('/:id/replay', body(Replay), async (c) => {
      const { wait: until, ...changes } = c.req.valid('json')
      const replay = async (work: Work) =>
        replayDelivery(work, await existing(work.db, c.req.param('id')), changes)
      return c.json(await conclude(c, until, replay), 201)
    })
    .post('/:id/release', body(Release), async (c) => {
      const release = async (work: Work) => releaseDelivery(work, await existing(work.db, c.req.param('id')))
      return c.json(await conclude(c, c.req.valid('json').wait, release))
    })
}
