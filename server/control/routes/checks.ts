import { Hono } from 'hono'
import { z } from 'zod'
import { checkNames } from '../../receiver-check/cases.ts'
import { CheckError } from '../../receiver-check/check-error.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { diagnoseAttempt } from '../../domain/diagnostics/diagnose-attempt.ts'
import { noSubject } from '../../domain/links/subject.ts'
import { encodeBody, textBody, type Exchange } from '../../domain/http/exchange.ts'
import { applyMaps } from '../../domain/network/origin-map.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { ControlContext } from '../context.ts'
import { createDistinctPayIds } from '../distinct-pay-ids.ts'
import { httpUrl, unicodeText } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists, accountId } from '../requests/find-account.ts'
import { body, query } from '../requests/input.ts'
import { Problem } from '../requests/problem.ts'
import { CheckReportSchema, ProbeSchema } from '../../contract/schemas/check.ts'
import { describeRoute } from '../requests/describe-route.ts'

const ms = (most: number) => {
  const error = `should be a whole number from 0 to ${most}`
  return z.int({ error }).min(0, { error }).max(most, { error })
}

const headerText = z.string().regex(/^[\u0020-\u007e]*[\u0021-\u007e][\u0020-\u007e]*$/, {
  error: 'should be a header value of printable ASCII, and not of spaces alone',
})

const Sent = z
  .strictObject({
    to: httpUrl.meta({ description: 'Where it goes.', examples: ['http://localhost:3000/webhooks'] }),
    contentType: headerText
      .default('application/x-www-form-urlencoded')
      .meta({ description: 'As the header has it.' }),
    body: unicodeText.default('').meta({ description: 'The bytes, as they are sent.' }),
    check: unicodeText
      .max(100)
      .optional()
      .meta({ description: 'What it is for, as the journal is to have it.' }),
    slowMs: ms(9_000).default(0).meta({ description: 'How long the body takes to go out.' }),
  })
  .meta({ examples: [{ to: 'http://127.0.0.1:3000/webhooks', body: 'ResponseCode=1' }] })

const Place = z.strictObject({
  url: httpUrl.meta({ description: 'The address.', examples: ['http://localhost:3000/webhooks'] }),
  mapped: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Whether to go where a map leads, as webhooks do.' }),
})

const Of = z.strictObject({ account: accountId })

/** Less than the five minutes that `fetch` waits for an answer. */
const WITHIN_MS = 240_000

const Wish = z
  .strictObject({
    url: httpUrl.meta({ description: 'The receiver.', examples: ['http://localhost:3000/webhooks'] }),
    stateUrl: unicodeText.optional().meta({
      description:
        'Where the app tells of an order, with `{note}`, `{payId}`, `{id}`, `{linkId}` or `{amount}` in it.',
    }),
    statePointer: unicodeText
      .optional()
      .meta({ description: 'Where in its JSON the state is (RFC 6901): `/status`.' }),
    paid: unicodeText.optional().meta({ description: 'The state that means paid: `paid`.' }),
    countPointer: unicodeText
      .optional()
      .meta({ description: 'Where in its JSON is how often it was fulfilled.' }),
    orderUrl: unicodeText.optional().meta({ description: 'POSTed to have the app make an order.' }),
    orderBody: unicodeText.optional().meta({ description: 'What is POSTed there: JSON, or else a form.' }),
    only: z
      .array(z.string())
      .optional()
      .meta({ description: `These cases alone: ${checkNames.map((name) => `\`${name}\``).join(', ')}.` }),
    patienceMs: ms(60_000)
      .optional()
      .meta({ description: 'How long the app may take to act on a webhook: 5000.' }),
    withinMs: ms(WITHIN_MS).default(WITHIN_MS).meta({ description: 'How long all of it may take.' }),
  })
  .meta({ examples: [{ url: 'http://127.0.0.1:3000/webhooks' }] })

/** How a receiver stands what may come to it. */
export function checkRoutes({
  store,
  checkEgress: judge,
  probe,
  checkReceiver,
  isInContainer,
  baseUrl,
}: ControlContext) {
  const payIds = createDistinctPayIds(store)
  const goesTo = async (address: string): Promise<string> =>
    applyMaps(address, await egressRules.maps(store.db))?.to ?? address

  return new Hono()
    .get(
      '/reach',
      describeRoute({
        summary: 'See whether a check may go somewhere',
        description: 'Nothing is sent.',
        answers: {
          200: z.object({
            heldReason: z.string().nullable().meta({ description: 'Why not. Null where it may.' }),
          }),
        },
      }),
      query(Place),
      async (c) => {
        const { url, mapped } = c.req.valid('query')
        const judged = await judge(mapped === 'true' ? await goesTo(url) : url, true)
        return c.json({ heldReason: judged.verdict === 'send' ? null : judged.reason })
      },
    )
    .post(
      '/probe',
      describeRoute({
        summary: 'Post any bytes to a receiver',
        description:
          'At once, beside every payment, and where a map leads. To this machine and private networks, and nowhere else.',
        answers: { 200: ProbeSchema },
        problems: [422],
      }),
      body(Sent),
      async (c) => {
        const { to, check = null, ...webhook } = c.req.valid('json')
        const wentTo = await goesTo(to)
        const attempt = await probe(wentTo, webhook, c.req.raw.signal)
        if ('heldReason' in attempt) {
          throw new Problem(422, 'Not sent', `Nothing was sent to ${wentTo}: ${attempt.heldReason}.`)
        }
        const { status, error, errorCode, requestHeaders, responseHeaders, responseBody, responseSize } =
          attempt
        const target = new URL(to).href
        const url = new URL(wentTo, baseUrl(c)).href
        const exchange: Exchange = {
          request: { method: 'POST', url, headers: requestHeaders, body: textBody(webhook.body) },
          response:
            status === null
              ? null
              : { status, headers: responseHeaders, body: encodeBody(responseBody, responseSize) },
        }
        const event = {
          type: 'check.sent',
          ...noSubject,
          target,
          ...omitUndefined({ mappedTo: wentTo === to ? undefined : url }),
          check,
          httpStatus: status,
        } as const
        await store.transact((work) =>
          work.record({ ...event, error, ...omitUndefined({ errorCode }), ms: attempt.ms }, exchange),
        )
        return c.json({
          status,
          error,
          ...omitUndefined({ errorCode }),
          ms: attempt.ms,
          exchange,
          findings: diagnoseAttempt(
            { contentType: webhook.contentType, target: wentTo },
            attempt,
            isInContainer,
          ),
        })
      },
    )
    .post(
      '/receiver',
      describeRoute({
        summary: 'Check a receiver',
        description: 'Tries it with one case after another, and answers once all have been tried.',
        answers: { 200: CheckReportSchema },
        problems: [422],
      }),
      body(Wish),
      async (c) => {
        const { url, ...options } = c.req.valid('json')
        try {
          return c.json(await checkReceiver(url, { ...options, signal: c.req.raw.signal }))
        } catch (error) {
          if (error instanceof CheckError) throw new Problem(422, 'Not checked', error.message)
          throw error
        }
      },
    )
    .post(
      '/pay-ids',
      describeRoute({
        summary: 'Have pay_ids differ from ids during a check',
        description: 'Until every check that asked for it is done. Then the behavior is as it was before.',
        answers: { 200: z.object({ id: z.string().meta({ description: 'To be done with it.' }) }) },
        problems: [404],
      }),
      query(Of),
      async (c) => {
        const { account } = c.req.valid('query')
        await assertAccountExists(store.db, account)
        return c.json({ id: await payIds.hold(account) })
      },
    )
    .delete(
      '/pay-ids/:id',
      describeRoute({
        summary: 'Be done with pay_ids that differ',
        description: 'The behavior is as it was before, once no other check of the account asks for it.',
        path: { id: z.string().meta({ description: 'As the check was given it.' }) },
        answers: { 204: null },
      }),
      query(Of),
      async (c) => {
        await payIds.release(c.req.valid('query').account, c.req.param('id'))
        return c.body(null, 204)
      },
    )
}
