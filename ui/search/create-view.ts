import { computed, signal, type ReadonlySignal } from '@preact/signals'
import type { EventKind } from '../../server/contract/format/event-row.ts'
import type { EventView } from '../../server/contract/views.ts'
import type { EventType } from '../../server/domain/events/event.ts'
import { splitTerms, type Reading } from './filter.ts'
import { eventTerms, NO_CONTEXT, parseFilter, type FilterContext } from './filter-terms.ts'
import { correctedReadings, correctQuery, wordsIn } from './readings.ts'
import { foldText } from '../data/fold-text.ts'
import { indexAfter, indexOf, rowsChangedBy, type Entry, type Log } from '../data/log.ts'

interface View {
  /** The rows that match the filter. The list grows in place. */
  readonly rows: readonly Entry[]
  /** The number of rows that were removed at the beginning of the list. */
  readonly removed: number
  /** How the search was understood. */
  readonly reading: Reading<Entry>
}

/** Two ISO timestamps. Both are included. */
export interface TimeRange {
  readonly from: string
  readonly to: string
}

interface Extras {
  readonly range: ReadonlySignal<TimeRange | undefined>
  /** If this object is replaced, the view tests all entries again. */
  readonly context: ReadonlySignal<FilterContext | undefined>
  /** The first events of the checks whose other events are shown. */
  readonly unfolded: ReadonlySignal<ReadonlySet<number>>
}

const NO_EXTRAS: Extras = {
  range: signal(undefined),
  context: signal(undefined),
  unfolded: signal(new Set()),
}

/** The rows that match a filter, up to a `seq` while the view is paused. Tests only new entries. */
export function createView(
  { journal }: Log,
  query: ReadonlySignal<string>,
  pausedAt: ReadonlySignal<number | undefined>,
  { range, context, unfolded }: Extras = NO_EXTRAS,
): ReadonlySignal<View> {
  let readings: readonly Reading<Entry>[] = []
  /** The search can be read in several ways. This is the index of the first way that matches an entry. */
  let current = 0
  let rows: Entry[] = []
  /** The first events of checks in which the search has found another webhook. */
  const foundChecks = new Set<number>()
  let removed = 0
  let seen = 0
  let basis: readonly unknown[] = []

  function restart(next: readonly Reading<Entry>[]): void {
    readings = next
    current = next.length - 1
    clearRows()
    removed = 0
    seen = 0
  }

  function clearRows(): void {
    rows = []
    foundChecks.clear()
  }

  /** Whether the entry is found. The first entry that a more exact reading finds replaces the rows of the reading before. */
  function find(entry: Entry): boolean {
    for (let index = 0; index <= current; index++) {
      if (!readings[index]!.passes(entry)) continue
      if (index < current) clearRows()
      current = index
      return true
    }
    return false
  }

  /** The readings of a search that was corrected. No entry matches the search as typed. */
  function correct(text: string): readonly Reading<Entry>[] | undefined {
    const names = wordsIn(context.value?.accountNames.map(foldText) ?? [])
    // A search finds `delivery 7` and `payment 1001` by their numbers, so these words may be in no text.
    const known = () => [...journal.value.words, ...names, 'delivery', 'payment']
    const corrected = correctQuery(text, termNames, known)
    return corrected === undefined
      ? undefined
      : correctedReadings(parseFilter(corrected, context.value), corrected)
  }

  return computed(() => {
    const { entries, epochCount, clearedBefore, eventIndex } = journal.value
    const until = pausedAt.value ?? Infinity
    const nextBasis = [epochCount, query.value, clearedBefore, context.value, range.value, unfolded.value]
    const isOther = nextBasis.some((part, index) => part !== basis[index])
    let asTyped: readonly Reading<Entry>[] = []
    let corrected: readonly Reading<Entry>[] | undefined
    if (isOther) {
      basis = nextBasis
      asTyped = parseFilter(query.value, context.value).readings
      corrected = correct(query.value)
      restart(corrected ?? asTyped)
    }
    const gone = indexAfter(rows, (entries[0]?.event.seq ?? 0) - 1)
    rows.splice(0, gone)
    removed += gone

    const { from, to } = range.value ?? {}
    const isInRange = ({ at }: EventView): boolean =>
      from === undefined || to === undefined || (at >= from && at <= to)
    // A negated term would find every check: one of its webhooks always lacks it.
    const findsParts = !asksForChecks(query.value) && !hasNegation(query.value)
    const hasOwnRow = ownRowTest(query.value, unfolded.value)
    const isListed = (entry: Entry): boolean => isInRange(entry.event) && find(entry)
    const readNew = (): void => {
      const end = until === Infinity ? entries.length : indexAfter(entries, until)
      for (let index = indexAfter(entries, seen); index < end; index++) {
        const entry = entries[index]!
        // A view that starts again reads entries that are up to date.
        if (!isOther) updateRowsChangedBy(entry.event)
        const { event, partOf } = entry
        if (partOf !== undefined && event.type === 'check.sent' && findsParts && isListed(entry)) {
          foundChecks.add(partOf)
          updateRow(rows, partOf, entries[indexOf(entries, partOf)])
        }
        if (hasOwnRow(entry)) {
          if (isListed(entry)) rows.push(entry)
          continue
        }
        if (event.type !== 'diagnostic.found' || !isInRange(event)) continue
        // The row of an event contains its findings, so it may match only now.
        const about = entries[indexOf(entries, event.eventSeq)]
        if (about && (rows.at(-1)?.event.seq ?? 0) < event.eventSeq && find(about)) rows.push(about)
      }
      seen = entries[end - 1]?.event.seq ?? seen
    }
    const updateRowsChangedBy = (event: EventView): void => {
      for (const seq of rowsChangedBy(event, eventIndex)) {
        const changed = entries[indexOf(entries, seq)]
        // This may begin a new list.
        const isShown = changed !== undefined && (isListed(changed) || foundChecks.has(seq))
        updateRow(rows, seq, isShown ? changed : undefined)
      }
    }
    readNew()
    if (isOther && corrected) {
      // New entries may match the search as typed.
      readings = [...asTyped, ...corrected]
      current += asTyped.length
    }
    return { rows, removed, reading: readings[rows.length === 0 ? 0 : current]! }
  })
}

/** Replaces a row whose event has a new description. It may match only now, or no longer. */
function updateRow(rows: Entry[], seq: number, entry: Entry | undefined): void {
  const index = indexOf(rows, seq)
  rows.splice(index === -1 ? indexAfter(rows, seq) : index, index === -1 ? 0 : 1, ...(entry ? [entry] : []))
}

const termNames = eventTerms(NO_CONTEXT)

/** Whether a filter contains a kind or a type of events. */
const asksFor = (query: string, kind: EventKind, type: EventType): boolean =>
  splitTerms(query, termNames).some(
    ({ key, values, isNegated }) =>
      !isNegated && ((key === 'kind' && values.includes(kind)) || (key === 'type' && values.includes(type))),
  )

const hasNegation = (query: string): boolean =>
  splitTerms(query, termNames).some(({ isNegated }) => isNegated)

/** Whether a filter lists findings as separate rows. */
export const asksForFindings = (query: string): boolean => asksFor(query, 'diagnostic', 'diagnostic.found')

/** Whether a filter lists each webhook of a check. */
export const asksForChecks = (query: string): boolean => asksFor(query, 'check', 'check.sent')

/** Tests whether an entry has its own row, even if it is part of another row. */
export function ownRowTest(query: string, unfolded: ReadonlySet<number>): (entry: Entry) => boolean {
  const withFindings = asksForFindings(query)
  const withChecks = asksForChecks(query)
  return ({ event, partOf }) =>
    partOf === undefined ||
    (event.type === 'diagnostic.found' ? withFindings : withChecks || unfolded.has(partOf))
}
