import { Hono } from 'hono'
import { z } from 'zod'
import { checkNames } from '../../receiver-check/cases.ts'
import { CheckError } from '../../receiver-check/check-error.ts'
import type { ControlContext } from '../context.ts'
import { createDistinctPayIds } from '../distinct-pay-ids.ts'
import { httpUrl, unicodeText } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists, accountId } from '../requests/find-account.ts'
import { wholeNumber } from '../requests/query-params.ts'
import { body, query } from '../requests/validators.ts'
import { Problem } from '../requests/problem.ts'
import { CheckReportSchema } from '../../contract/schemas/check.ts'
import { describeRoute } from '../requests/describe-route.ts'

/** Less than the five minutes after which `fetch` gives up on an answer. */
const MAX_CHECK_MS = 240_000

const CheckBody = z
  .strictObject({
    url: httpUrl.meta({ description: 'The receiver.', examples: ['http://localhost:3000/webhooks'] }),
    stateUrl: unicodeText.optional().meta({
      description:
        'A URL at which the app answers with the JSON of an order. It contains `{note}`, `{payId}`, `{id}`, `{linkId}` or `{amount}`.',
    }),
    statePointer: unicodeText
      .optional()
      .meta({ description: 'The JSON Pointer (RFC 6901) of the state in that answer: `/status`.' }),
    paidValue: unicodeText.optional().meta({ description: 'The state of a paid order: `paid`.' }),
    countPointer: unicodeText
      .optional()
      .meta({ description: 'The JSON Pointer of the number of fulfilments in that answer.' }),
    orderUrl: unicodeText
      .optional()
      .meta({ description: 'A URL at which a POST makes the app create an order.' }),
    orderBody: unicodeText.optional().meta({ description: 'The body of that POST: JSON, otherwise a form.' }),
    only: z
      .array(z.string())
      .optional()
      .meta({ description: `Only these cases: ${checkNames.map((name) => `\`${name}\``).join(', ')}.` }),
    skip: z.array(z.string()).optional().meta({ description: 'Cases that are left out.' }),
    timeoutMs: wholeNumber(0, 60_000)
      .optional()
      .meta({ description: 'How long the app may take to act on a webhook: 5000.' }),
    totalTimeoutMs: wholeNumber(0, MAX_CHECK_MS)
      .default(MAX_CHECK_MS)
      .meta({ description: 'How long the whole check may take.' }),
  })
  .meta({ examples: [{ url: 'http://127.0.0.1:3000/webhooks' }] })

const AccountQuery = z.strictObject({ account: accountId })

/** Receiver checks. */
export function checkRoutes({ store, checkReceiver }: ControlContext) {
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
        try {
          return c.json(await checkReceiver(url, { ...options, signal: c.req.raw.signal }))
        } catch (error) {
          if (error instanceof CheckError) throw new Problem(422, error.message)
          throw error
        }
      },
    )
    .post(
      '/pay-ids',
      describeRoute({
        summary: 'Make pay_ids differ from ids during a check',
        description:
          'Sets the behavior `payId` to `distinct` until every check that asked for it has ended, then restores it.',
        responses: {
          200: z.object({ id: z.string().meta({ description: 'The id with which to end it.' }) }),
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
