import { MAX_SLOW_BODY_MS } from '../../domain/webhooks/limits.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { diagnoseAttempt } from '../../domain/diagnostics/diagnose-attempt.ts'
import { encodeBody, textBody, type Exchange } from '../../domain/http/exchange.ts'
import { noSubject } from '../../domain/links/subject.ts'
import { applyMaps } from '../../domain/network/origin-map.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import { ProbeSchema } from '../../contract/schemas/check.ts'
import { httpUrl, unicodeText } from '../../contract/schemas/request-fields.ts'
import { createAtOnce } from '../checks/at-once.ts'
import type { ControlContext } from '../context.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { Problem } from '../requests/problem.ts'
import { flag } from '../requests/query-params.ts'
import { wholeNumber } from '../../contract/schemas/request-fields.ts'
import { body, query } from '../requests/validators.ts'
import { whyNotSent } from '../../domain/network/egress-text.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'

const headerText = z.string().regex(/^[\u0020-\u007e]*[\u0021-\u007e][\u0020-\u007e]*$/, {
  error: 'should be a header value of printable ASCII, and not only spaces',
})

const ProbeBody = z
  .strictObject({
    to: httpUrl.meta({ description: 'The receiver.', examples: ['http://localhost:3000/webhooks'] }),
    contentType: headerText
      .default('application/x-www-form-urlencoded')
      .meta({ description: 'The `Content-Type` header.' }),
    body: unicodeText.default('').meta({ description: 'The body, as text.' }),
    method: z
      .enum(['GET', 'POST'])
      .default('POST')
      .meta({ description: 'A `GET` opens a page at exactly this address, without a body.' }),
    cookie: z
      .string()
      .regex(/^[\u0020-\u007e\u0080-\u00ff]+$/, { error: 'should be a header value' })
      .optional()
      .meta({ description: 'The `Cookie` header.' }),
    check: unicodeText
      .max(100)
      .optional()
      .meta({ description: 'The name of the case, which the journal records.' }),
    run: unicodeText
      .max(100)
      .optional()
      .meta({ description: 'The same for all probes of one check. The journal records it.' }),
    slowMs: wholeNumber(0, MAX_SLOW_BODY_MS)
      .default(0)
      .meta({ description: 'How long sending the body takes.' }),
    atOnce: z
      .strictObject({
        id: unicodeText.max(100),
        count: wholeNumber(1, 1_000),
        place: wholeNumber(0, 1_000).default(0),
      })
      .optional()
      .meta({
        description:
          'So many probes with this id end at the same time: the last byte of each body, and each `GET`, is sent when all other bytes are. Those with a lower `place` are sent first.',
      }),
    hangUp: z
      .union([z.literal('body'), wholeNumber(0, MAX_SLOW_BODY_MS)])
      .optional()
      .meta({
        description:
          'Closes the connection before the answer: before the last byte of the body, or so many milliseconds after it.',
      }),
  })
  .meta({ examples: [{ to: 'http://127.0.0.1:3000/webhooks', body: 'ResponseCode=1' }] })

const ReachQuery = z.strictObject({
  url: httpUrl.meta({ description: 'The address.', examples: ['http://localhost:3000/webhooks'] }),
  mapped: flag.meta({ description: 'Whether to apply URL maps first, as for webhooks.' }),
})

/** Breaks the connection in the middle of a request, or this many milliseconds after the request. */
function breakConnection(hangUp: 'body' | number) {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new Error('the check has closed the connection'))
  return {
    signal: controller.signal,
    async beforeLastByte(): Promise<void> {
      if (hangUp === 'body') abort()
      else setTimeout(abort, hangUp).unref()
    },
  }
}

/** Sends single requests of receiver checks. */
export function probeRoutes({ store, checkEgress, probe, isInContainer, baseUrl }: ControlContext) {
  const together = createAtOnce()

  const mappedTarget = async (address: string): Promise<string> =>
    applyMaps(address, await egressRules.maps(store.db))?.to ?? address

  return new Hono()
    .get(
      '/reach',
      describeRoute({
        summary: 'Find out whether a check may send to an address',
        description: 'Sends nothing.',
        responses: {
          200: z.object({
            heldReason: z.string().nullable().meta({ description: 'Why it may not. Null if it may.' }),
          }),
        },
      }),
      query(ReachQuery),
      async (c) => {
        const { url, mapped } = c.req.valid('query')
        const verdict = await checkEgress(mapped ? await mappedTarget(url) : url, true)
        return c.json({ heldReason: verdict.verdict === 'send' ? null : whyNotSent(verdict) })
      },
    )
    .post(
      '/probe',
      describeRoute({
        summary: 'Post any body to a receiver',
        description:
          'Sends it, or a `GET`, at once and independently of payments, and applies URL maps. Only this machine and private networks are allowed.',
        responses: { 200: ProbeSchema },
        errors: [422],
      }),
      body(ProbeBody),
      async (c) => {
        const { to, check = null, run, atOnce, hangUp, cookie, ...webhook } = c.req.valid('json')
        const isPage = webhook.method === 'GET'
        const sentTo = isPage ? to : await mappedTarget(to)
        const participant = atOnce && together.join(atOnce)
        const broken = hangUp === undefined ? undefined : breakConnection(hangUp)
        const beforeLastByte = async (): Promise<void> => {
          await participant?.arrive()
          await broken?.beforeLastByte()
        }
        const timed = {
          ...webhook,
          headers: cookie === undefined ? [] : ([['cookie', cookie]] as const),
          ...((participant || broken) && { beforeLastByte }),
        }
        const signal = broken ? AbortSignal.any([broken.signal, c.req.raw.signal]) : c.req.raw.signal
        await participant?.begin()
        const attempt = await probe(sentTo, timed, signal).finally(participant?.leave)
        if ('heldReason' in attempt) {
          throw new Problem(422, `Nothing was sent to ${hidePasswords(sentTo)}: ${attempt.heldReason}.`)
        }
        const { requestHeaders, responseHeaders, responseBody, responseSize } = attempt
        const { status, error, errorCode, ms } = attempt
        const url = hidePasswords(new URL(sentTo, baseUrl(c)).href)
        const exchange: Exchange = {
          request: {
            method: webhook.method,
            url,
            headers: requestHeaders,
            body: textBody(isPage ? '' : webhook.body),
          },
          response:
            status === null
              ? null
              : { status, headers: responseHeaders, body: encodeBody(responseBody, responseSize) },
        }
        const event = {
          type: 'check.sent',
          ...noSubject,
          target: new URL(to).href,
          ...omitUndefined({ mappedTo: sentTo === to ? undefined : url }),
          check,
          httpStatus: status,
          error,
          ...omitUndefined({
            errorCode,
            run,
            hungUp: (status === null && broken?.signal.aborted) || undefined,
          }),
          ms,
        } as const
        await store.transact((work) => work.record(event, exchange))
        const delivery = { contentType: webhook.contentType, target: sentTo }
        const findings = isPage ? [] : diagnoseAttempt(delivery, attempt, isInContainer)
        return c.json({ status, error, ...omitUndefined({ errorCode }), ms, exchange, findings })
      },
    )
}
