import { computed, type ReadonlySignal } from '@preact/signals'
import { parseFilter } from '../filter.ts'
import { indexAfter, type Entry, type Log } from '../log.ts'

interface View {
  /** The rows that match the filter. The list grows in place. */
  readonly rows: readonly Entry[]
  /** How many rows were removed from the front of the list. */
  readonly removed: number
}

/** The rows that match a filter, up to a `seq` while the view is paused. Only new entries are tested. */
export function createView(
  { journal }: Log,
  query: ReadonlySignal<string>,
  pausedAt: ReadonlySignal<number | undefined>,
): ReadonlySignal<View> {
  let rows: Entry[] = []
  let removed = 0
  let seen = 0
  let basis = ''
  let previousClearedBefore = journal.peek().clearedBefore

  return computed(() => {
    const { entries, generation, clearedBefore } = journal.value
    const until = pausedAt.value ?? Infinity
    const nextBasis = `${generation} ${query.value}`
    if (nextBasis !== basis || clearedBefore !== previousClearedBefore) {
      basis = nextBasis
      previousClearedBefore = clearedBefore
      rows = []
      removed = 0
      seen = 0
    }
    const gone = indexAfter(rows, (entries[0]?.event.seq ?? 0) - 1)
    rows.splice(0, gone)
    removed += gone

    const { passes } = parseFilter(query.value)
    for (let index = indexAfter(entries, seen); index < entries.length; index++) {
      const entry = entries[index]!
      if (entry.event.seq > until) break
      seen = entry.event.seq
      if (passes(entry)) rows.push(entry)
    }
    return { rows, removed }
  })
}
