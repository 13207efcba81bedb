import { computed, signal, type ReadonlySignal } from '@preact/signals'
import type { EventKind } from '../../server/contract/format/event-row.ts'
import type { EventView } from '../../server/contract/views.ts'
import type { EventType } from '../../server/domain/events/event.ts'
import { splitTerms, type Reading } from './filter.ts'
import { eventTerms, NO_CONTEXT, parseFilter, type FilterContext } from './filter-terms.ts'
import { correctedReadings, correctQuery, wordsIn } from './readings.ts'
import { createSlices, STEPS_PER_CHECK } from './slices.ts'
import { foldText } from '../data/fold-text.ts'
import { indexAfter, indexOf, rowsChangedBy, type Entry, type Log } from '../data/log.ts'

interface View {
  /** The rows that match the filter. The list grows in place. */
  readonly rows: readonly Entry[]
  /** The number of rows that were removed at the beginning of the list. */
  readonly removed: number
  /** The filter of these rows. They stay until all entries are tested with the next filter. `undefined` before the first one. */
  readonly query: string | undefined
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
  /** If testing takes longer, the view gives way to the user's input, and continues after it. */
  readonly sliceMs?: number
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
  { range, context, unfolded, sliceMs = Infinity }: Extras = NO_EXTRAS,
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
  /** When the view started again, entries up to this `seq` were up to date: later events had already changed them. */
  let startedAt = 0
  /** The readings of the search as typed, until no old entry matches them. */
  let asTyped: readonly Reading<Entry>[] = []
  let shown: View = { rows, removed, query: undefined, reading: parseFilter('').readings[0] }
  const slices = createSlices(sliceMs)

  function restart(entries: readonly Entry[]): void {
    const typed = parseFilter(query.value, context.value).readings
    const corrected = correct(query.value)
    asTyped = corrected ? typed : []
    readings = corrected ?? typed
    current = readings.length - 1
    clearRows()
    removed = 0
    seen = 0
    startedAt = entries.at(-1)?.event.seq ?? 0
  }

  function clearRows(): void {
    rows = []
    foundChecks.clear()
  }

  /** Continues after the user's input. */
  function later(): View {
    slices.continueLater()
    return shown
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
    if (nextBasis.some((part, index) => part !== basis[index])) {
      basis = nextBasis
      slices.restart()
      restart(entries)
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
    const isOver = slices.begin()
    /** Reads entries up to a `seq`. Returns whether it has read them all. */
    const readUntil = (last: number): boolean => {
      const start = indexAfter(entries, seen)
      const end = last === Infinity ? entries.length : indexAfter(entries, last)
      for (let index = start; index < end; index++) {
        if ((index - start) % STEPS_PER_CHECK === 0 && index > start && isOver()) return false
        read(entries[index]!)
      }
      return true
    }
    const read = (entry: Entry): void => {
      const { event, partOf } = entry
      seen = event.seq
      const isNew = seen > startedAt
      if (isNew) updateRowsChangedBy(event)
      if (partOf !== undefined && event.type === 'check.sent' && findsParts && isListed(entry)) {
        foundChecks.add(partOf)
        updateRow(rows, partOf, entries[indexOf(entries, partOf)])
      }
      if (hasOwnRow(entry)) {
        if (isListed(entry)) rows.push(entry)
        return
      }
      if (!isNew || event.type !== 'diagnostic.found' || !isInRange(event)) return
      // The row of an event contains its findings, so it may match only now.
      const about = entries[indexOf(entries, event.eventSeq)]
      if (about && (rows.at(-1)?.event.seq ?? 0) < event.eventSeq && find(about)) rows.push(about)
    }
    const updateRowsChangedBy = (event: EventView): void => {
      for (const seq of rowsChangedBy(event, eventIndex)) {
        const changed = entries[indexOf(entries, seq)]
        // This may begin a new list.
        const isShown = changed !== undefined && (isListed(changed) || foundChecks.has(seq))
        updateRow(rows, seq, isShown ? changed : undefined)
      }
    }
    if (!readUntil(Math.min(startedAt, until))) return later()
    // New entries may match the search as typed.
    readings = [...asTyped, ...readings]
    current += asTyped.length
    asTyped = []
    if (!readUntil(until)) return later()
    return (shown = {
      rows,
      removed,
      query: query.value,
      reading: readings[rows.length === 0 ? 0 : current]!,
    })
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
