import { beginsEpoch, type Recorded } from '../domain/events.ts'
import { differences, type Difference } from '../domain/match.ts'
import { createBell } from '../store/bell.ts'
import * as events from '../store/events.ts'
import type { Store } from '../store/store.ts'

interface Wish<Shown> {
  /** Every key must be there and equal. */
  readonly match: Record<string, unknown>
  readonly count: number
  readonly after: number
  readonly timeoutMs: number
  /** How events look to the one who waits. */
  readonly present: (event: Recorded) => Shown
}

export interface NearMiss<Shown> {
  readonly event: Shown
  readonly differences: readonly Difference[]
}

type Answer<Shown> = { readonly found: Shown[] } | { readonly nearest: NearMiss<Shown>[] }

const PAGE = 500
const NEAREST = 3

/** Waits for events that match, those that already happened included, or tells what came nearest. */
export async function waitForEvents<Shown extends object>(
  store: Store,
  { match, count, after, timeoutMs, present }: Wish<Shown>,
  signal: AbortSignal,
): Promise<Answer<Shown>> {
  const bell = createBell()
  let last = after
  let found: Shown[] = []
  let nearest: NearMiss<Shown>[] = []
  let journals = 0
  const startOver = (first: Recorded) => {
    journals++
    // A restored journal goes on with this event; what is before it is no news to who asked for news.
    last = after === 0 ? 0 : first.seq - 1
    found = []
    nearest = []
  }
  const unsubscribe = store.feed.subscribe((recorded) => {
    const first = recorded.findLast(beginsEpoch)
    if (first) startOver(first)
    bell.ring()
  })
  // A timer of its own: Node 20 collects a combined signal that nobody holds, and its time never comes.
  let isOver = timeoutMs === 0
  const end = () => {
    isOver = true
    bell.ring()
  }
  const timer = setTimeout(end, timeoutMs)
  signal.addEventListener('abort', end)

  try {
    for (;;) {
      const journal = journals
      const page = await events.list(store.db, { after: last }, PAGE)
      if (journal !== journals) continue
      for (const event of page) {
        last = event.seq
        const shown = present(event)
        const missed = differences(shown, match)
        if (missed.length === 0) found.push(shown)
        else nearest = keepNearest(nearest, { event: shown, differences: missed })
        if (found.length === count) return { found }
      }
      if (page.length === PAGE) continue
      if (isOver) return { nearest }
      await bell.wait()
    }
  } finally {
    unsubscribe()
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/** Fewest differences first, and of those the newest. */
function keepNearest<Shown>(nearest: NearMiss<Shown>[], miss: NearMiss<Shown>): NearMiss<Shown>[] {
  const place = nearest.findIndex(({ differences: rival }) => miss.differences.length <= rival.length)
  if (place === -1 && nearest.length >= NEAREST) return nearest
  const at = place === -1 ? nearest.length : place
  return nearest.toSpliced(at, 0, miss).slice(0, NEAREST)
}
