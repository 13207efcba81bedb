import { z } from 'zod'
import { eventTypes } from '../../domain/events/event-fields.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { describeEvents } from '../describe-events.ts'
import { findSandboxAccount } from '../find-account.ts'
import { link, onlyAccount } from '../input-fields.ts'
import { createAction } from '../tool.ts'

const MAX_EVENTS = 50

export const listEventsAction = createAction({
  description:
    'Lists what happened in the sandbox, oldest first: calls, payments, webhooks, redirects, diagnostics. Without after, it lists the newest. get shows the bytes of one event.',
  input: z.strictObject({
    types: z.array(z.enum(eventTypes)).optional().meta({ description: 'Only these types.' }),
    link: link.optional(),
    account: onlyAccount,
    after: z.int().min(0).optional().meta({ description: 'Only events after the event with this seq.' }),
    limit: z.int().min(1).max(MAX_EVENTS).default(20),
  }),
  effect: { kind: 'reads' },
  async run({ account, types, ...filter }, { sandbox, inspector }) {
    const payments = account === undefined ? sandbox : await findSandboxAccount(sandbox, account)
    const events = await payments.events({
      ...omitUndefined(filter),
      ...(types !== undefined && types.length > 0 && { type: types }),
    })
    const { lines, untrusted } = describeEvents(events)
    const newest = events.at(-1)
    return {
      lines: lines.length === 0 ? ['No event matches.'] : lines,
      inspector: newest === undefined ? inspector.screen('timeline') : inspector.event(newest.seq),
      untrusted,
    }
  },
})
