import type { EventView } from '../../server/contract/views.ts'
import { splitTerms } from './filter.ts'
import { eventTerms, NO_CONTEXT } from './filter-terms.ts'
import type { BodySearch } from '../data/body-searches.ts'
import { hasRow } from '../data/has-row.ts'
import { toEntry, type Entry } from '../data/log.ts'

/** The context of events that are older than all loaded events. The page knows nothing else about them. */
const NOT_LOADED = { listenerAnswerOf: () => undefined, checkOf: () => undefined }

const terms = eventTerms(NO_CONTEXT)

/** The texts of all `body:` terms of a filter. */
export const bodyTexts = (query: string): readonly string[] => [
  ...new Set(splitTerms(query, terms).flatMap(({ key, values }) => (key === 'body' ? values : []))),
]

/** The rows of events that the server has found, and that are older than the loaded events. */
export function olderRows(
  searches: ReadonlyMap<string, BodySearch>,
  entries: readonly Entry[],
  passes: (entry: Entry) => boolean,
): readonly Entry[] {
  const oldest = entries[0]?.event.seq ?? Infinity
  const events = new Map<number, EventView>()
  for (const { found } of searches.values()) {
    for (const [seq, event] of found) if (seq < oldest && hasRow(event)) events.set(seq, event)
  }
  return [...events.values()]
    .map((event) => toEntry(event, NOT_LOADED))
    .filter(passes)
    .toSorted((one, other) => one.event.seq - other.event.seq)
}
