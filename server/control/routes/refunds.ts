import { Hono } from 'hono'
import { z } from 'zod'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { reviewRefund } from '../../service/operations/links/review-refund.ts'
import * as refunds from '../../store/repositories/refunds.ts'
import { readAfterCommit, waitWhileUsable } from '../../store/read-after-commit.ts'
import type { ControlContext } from '../context.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { accountFilter } from '../requests/find-account.ts'
import { limit, parseId, seq } from '../requests/query-params.ts'
import { query } from '../requests/validators.ts'
import { presentRefund } from '../../contract/views.ts'
import { unknownId } from '../requests/problem.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { RefundSchema } from '../../contract/schemas/refund.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ListQuery = z.strictObject({
  account: accountParam,
  before: seq
    .optional()
    .meta({ description: 'Only refunds of payments with a smaller `pay_id`, to read the next page.' }),
  limit: limit(100),
})

const params = {
  payId: z.string().meta({ description: 'The `pay_id` of the payment.', examples: ['1001'] }),
}

const review = { params, responses: { 200: RefundSchema }, errors: [404, 409] } as const

export function refundRoutes({ store, planRunner }: ControlContext) {
  const decide = async (text: string, decision: 'approved' | 'rejected', signal: AbortSignal) => {
    const payId = parseId(text)
    if (payId === undefined) throw unknownId('refund', text, 'GET /refunds')
    const decided = await store.transact((work) => reviewRefund(work, payId, decision))
    if (decision === 'approved') {
      await readAfterCommit(undefined, () =>
        waitWhileUsable(store, signal, (until) => planRunner.waitUntilPaused(decided.linkId, until)),
      )
    }
    return decided
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List refunds',
        description: 'Newest payment first, with the state of each request.',
        responses: { 200: z.object({ refunds: readonlyList(RefundSchema) }) },
        errors: [404],
      }),
      query(ListQuery),
      async (c) => {
        const { account, limit: most, ...rest } = c.req.valid('query')
        const filter = { ...omitUndefined(rest), ...(await accountFilter(store.db, account)) }
        const matches = await refunds.list(store.db, filter, most)
        return c.json({ refunds: matches.map(presentRefund) })
      },
    )
    .post(
      '/:payId/approve',
      describeRoute({
        summary: 'Approve a refund',
        description:
          'The decision is final. No webhook is sent, except those that the behavior `order` lists after a refund. A refund cannot be approved while a dispute is open, or after the customer has won it.',
        ...review,
      }),
      async (c) => c.json(presentRefund(await decide(c.req.param('payId'), 'approved', c.req.raw.signal))),
    )
    .post(
      '/:payId/reject',
      describeRoute({
        summary: 'Reject a refund',
        description: 'The decision is final, and no webhook is sent.',
        ...review,
      }),
      async (c) => c.json(presentRefund(await decide(c.req.param('payId'), 'rejected', c.req.raw.signal))),
    )
}
