import type { EventView } from '../contract/views.ts'
import { describeEvent, webhookOf } from '../contract/format/describe-event.ts'
import { formatStatus } from '../contract/format/event-row.ts'
import type { ToolAnswer } from './answer.ts'

/** Events as rows. Texts of requests and messages are part of the untrusted data. */
export function describeEvents(events: readonly EventView[]): Pick<ToolAnswer, 'lines' | 'untrusted'> {
  const rows = events.map((event) => ({ event, ...describeEvent(event) }))
  return {
    lines: rows.map(({ event, ...row }) => eventLine(event, formatStatus(row))),
    untrusted: Object.fromEntries(
      rows.map(({ event, lead, rest }) => [`#${event.seq}`, [lead, rest].filter(Boolean).join('  ')]),
    ),
  }
}

/** `#12  2026-07-01T10:00:00.000Z  delivery.attempted  ✕ 500  link 1001  webhook 1` */
function eventLine(event: EventView, status: string): string {
  const webhook = webhookOf(event)
  return [
    `#${event.seq}`,
    event.at,
    event.type,
    status,
    ...(event.linkId === null ? [] : [`link ${event.linkId}`]),
    ...(webhook === null ? [] : [`webhook ${webhook}`]),
  ].join('  ')
}
