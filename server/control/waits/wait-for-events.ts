import { eventTypes, type RecordedEvent } from '../../domain/events/event.ts'
import { findDifferences, type Difference } from '../../domain/events/differences.ts'
import type { Store } from '../../store/store.ts'
import { createJournalReader } from './journal-reader.ts'

interface WaitRequest<Shown> {
  /** Every key must be there and equal. */
  readonly match: Record<string, unknown>
  readonly count: number
  /** The account whose events count, or all. */
  readonly account?: string | undefined
  readonly after: number
  readonly timeoutMs: number
  /** How events look to the one who waits. */
  readonly present: (event: RecordedEvent) => Shown
}

export interface NearMiss<Shown> {
  readonly event: Shown
  readonly differences: readonly Difference[]
}

/** What was seen while not enough matched. */
export interface WaitTimeout<Shown> {
  readonly matched: number
  /** How many events were looked at. */
  readonly looked: number
  readonly nearest: readonly NearMiss<Shown>[]
}

const NEAREST = 3

/** Waits for events that match, those that already happened included, or tells what came nearest. */
export async function waitForEvents<Shown extends object>(
  store: Store,
  wish: WaitRequest<Shown>,
  signal: AbortSignal,
): Promise<{ readonly found: readonly Shown[] } | WaitTimeout<Shown>> {
  const { match, count, present, ...reading } = wish
  const type = eventTypes.find((known) => known === match.type)
  const types = type === undefined ? undefined : [type]
  const journal = createJournalReader(store, { ...reading, types }, signal)
  let found: Shown[] = []
  let life = journal.life()

  try {
    for (;;) {
      const page = await journal.page()
      if (life !== journal.life()) {
        life = journal.life()
        found = []
      }
      for (const event of page.events) {
        const shown = present(event)
        if (findDifferences(shown, match).length === 0) found.push(shown)
        if (found.length === count) return { found }
      }
      if (!page.isLast) continue
      if (journal.isOver()) return await lookForNearest(store, wish, signal)
      await journal.wait()
    }
  } finally {
    journal.stop()
  }
}

/** Reads once more what there is, of every type: only who waited in vain has a use for what nearly was. */
async function lookForNearest<Shown extends object>(
  store: Store,
  { match, count, present, ...reading }: WaitRequest<Shown>,
  signal: AbortSignal,
): Promise<{ readonly found: readonly Shown[] } | WaitTimeout<Shown>> {
  const journal = createJournalReader(store, reading, signal)
  const found: Shown[] = []
  let looked = 0
  let nearest: NearMiss<Shown>[] = []

  try {
    for (;;) {
      const page = await journal.page()
      for (const event of page.events) {
        looked++
        const shown = present(event)
        const missed = findDifferences(shown, match)
        if (missed.length === 0) found.push(shown)
        else nearest = keepNearest(nearest, { event: shown, differences: missed })
        // The last of them came just as the time was up.
        if (found.length === count) return { found }
      }
      if (page.isLast) return { matched: found.length, looked, nearest }
    }
  } finally {
    journal.stop()
  }
}

/** Those of the type first, then those with the fewest differences, and of those the newest. */
function keepNearest<Shown>(nearest: NearMiss<Shown>[], miss: NearMiss<Shown>): NearMiss<Shown>[] {
  const place = nearest.findIndex((rival) => distanceOf(miss) <= distanceOf(rival))
  if (place === -1 && nearest.length >= NEAREST) return nearest
  const at = place === -1 ? nearest.length : place
  return nearest.toSpliced(at, 0, miss).slice(0, NEAREST)
}

const OTHER_TYPE = 1_000_000

const distanceOf = ({ differences: all }: NearMiss<unknown>): number =>
  all.length + (all.some(({ key }) => key === 'type') ? OTHER_TYPE : 0)
