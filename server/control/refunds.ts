import { Hono } from 'hono'
import { z } from 'zod'
import { reviewRefund } from '../operations/review-refund.ts'
import * as refunds from '../store/refunds.ts'
import type { ControlContext } from './context.ts'
import { query } from './input.ts'
import { presentRefund } from './present.ts'
import { notFound } from './problem.ts'

const Listing = z.strictObject({ account: z.string().optional() })

export function refundRoutes({ store }: ControlContext) {
  const review = (payId: string, decision: 'approved' | 'rejected') => {
    if (!/^\d{1,15}$/.test(payId))
      throw notFound(`There is no refund ${payId}. A refund is named by its pay_id.`)
    return store.transact((work) => reviewRefund(work, Number(payId), decision))
  }

  return new Hono()
    .get('/', query(Listing), async (c) => {
      const found = await refunds.list(store.db, c.req.valid('query').account)
      return c.json({ refunds: found.map(presentRefund) })
    })
    .post('/:payId/approve', async (c) =>
      c.json(presentRefund(await review(c.req.param('payId'), 'approved'))),
    )
    .post('/:payId/reject', async (c) =>
      c.json(presentRefund(await review(c.req.param('payId'), 'rejected'))),
    )
}
