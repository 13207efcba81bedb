import { Hono } from 'hono'
import { z } from 'zod'
import { checkNames } from '../../verify/receiver-check/cases.ts'
import { CheckError } from '../../verify/app/run/check-error.ts'
import type { ControlContext } from '../context.ts'
import { createDistinctPayIds } from '../checks/distinct-pay-ids.ts'
import { assertAccountExists, accountId } from '../requests/find-account.ts'
import { body, query } from '../requests/validators.ts'
import { Problem } from '../requests/problem.ts'
import {
  CallerCheckReportSchema,
  CallerOptionsBody,
  CheckOptionsBody,
  CheckReportSchema,
} from '../../contract/schemas/check.ts'
import { describeRoute } from '../requests/describe-route.ts'

const CheckBody = CheckOptionsBody.extend({
  only: CheckOptionsBody.shape.only.meta({
    description: `Only these cases: ${checkNames.map((name) => `\`${name}\``).join(', ')}.`,
  }),
}).meta({ examples: [{ url: 'http://127.0.0.1:3000/webhooks' }] })

const CallerBody = CallerOptionsBody.meta({ examples: [{ url: 'http://127.0.0.1:3000/orders' }] })

async function withProblem<Report>(check: () => Promise<Report>): Promise<Report> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof CheckError) throw new Problem(422, error.message)
    throw error
  }
}

const AccountQuery = z.strictObject({ account: accountId })

/** Checks of webhook receivers, and of apps that call the API. */
export function checkRoutes({ store, checkReceiver, checkCaller }: ControlContext) {
  const payIds = createDistinctPayIds(store)

  return new Hono()
    .post(
      '/receiver',
      describeRoute({
        summary: 'Check a receiver',
        description: 'Runs one case after another, and answers when all are done.',
        responses: { 200: CheckReportSchema },
        errors: [422],
      }),
      body(CheckBody),
      async (c) => {
        const { url, ...options } = c.req.valid('json')
        return c.json(await withProblem(() => checkReceiver(url, { ...options, signal: c.req.raw.signal })))
      },
    )
    .post(
      '/caller',
      describeRoute({
        summary: 'Check an app that calls the API',
        description:
          'Makes the app place orders while calls fail, one case after another. Answers when all cases are done.',
        responses: { 200: CallerCheckReportSchema },
        errors: [422],
      }),
      body(CallerBody),
      async (c) => {
        const { url, ...options } = c.req.valid('json')
        return c.json(await withProblem(() => checkCaller(url, { ...options, signal: c.req.raw.signal })))
      },
    )
    .post(
      '/pay-ids',
      describeRoute({
        summary: 'Make pay_ids differ from ids during a check',
        description:
          'Sets the behavior `payId` to `distinct` until every check that asked for it has ended, then restores it.',
        responses: {
          200: z.object({
            id: z.string().meta({ description: 'The id of the check. Use it to end the check.' }),
          }),
        },
        errors: [404],
      }),
      query(AccountQuery),
      async (c) => {
        const { account } = c.req.valid('query')
        await assertAccountExists(store.db, account)
        return c.json({ id: await payIds.acquire(account) })
      },
    )
    .delete(
      '/pay-ids/:id',
      describeRoute({
        summary: 'Stop making pay_ids differ from ids',
        description: 'Restores the behavior `payId` unless another check of the account still needs it.',
        params: { id: z.string().meta({ description: 'The id that the POST answered.' }) },
        responses: { 204: null },
      }),
      query(AccountQuery),
      async (c) => {
        await payIds.release(c.req.valid('query').account, c.req.param('id'))
        return c.body(null, 204)
      },
    )
}
