import type { RecordedEvent } from '../../domain/events/event.ts'
import { eventTypes } from '../../domain/events/event-fields.ts'
import { findDifferences, type Difference } from '../../domain/events/differences.ts'
import type { Store } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'
import { concernsAccount } from './concerns-account.ts'
import { createJournalReader } from './journal-reader.ts'

interface WaitRequest<View> {
  /** An event matches if it has every one of these keys with an equal value. */
  readonly match: Record<string, unknown>
  readonly count: number
  /** Only events of this account. */
  readonly account?: string | undefined
  readonly after: number
  readonly timeoutMs: number
  readonly present: (event: RecordedEvent) => View
}

export interface NearMiss<View> {
  readonly event: View
  readonly differences: readonly Difference[]
}

/** The result of a wait that timed out. */
export interface WaitTimeout<View> {
  readonly matched: number
  /** How many events were read. */
  readonly looked: number
  readonly nearest: readonly NearMiss<View>[]
}

type WaitResult<View> = { readonly found: readonly View[] } | WaitTimeout<View>

/** Waits for `count` matching events, past events included. On timeout, returns the closest events. */
export async function waitForEvents<View extends object>(
  store: Store,
  request: WaitRequest<View>,
  signal: AbortSignal,
): Promise<WaitResult<View>> {
  const { match, count, account, after, timeoutMs, present } = request
  const type = eventTypes.find((known) => known === match.type)
  const journal = createJournalReader(store, {
    account,
    after,
    types: type === undefined ? undefined : [type],
  })
  let found: View[] = []
  let generation = journal.generation()

  async function check(): Promise<View[] | undefined> {
    for (;;) {
      const page = await journal.nextPage()
      if (page.generation !== generation) found = []
      generation = page.generation
      for (const event of page.events) {
        const view = present(event)
        if (findDifferences(view, match).length === 0) found.push(view)
        if (found.length === count) return found
      }
      if (page.isLast) return undefined
    }
  }

  try {
    const enough = await waitUntil(store, { match: concernsAccount(account), check, signal, timeoutMs })
    return enough ? { found: enough } : await findNearest(store, request)
  } finally {
    journal.stop()
  }
}

/** Reads the journal once more, events of every type, to find the closest ones. Only a timeout needs them. */
async function findNearest<View extends object>(
  store: Store,
  { match, count, account, after, present }: WaitRequest<View>,
): Promise<WaitResult<View>> {
  const journal = createJournalReader(store, { account, after })
  const found: View[] = []
  let looked = 0
  let nearest: NearMiss<View>[] = []

  try {
    for (;;) {
      const page = await journal.nextPage()
      for (const event of page.events) {
        looked++
        const view = present(event)
        const differences = findDifferences(view, match)
        if (differences.length === 0) found.push(view)
        else nearest = insertNearest(nearest, { event: view, differences })
        // The last matching event may have come just as the time was over.
        if (found.length === count) return { found }
      }
      if (page.isLast) return { matched: found.length, looked, nearest }
    }
  } finally {
    journal.stop()
  }
}

const MAX_NEAREST = 3

/** Sorts events of the wanted type first, then by the number of differences, then newest first. */
function insertNearest<View>(nearest: NearMiss<View>[], miss: NearMiss<View>): NearMiss<View>[] {
  const index = nearest.findIndex((other) => distanceOf(miss) <= distanceOf(other))
  return nearest.toSpliced(index === -1 ? nearest.length : index, 0, miss).slice(0, MAX_NEAREST)
}

const OTHER_TYPE = 1_000_000

const distanceOf = ({ differences }: NearMiss<unknown>): number =>
  differences.length + (differences.some(({ key }) => key === 'type') ? OTHER_TYPE : 0)
