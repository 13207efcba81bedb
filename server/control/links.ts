import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { Link, LinkStatus } from '../domain/link.ts'
import { targetsOf } from '../operations/announce.ts'
import { cancelLink } from '../operations/cancel-link.ts'
import { declineLink } from '../operations/decline-link.ts'
import { deleteLink } from '../operations/delete-link.ts'
import { closeDispute, openDispute } from '../operations/dispute-link.ts'
import type { Consequence } from '../operations/outcome.ts'
import { payLink } from '../operations/pay-link.ts'
import { approveTransfer, rejectTransfer } from '../operations/review-transfer.ts'
import * as links from '../store/links.ts'
import type { Work } from '../store/store.ts'
import type { ControlContext } from './context.ts'
import { wait, type Wait } from './fields.ts'
import { findLink } from './find-link.ts'
import { body, limit, query, seq } from './input.ts'
import { presentLink } from './present.ts'
import { showDeliveries } from './show-deliveries.ts'
import { outcomeOf, sentIn } from './settled.ts'

const STATUSES = [
  'unused',
  'awaiting-transfer',
  'paid',
  'cancelled',
  'deleted',
] as const satisfies LinkStatus[]

const browser = z.enum(['returns', 'closes']).default('returns')

const Payment = z.strictObject({ method: z.enum(['card', 'bank-transfer']).default('card'), browser, wait })
const Cancellation = z.strictObject({ browser, wait })
const Approval = z.strictObject({ wait })
const Listing = z.strictObject({
  account: z.string().optional(),
  status: z.enum(STATUSES).optional(),
  before: seq.optional(),
  limit: limit(100),
})
const Closing = z.strictObject({ outcome: z.enum(['won', 'lost']).default('lost') })

export function linkRoutes(context: ControlContext) {
  const { store, baseUrl } = context

  const show = async (c: Context, link: Link) => presentLink(link, await targetsOf(store, link), baseUrl(c))

  const change = (c: Context, verb: (work: Work, link: Link) => Promise<Link>) =>
    store
      .transact(async (work) => verb(work, await findLink(work.db, c.req.param('ref') ?? '')))
      .then((link) => show(c, link))

  /** Carries an outcome out, and answers once its webhooks have settled or been accepted. */
  async function conclude(c: Context, until: Wait, verb: (work: Work, link: Link) => Promise<Consequence>) {
    const { link, redirect, assumed, sent } = await store.transact(async (work) => {
      const { deliveries, ...rest } = await verb(work, await findLink(work.db, c.req.param('ref') ?? ''))
      return { ...rest, sent: await sentIn(work, deliveries) }
    })
    if (assumed.length > 0) c.header('sandbox-assumed', assumed.join(', '))
    const then = await outcomeOf(store, sent, until, c.req.raw.signal)
    return {
      link: await show(c, link),
      redirect,
      deliveries: await showDeliveries(store.db, then, baseUrl(c)),
    }
  }

  return new Hono()
    .get('/', query(Listing), async (c) => {
      const { account, limit: most, ...rest } = c.req.valid('query')
      const filter = { ...rest, ...(account === undefined ? {} : { accountId: account }) }
      const found = await links.list(store.db, filter as links.Filter, most)
      return c.json({ links: await Promise.all(found.map((link) => show(c, link))) })
    })
    .get('/:ref', async (c) => c.json(await show(c, await findLink(store.db, c.req.param('ref')))))
    .post('/:ref/pay', body(Payment), async (c) => {
      const { method, browser: then, wait: until } = c.req.valid('json')
      const payment = { method, browser: then, door: 'control' } as const
      return c.json(await conclude(c, until, (work, link) => payLink(work, link, payment)))
    })
    .post('/:ref/cancel', body(Cancellation), async (c) => {
      const { browser: then, wait: until } = c.req.valid('json')
      return c.json(await conclude(c, until, (work, link) => cancelLink(work, link, then, 'control')))
    })
    .post('/:ref/decline', async (c) =>
      c.json(
        await change(c, async (work, link) => {
          await declineLink(work, link, 'control')
          return link
        }),
      ),
    )
    .post('/:ref/approve-transfer', body(Approval), async (c) =>
      c.json(
        await conclude(c, c.req.valid('json').wait, (work, link) => approveTransfer(work, link, 'control')),
      ),
    )
    .post('/:ref/reject-transfer', async (c) =>
      c.json(await change(c, (work, link) => rejectTransfer(work, link, 'control'))),
    )
    .delete('/:ref', async (c) => c.json(await change(c, (work, link) => deleteLink(work, link, 'control'))))
    .put('/:ref/dispute', async (c) => c.json(await change(c, openDispute)))
    .delete('/:ref/dispute', query(Closing), async (c) => {
      const { outcome } = c.req.valid('query')
      return c.json(await change(c, (work, link) => closeDispute(work, link, outcome)))
    })
}
