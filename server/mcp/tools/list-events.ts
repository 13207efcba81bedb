import { z } from 'zod'
import { eventTypes } from '../../domain/events/event-fields.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { describeEvent } from '../../format/describe-event.ts'
import { findAccount } from '../find-account.ts'
import { link, onlyAccount } from '../input-fields.ts'
import { createTool } from '../tool.ts'

const MAX_EVENTS = 50

export const listEventsTool = createTool({
  name: 'list_events',
  title: 'List events',
  description:
    'Lists what happened in the sandbox, oldest first: calls, payments, webhooks, redirects, diagnostics. Without after, the newest. get_event shows the bytes of one.',
  input: z.strictObject({
    type: z.array(z.enum(eventTypes)).optional().meta({ description: 'Only these types.' }),
    link: link.optional(),
    account: onlyAccount,
    after: z.int().min(0).optional().meta({ description: 'Only events with a larger seq.' }),
    limit: z.int().min(1).max(MAX_EVENTS).default(20),
  }),
  isReadOnly: true,
  async run({ account, type, ...filter }, { sandbox, inspector }) {
    const payments = account === undefined ? sandbox : await findAccount(sandbox, account)
    const events = await payments.events({
      ...omitUndefined(filter),
      ...(type !== undefined && type.length > 0 && { type }),
    })
    const rows = events.map((event) => ({ event, row: describeEvent(event) }))
    return {
      lines:
        rows.length === 0
          ? ['No event matches.']
          : rows.map(({ event: { seq, at, type: kind, linkId, ...rest }, row: { status } }) =>
              [
                `#${seq}`,
                at,
                kind,
                status,
                ...(linkId === null ? [] : [`link ${linkId}`]),
                ...('deliveryId' in rest ? [`webhook ${rest.deliveryId}`] : []),
              ].join('  '),
            ),
      inspector: inspector.screen('timeline'),
      untrusted: Object.fromEntries(
        rows.map(({ event: { seq }, row: { request, message } }) => [
          `#${seq}`,
          [request, message].filter(Boolean).join('  '),
        ]),
      ),
    }
  },
})
