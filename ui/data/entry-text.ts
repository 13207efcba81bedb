import { splitUrl } from '../../server/contract/format/describe-event.ts'
import { formatStatus, type EventRow } from '../../server/contract/format/event-row.ts'
import type { EventView } from '../../server/contract/views.ts'
import type { FindingView } from './event-index.ts'
import { foldText } from './fold-text.ts'

/** The text of events or findings, with a number of its own, counted from 1. Equal texts are shared, so a search tests each only once. */
export interface EntryText {
  readonly id: number
  readonly folded: string
}

const MAX_SHARED = 20_000
const sharedTexts = new Map<string, EntryText>()
let lastId = 0

/**
 * The folded text of an event for searches: one line for each field of its row, and its address. Leaves out payment, account
 * and findings, because they change. Leaves out delivery and duration, so that similar events have the same text: they share
 * one string, and a search tests each string only once.
 */
export function entryText(event: EventView, row: EventRow, cases: Iterable<string>): EntryText {
  const lines = [
    row.lead,
    row.rest,
    formatStatus(row),
    row.kind,
    addressOf(event),
    // The operation alone, so that a search for `link` finds `createSplitLink`.
    'operation' in event ? event.operation.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ') : '',
  ]
  return shareText([foldText(lines.join('\n')), ...cases].join('\n'))
}

const findingTexts = new WeakMap<FindingView, EntryText>()

/** The text of a finding, for searches of the event that it is about. */
export function findingText(finding: FindingView): EntryText {
  const { title, seen, fix, code } = finding
  const text = findingTexts.get(finding) ?? shareText(foldText([title, seen, fix, code].join('\n')))
  findingTexts.set(finding, text)
  return text
}

function shareText(folded: string): EntryText {
  const shared = sharedTexts.get(folded)
  if (shared !== undefined) return shared
  if (sharedTexts.size >= MAX_SHARED) sharedTexts.clear()
  const text = { id: (lastId += 1), folded }
  sharedTexts.set(folded, text)
  return text
}

/** The address of a request. Empty if the event has none. */
export function addressOf(event: EventView): string {
  if ('path' in event) return event.path
  if ('target' in event) return event.target
  return 'location' in event ? event.location : ''
}

/** The hosts of an event's addresses. A mapped webhook has two hosts. */
export function hostsOf(event: EventView): string[] {
  const urls = [addressOf(event), 'mappedTo' in event ? (event.mappedTo ?? '') : '']
  return urls.filter((url) => /^https?:/.test(url)).map((url) => splitUrl(url).host.toLowerCase())
}
