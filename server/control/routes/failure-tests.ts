import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { testOfCall } from '../../verify/failure-tests/call-failure.ts'
import { testOfCheck } from '../../verify/failure-tests/check-failure.ts'
import { testFormats, type TestFormat } from '../../contract/test-format.ts'
import type { FailureTest, TestFile } from '../../verify/failure-tests/failure-test.ts'
import { testOfLink } from '../../verify/failure-tests/link-failure.ts'
import type { Link } from '../../domain/links/link.ts'
import * as events from '../../store/journal/events.ts'
import * as links from '../../store/repositories/links.ts'
import type { UnitOfWork } from '../../store/store.ts'
import type { ControlContext } from '../context.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { findLink, linkRef } from '../requests/find-link.ts'
import { notFound, Problem } from '../requests/problem.ts'
import { parseId } from '../requests/query-params.ts'
import { body, query } from '../requests/validators.ts'
import { testSandbox } from '../export/test-sandbox.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { hidePasswords } from '../../domain/network/credentials.ts'
import { writeShell } from '../../verify/failure-tests/write-shell.ts'
import { writeVitest } from '../../verify/failure-tests/write-vitest.ts'

const FormatQuery = z.strictObject({
  as: z.enum(testFormats).default('vitest').meta({
    description: 'A test for Vitest, or a shell script with curl and the command line.',
  }),
})

const CheckFailureBody = z.strictObject({
  isCaller: z.boolean().meta({ description: 'Whether it was a check of an app that calls the API.' }),
  url: z.string().meta({ description: 'The receiver, or the order URL.' }),
  options: z.record(z.string(), z.unknown()).meta({ description: 'The other options of the check.' }),
  module: z.string().optional().meta({
    description: 'The path of a module with the functions `orderState` and `createOrder`.',
  }),
  accountId: z.string().nullable().meta({ description: 'The account of the app, from the report.' }),
  result: z
    .looseObject({
      name: z.string(),
      title: z.string(),
      expected: z.string(),
      seen: z.string(),
      why: z.string(),
    })
    .meta({ description: 'The failed result, from the report.' }),
})

const FileSchema = z.object({ name: z.string(), text: z.string() })

const FilesSchema = z
  .object({ vitest: FileSchema, shell: FileSchema })
  .meta({ id: 'TestFiles', description: 'A failure as a test, in each format.' })

const file = { responses: { 200: 'text/plain' } } as const

/** The maximum number of events that a test reproduces. Nobody would read a longer test. */
const MAX_EVENTS = 1_000

export function failureTestRoutes({ store, baseUrl, upstream }: ControlContext) {
  /** Rejects calls that the real service answered, because the sandbox cannot reproduce what happened there. */
  function rejectUpstream(): void {
    if (upstream === undefined) return
    throw new Problem(
      409,
      `${upstream.origin} answers the calls of this sandbox, so a test cannot repeat them. Use a sandbox without --upstream.`,
    )
  }

  return new Hono()
    .get(
      '/links/:ref',
      describeRoute({
        summary: 'Get a payment as a test',
        description:
          'The test starts a sandbox with the same account, clock and behaviors, repeats what happened to the link, and expects that every webhook is delivered.',
        params: { ref: linkRef },
        ...file,
        errors: [404, 409],
      }),
      query(FormatQuery),
      async (c) => {
        rejectUpstream()
        const failure = await store.transact(async (work) =>
          testOfLinkUpTo(work, await findLink(work.db, c.req.param('ref')), baseUrl(c)),
        )
        return send(c, failure, c.req.valid('query').as)
      },
    )
    .get(
      '/events/:seq',
      describeRoute({
        summary: 'Get an event as a test',
        description:
          'The test repeats the payment of the event, up to this event. A call that belongs to no payment is sent again, and must succeed.',
        params: { seq: z.string().meta({ description: 'The number of the event in the journal.' }) },
        ...file,
        errors: [404, 409],
      }),
      query(FormatQuery),
      async (c) => {
        rejectUpstream()
        const seq = parseId(c.req.param('seq')) ?? 0
        const url = baseUrl(c)
        const failure = await store.transact(async (work) => {
          const { event, exchange } = (await events.find(work.db, seq)) ?? {}
          const link = event?.linkId == null ? undefined : await links.find(work.db, event.linkId)
          if (link !== undefined) return testOfLinkUpTo(work, link, url, seq)
          const isCall = event?.type === 'api.request' || event?.type === 'api.limited'
          if (!isCall || !exchange) {
            throw notFound(
              `Event ${seq} is neither a call nor part of a payment, so it cannot become a test.`,
            )
          }
          if (event.upstream !== undefined) {
            throw new Problem(
              409,
              `${event.upstream} answered call ${seq}, so a test cannot repeat the call. It would also contain the key of the call.`,
            )
          }
          return testOfCall(
            event,
            exchange,
            await testSandbox(work, { url, accountId: event.accountId, at: event.at }),
          )
        })
        return send(c, failure, c.req.valid('query').as)
      },
    )
    .post(
      '/check',
      describeRoute({
        summary: 'Get a failed case of a check as a test',
        description: 'Returns the test in each format. It runs only this case.',
        responses: { 200: FilesSchema },
        errors: [404, 409],
      }),
      body(CheckFailureBody),
      async (c) => {
        const { accountId, ...failed } = c.req.valid('json')
        await assertAccountExists(store.db, accountId ?? undefined)
        const sandbox = await store.transact((work) => testSandbox(work, { url: baseUrl(c), accountId }))
        const failure = testOfCheck(failed, sandbox)
        return c.json({ vitest: writeTest(failure, 'vitest'), shell: writeTest(failure, 'shell') })
      },
    )
}

/** A test that reproduces what happened to a link, up to the event `lastSeq`. */
async function testOfLinkUpTo(
  work: UnitOfWork,
  link: Link,
  url: string,
  lastSeq?: number,
): Promise<FailureTest> {
  const before = lastSeq === undefined ? {} : { before: lastSeq + 1 }
  const own = await events.list(work.db, { linkId: link.id, ...before }, MAX_EVENTS)
  const start = own[0]?.seq ?? 0
  const clocks = await events.list(work.db, { types: ['clock.changed'], after: start, ...before }, MAX_EVENTS)
  const last = own.at(-1)?.seq ?? 0
  const all = [...own, ...clocks.filter(({ seq }) => seq < last)].toSorted(
    (one, other) => one.seq - other.seq,
  )
  const at = link.createdAt
  return testOfLink(link, all, await testSandbox(work, { url, accountId: link.accountId, at }))
}

function send(c: Context, failure: FailureTest, format: TestFormat) {
  const { name, text } = writeTest(failure, format)
  return c.body(text, 200, {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  })
}

/** Writes a failure as a test in one of the formats. */
const writeTest = (failure: FailureTest, format: TestFormat): TestFile =>
  format === 'vitest'
    ? { name: `${failure.name}.test.ts`, text: hidePasswords(writeVitest(failure)) }
    : { name: `${failure.name}.sh`, text: hidePasswords(writeShell(failure)) }
