import { signal, type ReadonlySignal } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'
import { clearsAccount, topicOf, type EventTopic } from '../../server/domain/events/event.ts'
import { isStored, fetchedDelivery } from '../../server/domain/webhooks/delivery.ts'
import { describeEvent, type ListenerAnswer } from '../../server/contract/format/describe-event.ts'
import type { EventRow } from '../../server/contract/format/event-row.ts'
import { describeCheck } from './describe-check.ts'
import { entryText, findingText, type EntryText } from './entry-text.ts'
import { foldText } from './fold-text.ts'
import { createWordList } from './word-list.ts'
import { createEventIndex, type EventIndex } from './event-index.ts'
import { hasRow } from './has-row.ts'

export interface Entry {
  readonly event: EventView
  readonly row: EventRow
  /** The time of the event in milliseconds, because parsing it for each search would take long. */
  readonly atMs: number
  /** A copy of the row's `payId`, so that a search of many entries reads fewer objects. */
  readonly payId: number | null
  /** The text that a search looks in. */
  readonly text: EntryText
  /** The answer of the listener that later fetched the stored webhook of an attempt. */
  readonly listenerAnswer?: ListenerAnswer
  /** The `seq` of the event whose row includes this event. */
  readonly partOf?: number
}

/**
 * An event in its current state: if a listener has fetched a webhook, it is no longer stored, and a check counts its webhooks.
 */
export function toEntry(
  event: EventView,
  { listenerAnswerOf, checkOf }: Pick<EventIndex, 'listenerAnswerOf' | 'checkOf'>,
): Entry {
  const listenerAnswer =
    event.type === 'delivery.attempted' && isStored(event) ? listenerAnswerOf(event.deliveryId) : undefined
  const check = checkOf(event)
  const isFirst = check?.first === event.seq
  const isWholeCheck = isFirst && check.count > 1
  const row = isWholeCheck ? describeCheck(event, check) : describeEvent(event, listenerAnswer)
  const text = entryText(event, row, isWholeCheck ? check.cases : [])
  const partOf = event.type === 'diagnostic.found' ? event.eventSeq : isFirst ? undefined : check?.first
  return {
    event,
    row,
    atMs: Date.parse(event.at),
    payId: row.payId,
    text,
    ...(listenerAnswer && { listenerAnswer }),
    ...(partOf !== undefined && { partOf }),
  }
}

/**
 * The part of the journal that this page has received. The lists grow in place, because copying them would take longer than
 * rendering.
 */
interface Journal {
  readonly epoch: string | undefined
  /** The number of epochs that have ended while this page was open. A new epoch discards all events. */
  readonly epochCount: number
  /** The newest `seq` on the server when the connection began. */
  readonly head: number
  /** The newest `seq` received. */
  readonly last: number
  readonly entries: readonly Entry[]
  /** For each account, a `seq`: events of the account before it are gone. Changes replace the map. */
  readonly clearedBefore: ReadonlyMap<string, number>
  /** The number of entries that are part of another row. They have rows of their own only if the user wants this. */
  readonly partCount: number
  /** How many times a row got another tone after it was added. */
  readonly toneChanges: number
  /** The number of events that the sandbox had deleted before this page received them. */
  readonly missing: number
  /** The number of old rows that were removed because of the limit. */
  readonly dropped: number
  /** Increases with each change of accounts, behaviors, invoices, maps, allowed hosts or the clock. */
  readonly settingsVersion: number
  /** Increases when a fault is added, triggered or removed. */
  readonly faultsVersion: number
  /** Increases with each captured request, and when a listener connects or disconnects. */
  readonly tunnelsVersion: number
  readonly eventIndex: EventIndex
  /** The words of the texts of all events, of their findings, and of the notes of their payments. */
  readonly words: ReadonlySet<string>
}

const SETTINGS = new Set<EventTopic>([
  'account',
  'behaviors',
  'clock',
  'hosts',
  'invoice',
  'maps',
  'sandbox',
  'snapshot',
])
const FAULTS = new Set<EventTopic>(['account', 'fault', 'sandbox'])
const TUNNELS = new Set<EventTopic>(['listener', 'sandbox', 'tunnel'])

export interface Log {
  readonly journal: ReadonlySignal<Journal>
  /** Handles the beginning of a connection. If the epoch is different, all events are discarded. */
  start(hello: { readonly epoch: string; readonly head: number; readonly oldest?: number }): void
  append(events: readonly EventView[]): void
}

export const MAX_ENTRIES = 100_000

/** Rows are removed in large portions, which is faster and moves the list less often. */
const DROPPED_SHARE = 0.05

const emptyJournal = (): Journal => ({
  epoch: undefined,
  epochCount: 0,
  head: 0,
  last: 0,
  entries: [],
  clearedBefore: new Map(),
  partCount: 0,
  toneChanges: 0,
  missing: 0,
  dropped: 0,
  settingsVersion: 0,
  faultsVersion: 0,
  tunnelsVersion: 0,
  eventIndex: createEventIndex(),
  words: new Set(),
})

export function createLog(maxEntries = MAX_ENTRIES): Log {
  let entries: Entry[] = []
  let wordList = createWordList()
  const journal = signal<Journal>({ ...emptyJournal(), entries, words: wordList.words })

  function start({ epoch, head, oldest = 0 }: Parameters<Log['start']>[0]): void {
    const before = journal.peek()
    // If the journal ends earlier than before, it has lost its newest events, and will give their numbers to others.
    if (before.epoch === undefined || (before.epoch === epoch && head >= before.last)) {
      const missing = before.missing + Math.max(0, oldest - 1 - before.last)
      journal.value = { ...before, epoch, head, missing }
      return
    }
    entries = []
    wordList = createWordList()
    journal.value = {
      ...emptyJournal(),
      words: wordList.words,
      epoch,
      head,
      missing: Math.max(0, oldest - 1),
      entries,
      epochCount: before.epochCount + 1,
      settingsVersion: before.settingsVersion + 1,
      faultsVersion: before.faultsVersion + 1,
      tunnelsVersion: before.tunnelsVersion + 1,
    }
  }

  function append(events: readonly EventView[]): void {
    const before = journal.peek()
    const { eventIndex } = before
    let { partCount, toneChanges } = before
    let { last, settingsVersion, faultsVersion, tunnelsVersion, dropped, clearedBefore } = before
    for (const event of events) {
      if (event.seq <= last) continue
      last = event.seq
      eventIndex.add(event)
      if (event.type === 'link.created') wordList.add(foldText(event.link.note))
      if (event.type === 'diagnostic.found') wordList.add(findingText(event).folded)
      if (event.accountId !== null && clearsAccount(event)) {
        clearedBefore = new Map(clearedBefore).set(event.accountId, event.seq)
      }
      const topic = topicOf(event)
      if (SETTINGS.has(topic)) settingsVersion += 1
      if ('fault' in event || FAULTS.has(topic)) faultsVersion += 1
      if (TUNNELS.has(topic)) tunnelsVersion += 1
      for (const seq of rowsChangedBy(event, eventIndex)) {
        const index = indexOf(entries, seq)
        const old = entries[index]
        if (old === undefined) continue
        const changed = toEntry(old.event, eventIndex)
        if (changed.row.tone !== old.row.tone) toneChanges += 1
        entries[index] = changed
        wordList.add(changed.text.folded)
      }
      if (!hasRow(event)) continue
      const entry = toEntry(event, eventIndex)
      entries.push(entry)
      wordList.add(entry.text.folded)
      if (isPart(entry)) partCount += 1
    }
    if (clearedBefore !== before.clearedBefore) {
      entries = entries.filter(({ event }) => !isCleared(event, clearedBefore))
      partCount = entries.filter(isPart).length
      // A search must not be corrected to a word that no longer exists.
      wordList = createWordList()
      for (const { event, text } of entries) {
        wordList.add(text.folded)
        if (event.type === 'diagnostic.found') wordList.add(findingText(event).folded)
      }
      for (const { link } of eventIndex.payments.values()) wordList.add(foldText(link.note))
    }
    if (entries.length > maxEntries) {
      const count = entries.length - Math.floor(maxEntries * (1 - DROPPED_SHARE))
      const gone = entries.splice(0, count)
      dropped += count
      partCount -= gone.filter(isPart).length
      eventIndex.removeBefore(entries[0]?.event.seq ?? last)
    }
    journal.value = {
      ...before,
      entries,
      words: wordList.words,
      last,
      settingsVersion,
      faultsVersion,
      tunnelsVersion,
      partCount,
      toneChanges,
      dropped,
      clearedBefore,
    }
  }

  return { journal, start, append }
}

/**
 * The `seq` of events whose rows this event changes: stored attempts whose webhook a listener has fetched, and the first event
 * of a check.
 */
export function rowsChangedBy(event: EventView, eventIndex: EventIndex): readonly number[] {
  const check = eventIndex.checkOf(event)
  if (check) return check.first === event.seq ? [] : [check.first]
  const deliveryId = event.type === 'tunnel.answered' ? fetchedDelivery(event) : undefined
  return deliveryId === undefined ? [] : eventIndex.storedAttemptsOf(deliveryId).map(({ seq }) => seq)
}

const isPart = ({ partOf }: Entry): boolean => partOf !== undefined

/** Whether an event was removed by a reset or the deletion of its account. */
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

/** The number of entries after a `seq`, without those that are part of another row. */
export const countAfter = (entries: readonly Entry[], seq: number): number =>
  entries.slice(indexAfter(entries, seq)).filter((entry) => !isPart(entry)).length

/** The index of the entry with a `seq`, or -1. */
export function indexOf(entries: readonly Entry[], seq: number | undefined): number {
  if (seq === undefined) return -1
  const index = indexAfter(entries, seq) - 1
  return entries[index]?.event.seq === seq ? index : -1
}
