import { Hono } from 'hono'
import { z } from 'zod'
import { reviewRefund } from '../../operations/links/review-refund.ts'
import * as refunds from '../../store/repositories/refunds.ts'
import type { ControlContext } from '../context.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { query } from '../requests/input.ts'
import { presentRefund } from '../../contract/views.ts'
import { notFound } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { RefundSchema } from '../../contract/schemas/refund.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Listing = z.strictObject({ account: accountParam })

const path = {
  payId: z.string().meta({ description: 'The `pay_id` of the payment.', examples: ['1001'] }),
}

const reviewed = { path, answers: { 200: RefundSchema }, problems: [404, 409] } as const

export function refundRoutes({ store }: ControlContext) {
  const review = (payId: string, decision: 'approved' | 'rejected') => {
    if (!/^\d{1,15}$/.test(payId))
      throw notFound(`There is no refund ${payId}. A refund is named by its pay_id.`)
    return store.transact((work) => reviewRefund(work, Number(payId), decision))
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List refunds',
        description: 'The newest payment first, with the state of each request.',
        answers: { 200: z.object({ refunds: readonlyList(RefundSchema) }) },
        problems: [404],
      }),
      query(Listing),
      async (c) => {
        const { account: accountId } = c.req.valid('query')
        await assertAccountExists(store.db, accountId)
        const found = await refunds.list(store.db, accountId)
        return c.json({ refunds: found.map(presentRefund) })
      },
    )
    .post(
      '/:payId/approve',
      describeRoute({
        summary: 'Approve a refund',
        description:
          'The decision of the operator. It is final, and no webhook is sent. An open dispute, or one that the customer won, prevents it.',
        ...reviewed,
      }),
      async (c) => c.json(presentRefund(await review(c.req.param('payId'), 'approved'))),
    )
    .post(
      '/:payId/reject',
      describeRoute({
        summary: 'Reject a refund',
        description: 'The decision of the operator. It is final, and no webhook tells of it.',
        ...reviewed,
      }),
      async (c) => c.json(presentRefund(await review(c.req.param('payId'), 'rejected'))),
    )
}
