import { signal, type ReadonlySignal } from '@preact/signals'
import type { EventView } from '../server/contract/views.ts'
import { clearsAccount } from '../server/domain/events/event.ts'
import { describeEvent } from '../server/format/describe-event.ts'
import type { EventRow } from '../server/format/event-row.ts'
import { hasRow } from './has-row.ts'
import { createEventIndex, type EventIndex } from './event-index.ts'

/** An event with its row. */
export interface Entry {
  readonly event: EventView
  readonly row: EventRow
}

/** All that is known of the sandbox's journal. Its lists grow in place: copying them would cost more than drawing. */
export interface Journal {
  readonly epoch: string | undefined
  /** Goes up whenever everything known was thrown away. */
  readonly generation: number
  /** The newest `seq` the server had when it greeted. */
  readonly head: number
  /** The newest `seq` here. */
  readonly last: number
  readonly entries: readonly Entry[]
  /** The `seq` before which an account's events are gone, by its id. Another map whenever more went. */
  readonly clearedBefore: ReadonlyMap<string, number>
  /** How many of the oldest rows were let go. */
  readonly dropped: number
  /** Goes up whenever accounts, behaviors, invoices, maps, allowed hosts or the clock change. */
  readonly settingsVersion: number
  /** Goes up whenever a fault was armed, struck or taken away. */
  readonly faultsVersion: number
  /** Goes up whenever something came to a tunnel, or a listener came or went. */
  readonly tunnelsVersion: number
  readonly eventIndex: EventIndex
}

export interface Log {
  readonly journal: ReadonlySignal<Journal>
  /** Begins with a journal, or goes on with it where it is the same. */
  greet(hello: { readonly epoch: string; readonly head: number }): void
  append(events: readonly EventView[]): void
}

const NONE: Journal['clearedBefore'] = new Map()

const LIMIT = 100_000

/** Letting go in larger pieces is cheaper, and moves the list less often. */
const PIECE = 0.05

export function createLog(limit = LIMIT): Log {
  let entries: Entry[] = []
  const journal = signal<Journal>({
    epoch: undefined,
    generation: 0,
    head: 0,
    last: 0,
    entries,
    clearedBefore: NONE,
    dropped: 0,
    settingsVersion: 0,
    faultsVersion: 0,
    tunnelsVersion: 0,
    eventIndex: createEventIndex(),
  })

  function greet({ epoch, head }: { epoch: string; head: number }): void {
    const before = journal.peek()
    if (before.epoch === undefined || before.epoch === epoch) {
      journal.value = { ...before, epoch, head }
      return
    }
    entries = []
    const generation = before.generation + 1
    journal.value = {
      epoch,
      generation,
      head,
      last: 0,
      entries,
      clearedBefore: NONE,
      dropped: 0,
      settingsVersion: before.settingsVersion + 1,
      faultsVersion: before.faultsVersion + 1,
      tunnelsVersion: before.tunnelsVersion + 1,
      eventIndex: createEventIndex(),
    }
  }

  function append(events: readonly EventView[]): void {
    const before = journal.peek()
    let { last, settingsVersion, faultsVersion, tunnelsVersion, dropped, clearedBefore, ...rest } = before
    for (const event of events) {
      if (event.seq <= last) continue
      last = event.seq
      rest.eventIndex.record(event)
      if (event.accountId !== null && clearsAccount(event)) {
        clearedBefore = new Map(clearedBefore).set(event.accountId, event.seq)
      }
      if (/^(account|behaviors|clock|invoice|sandbox|maps|hosts)\./.test(event.type)) settingsVersion += 1
      if ('fault' in event || /^(fault|account|sandbox)\./.test(event.type)) faultsVersion += 1
      if (/^(tunnel|listener|sandbox)\./.test(event.type)) tunnelsVersion += 1
      if (hasRow(event)) entries.push({ event, row: describeEvent(event) })
    }
    if (clearedBefore !== before.clearedBefore) {
      entries = entries.filter(({ event }) => !isCleared(event, clearedBefore))
      rest = { ...rest, entries }
    }
    if (entries.length > limit) {
      const gone = entries.length - Math.floor(limit * (1 - PIECE))
      entries.splice(0, gone)
      dropped += gone
      rest.eventIndex.forget(entries[0]?.event.seq ?? last)
    }
    journal.value = { ...rest, last, settingsVersion, faultsVersion, tunnelsVersion, dropped, clearedBefore }
  }

  return { journal, greet, append }
}

/** Whether an event went when its account was reset or deleted. */
export const isCleared = ({ accountId, seq }: EventView, clearedBefore: Journal['clearedBefore']): boolean =>
  accountId !== null && seq < (clearedBefore.get(accountId) ?? 0)

/** The index of the first entry after a `seq`. */
export function indexAfter(entries: readonly Entry[], seq: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]!.event.seq > seq) high = middle
    else low = middle + 1
  }
  return low
}

/** The index of the entry with a `seq`, or -1. */
export function indexOf(entries: readonly Entry[], seq: number | undefined): number {
  if (seq === undefined) return -1
  const index = indexAfter(entries, seq) - 1
  return entries[index]?.event.seq === seq ? index : -1
}
