import { splitUrl } from '../../server/contract/format/describe-event.ts'
import { formatStatus, type EventRow } from '../../server/contract/format/event-row.ts'
import type { EventView } from '../../server/contract/views.ts'
import { foldText } from './fold-text.ts'

const MAX_SHARED = 20_000
const sharedTexts = new Map<string, string>()

/**
 * The folded text that a search of events looks at: one line for each field of the event's row, and its address. Payment, account
 * and findings are not part of it, because they change. Delivery and duration are not, so that similar events have the same text:
 * they share one string, and a search tests each string once.
 */
export function entryText(event: EventView, row: EventRow): string {
  const lines = [
    row.lead,
    row.rest,
    formatStatus(row),
    row.kind,
    addressOf(event),
    // A search for `link` finds `createSplitLink`.
    'operation' in event ? event.operation.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ') : '',
  ]
  const text = foldText(lines.join('\n'))
  const shared = sharedTexts.get(text)
  if (shared !== undefined) return shared
  if (sharedTexts.size >= MAX_SHARED) sharedTexts.clear()
  sharedTexts.set(text, text)
  return text
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
