import { Hono } from 'hono'
import { z } from 'zod'
import type { RecordedEvent } from '../../domain/events/event.ts'
import type { Unsettled } from '../../store/repositories/deliveries.ts'
import type { ControlContext } from '../context.ts'
import { validateMatch } from '../waits/validate-match.ts'
import { expectNone } from '../waits/expect-none.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { body } from '../requests/input.ts'
import { explainTimeout, describeUnsettled, listEvents } from '../waits/timeout-message.ts'
import { presentEvent } from '../../contract/views.ts'
import { Problem } from '../requests/problem.ts'
import { settle } from '../waits/settle.ts'
import { EventSchema } from '../../contract/schemas/event.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { presentDeliveries } from '../present-deliveries.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { waitForEvents } from '../waits/wait-for-events.ts'

/** A whole number within limits, which the message names. */
function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = `should be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`
  return z.int({ error }).min(least, { error }).max(most, { error })
}

const timeoutMs = whole(0, 60_000).default(5_000).meta({ description: 'How long to wait at most.' })
const match = z.record(z.string(), z.unknown()).default({}).meta({
  description:
    'What an event has to have: every key, and equal. At least one. The capitals of `status` do not count.',
})
const after = whole(0)
  .default(0)
  .meta({ description: 'Only events after this `seq`. From the beginning, what already happened counts.' })

const Wish = z
  .strictObject({
    match,
    count: whole(1, 1_000).default(1).meta({ description: 'How many events to wait for.' }),
    account: accountParam,
    after,
    timeoutMs,
  })
  .meta({ examples: [{ match: { type: 'sandbox.started' } }] })
const Unwanted = z
  .strictObject({ match, account: accountParam, after, timeoutMs })
  .meta({ examples: [{ match: { type: 'link.cancelled' } }] })
const Settling = z.strictObject({ account: accountParam, timeoutMs })

const Settled = z
  .object({
    deliveries: z.int(),
    delivered: z.int(),
    failed: z.int(),
    held: z.int(),
    pending: z.int().meta({ description: 'Those that wait for their next attempt.' }),
  })
  .meta({ id: 'Settled', description: 'What has become of all deliveries.' })

/** What a test waits for, of one account or of all: that something happens, or that nothing more will. */
export function waitRoutes({ store, baseUrl }: ControlContext) {
  const shownUnsettled = async ({ count, oldest }: Unsettled, base: string) => ({
    deliveries: await presentDeliveries(store.db, oldest, base),
    count,
  })

  return new Hono()
    .post(
      '/events/wait',
      describeRoute({
        summary: 'Wait for events',
        description: 'Answers as soon as enough events match, at once where they already happened.',
        answers: { 200: z.object({ events: readonlyList(EventSchema) }) },
        problems: [404, 408],
      }),
      body(Wish),
      async (c) => {
        const wish = c.req.valid('json')
        validateMatch(wish.match)
        await assertAccountExists(store.db, wish.account)
        const present = (event: RecordedEvent) => presentEvent(event, baseUrl(c))
        const answer = await waitForEvents(store, { ...wish, present }, c.req.raw.signal)
        if ('found' in answer) return c.json({ events: answer.found })
        const { detail, ...extra } = explainTimeout(wish, answer)
        throw new Problem(408, 'Not seen in time', detail, extra)
      },
    )
    .post(
      '/events/expect-none',
      describeRoute({
        summary: 'Make sure that nothing happens',
        description:
          'Waits until nothing more can come by itself, or until something matched. Of a 409 `found` has the first 20 that matched and `count` how many did, of the `looked` events read by then. Of a 408 `deliveries` has the 100 oldest that were still underway and `count` how many there were.',
        answers: {
          200: z.object({ looked: z.int().meta({ description: 'How many events were looked at.' }) }),
        },
        problems: [404, 408, 409],
      }),
      body(Unwanted),
      async (c) => {
        const unwanted = c.req.valid('json')
        validateMatch(unwanted.match)
        await assertAccountExists(store.db, unwanted.account)
        const present = (event: RecordedEvent) => presentEvent(event, baseUrl(c))
        const findings = await expectNone(store, { ...unwanted, present }, c.req.raw.signal)
        const { looked, matched, unsettled } = findings
        const wanted = JSON.stringify(unwanted.match)
        if (matched) {
          const { count, first, isCut } = matched
          const what = count === 1 ? 'An event matches' : `${count} events match`
          throw new Problem(
            409,
            'Something matched',
            `${what} ${wanted}${isCut ? `, of the first ${looked}` : ''}, and none should: ${listEvents(first, count)}.`,
            { found: first, count, looked },
          )
        }
        if (!unsettled) return c.json({ looked })
        throw new Problem(
          408,
          'Not settled in time',
          `Nothing has matched ${wanted} yet, but ${describeUnsettled(unsettled, unwanted.timeoutMs)}`,
          await shownUnsettled(unsettled, baseUrl(c)),
        )
      },
    )
    .post(
      '/settle',
      describeRoute({
        summary: 'Wait until nothing is due',
        description:
          'Of a 408 `deliveries` has the 100 oldest that were still underway, and `count` how many there were.',
        answers: { 200: Settled },
        problems: [404, 408],
      }),
      body(Settling),
      async (c) => {
        const settling = c.req.valid('json')
        await assertAccountExists(store.db, settling.account)
        const result = await settle(store, settling, c.req.raw.signal)
        if ('counts' in result) return c.json(result.counts)
        const { unsettled } = result
        const told = describeUnsettled(unsettled, settling.timeoutMs)
        const detail = told[0]!.toUpperCase() + told.slice(1)
        throw new Problem(408, 'Not settled in time', detail, await shownUnsettled(unsettled, baseUrl(c)))
      },
    )
}
