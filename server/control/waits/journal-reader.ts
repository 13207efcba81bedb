import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import { startsEpoch, type EventType, type RecordedEvent } from '../../domain/events/event.ts'
import * as events from '../../store/journal/events.ts'
import type { Store } from '../../store/store.ts'
import { watch } from './watch.ts'

interface Reading {
  /** The account whose events are read, or all. */
  readonly account?: string | undefined
  /** The types that are read, or all. */
  readonly types?: readonly EventType[] | undefined
  readonly after: number
  readonly timeoutMs: number
}

const PAGE = 500

/**
 * Reads the journal, or one account's part of it, from a place on and as it grows. Where all that counts began
 * anew, by a reset or a restored snapshot, so does the reading: `life` is another one, and what was read before is
 * of no use.
 */
export function createJournalReader(
  store: Store,
  { account, types, after, timeoutMs }: Reading,
  signal: AbortSignal,
) {
  let last = after
  let generation = 0
  function onAnew(first: RecordedEvent): void {
    generation++
    // A restored journal goes on with this event; what is before it is no news to who asked for news.
    if (startsEpoch(first)) last = after === 0 ? 0 : first.seq - 1
    // An account's goes on with it too, and some of what follows may have been read before it was heard of.
    else last = Math.max(after, first.seq - 1)
  }
  const watching = watch(store, { account, timeoutMs, onAnew }, signal)
  const filter = omitUndefined({ accountId: account, types })

  return {
    ...watching,
    life: (): number => generation,
    /** What comes next, as much as there is at once. */
    async page(): Promise<{ readonly events: readonly RecordedEvent[]; readonly isLast: boolean }> {
      for (;;) {
        const before = generation
        const page = await events.list(store.db, { ...filter, after: last }, PAGE)
        if (before !== generation) continue
        last = page.at(-1)?.seq ?? last
        return { events: page, isLast: page.length < PAGE }
      }
    },
  }
}
