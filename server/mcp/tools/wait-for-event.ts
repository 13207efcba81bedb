import { z } from 'zod'
import { linkKeys } from '../../client/link-ref.ts'
import type { EventMatch } from '../../client/waits.ts'
import { WaitBody, waitTimeoutMs } from '../../contract/schemas/wait.ts'
import { eventTypes } from '../../domain/events/event-fields.ts'
import type { EventType } from '../../domain/events/event.ts'
import { describeEvents } from '../describe-events.ts'
import { findSandboxAccount } from '../find-account.ts'
import { link, onlyAccount } from '../input-fields.ts'
import { createAction } from '../tool.ts'

const MAX_COUNT = 50

export const waitForEventAction = createAction({
  description:
    'Waits for an event, and answers at once if it has already happened. On timeout, it answers with the closest events and how they differ. Payments and replays wait for their own webhooks, so use this action to wait for what the app does.',
  input: z.strictObject({
    type: z.enum(eventTypes),
    match: z.record(z.string(), z.unknown()).default({}).meta({
      description: 'Further keys of the event with their values, such as {"httpStatus": 200}.',
    }),
    link: link.optional(),
    account: onlyAccount,
    count: WaitBody.shape.count.unwrap().max(MAX_COUNT).default(1),
    after: WaitBody.shape.after,
    timeoutMs: waitTimeoutMs,
  }),
  effect: { kind: 'reads' },
  async run({ type, match, link: ref, account, count, after, timeoutMs }, { sandbox, inspector }) {
    const waits = account === undefined ? sandbox : await findSandboxAccount(sandbox, account)
    const eventMatch = {
      ...match,
      ...(ref === undefined ? {} : linkKeys(ref)),
      type,
    } as EventMatch<EventType>
    const events = await waits.waitFor(eventMatch, { count, after, timeoutMs })
    return { ...describeEvents(events), inspector: inspector.event(events.at(-1)!.seq) }
  },
})
