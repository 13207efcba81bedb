import { splitUrl } from '../../server/contract/format/describe-event.ts'
import { formatStatus, type EventRow } from '../../server/contract/format/event-row.ts'
import { formatTook } from '../../server/contract/format/values.ts'
import type { EventView } from '../../server/contract/views.ts'
import { foldText } from './fold-text.ts'

/**
 * The folded text in which a search of events looks: one line for each field of the event's row, its address and its delivery.
 * Payment, account and findings are not part of it, because they change.
 */
export function entryText(event: EventView, row: EventRow): string {
  const lines = [
    row.lead,
    row.rest,
    formatStatus(row),
    row.kind,
    row.took === null ? '' : formatTook(row.took),
    addressOf(event),
    'deliveryId' in event ? `delivery ${event.deliveryId}` : '',
    // A search for `link` finds `createSplitLink`.
    'operation' in event ? event.operation.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ') : '',
  ]
  return foldText(lines.join('\n'))
}

/** The address of a request. Empty if the event has none. */
export function addressOf(event: EventView): string {
  if ('path' in event) return event.path
  if ('target' in event) return event.target
  return 'location' in event ? event.location : ''
}

/** The hosts of an event's addresses. A mapped webhook has two. */
export function hostsOf(event: EventView): string[] {
  const urls = [addressOf(event), 'mappedTo' in event ? (event.mappedTo ?? '') : '']
  return urls.filter((url) => /^https?:/.test(url)).map((url) => splitUrl(url).host.toLowerCase())
}
