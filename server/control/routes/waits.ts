import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { RecordedEvent } from '../../domain/events/event.ts'
import type { UnsettledDeliveries } from '../../store/repositories/deliveries.ts'
import type { ControlContext } from '../context.ts'
import { validateMatch } from '../waits/validate-match.ts'
import { expectNone } from '../waits/expect-none.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { match, seqAfter, waitTimeoutMs, WaitBody } from '../../contract/schemas/wait.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { body } from '../requests/validators.ts'
import { explainTimeout, explainUnsettled, explainUnwanted } from '../waits/wait-messages.ts'
import { presentEvent } from '../../contract/views.ts'
import { Problem } from '../requests/problem.ts'
import { waitUntilSettled } from '../waits/settle.ts'
import { EventSchema } from '../../contract/schemas/event.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { presentDeliveries } from '../present-deliveries.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { waitForEvents } from '../waits/wait-for-events.ts'

const ExpectNoneBody = z
  .strictObject({ match, account: accountParam, after: seqAfter, timeoutMs: waitTimeoutMs })
  .meta({ examples: [{ match: { type: 'link.cancelled' } }] })

const SettleBody = z.strictObject({ account: accountParam, timeoutMs: waitTimeoutMs })

const SettledSchema = z
  .object({
    deliveries: z.int(),
    delivered: z.int(),
    stored: z.int().meta({
      description: 'How many of the delivered ones a tunnel stores, because no listener has fetched them.',
    }),
    failed: z.int(),
    held: z.int(),
    pending: z.int().meta({ description: 'Deliveries that wait for a later attempt.' }),
  })
  .meta({ id: 'Settled', description: 'The number of deliveries by state.' })

/** Routes that let tests wait for events, or check that no event happens. */
export function waitRoutes({ store, baseUrl }: ControlContext) {
  const present = (c: Context) => (event: RecordedEvent) => presentEvent(event, baseUrl(c))

  const unsettledProblem = async (c: Context, detail: string, { count, oldest }: UnsettledDeliveries) =>
    new Problem(408, detail, { deliveries: await presentDeliveries(store.db, oldest, baseUrl(c)), count })

  return new Hono()
    .post(
      '/events/wait',
      describeRoute({
        summary: 'Wait for events',
        description: 'Answers as soon as enough events match. Past events count.',
        responses: { 200: z.object({ events: readonlyList(EventSchema) }) },
        errors: [404, 408],
      }),
      body(WaitBody),
      async (c) => {
        const request = c.req.valid('json')
        validateMatch(request.match)
        await assertAccountExists(store.db, request.account)
        const result = await waitForEvents(store, { ...request, present: present(c) }, c.req.raw.signal)
        if ('found' in result) return c.json({ events: result.found })
        const { matched, looked, nearest } = result
        const { reason, detail } = explainTimeout(request, result)
        throw new Problem(408, detail, { reason, matched, count: request.count, looked, nearest })
      },
    )
    .post(
      '/events/expect-none',
      describeRoute({
        summary: 'Expect that no event matches',
        description:
          'Answers once every delivery has settled, or as soon as an event matches. 409: `found` lists the first 20 matching events, `count` says how many of the `looked` events match. 408: `deliveries` lists the 100 oldest unsettled deliveries, `count` says how many there are.',
        responses: {
          200: z.object({ looked: z.int().meta({ description: 'How many events were compared.' }) }),
        },
        errors: [404, 408, 409],
      }),
      body(ExpectNoneBody),
      async (c) => {
        const request = c.req.valid('json')
        validateMatch(request.match)
        await assertAccountExists(store.db, request.account)
        const findings = await expectNone(store, { ...request, present: present(c) }, c.req.raw.signal)
        const { looked, matched, unsettled } = findings
        if (matched) {
          const extra = { found: matched.first, count: matched.count, looked }
          throw new Problem(409, explainUnwanted(request.match, matched, looked), extra)
        }
        if (!unsettled) return c.json({ looked })
        const noMatchYet = `No event matches ${JSON.stringify(request.match)} so far, but`
        throw await unsettledProblem(
          c,
          `${noMatchYet} ${explainUnsettled(unsettled, request.timeoutMs)}`,
          unsettled,
        )
      },
    )
    .post(
      '/settle',
      describeRoute({
        summary: 'Wait until all deliveries have settled',
        description:
          'Waits until no attempt is due or underway. 408: `deliveries` lists the 100 oldest unsettled deliveries, `count` says how many there are.',
        responses: { 200: SettledSchema },
        errors: [404, 408],
      }),
      body(SettleBody),
      async (c) => {
        const request = c.req.valid('json')
        await assertAccountExists(store.db, request.account)
        const result = await waitUntilSettled(store, request, c.req.raw.signal)
        if ('counts' in result) return c.json(result.counts)
        const { unsettled } = result
        const detail = explainUnsettled(unsettled, request.timeoutMs)
        throw await unsettledProblem(c, detail[0]!.toUpperCase() + detail.slice(1), unsettled)
      },
    )
}
