import type { RecordedEvent } from '../../domain/events/event.ts'
import { findDifferences } from '../../domain/events/differences.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { createJournalReader } from './journal-reader.ts'

interface Unwanted<Shown> {
  /** Every key must be there and equal. */
  readonly match: Record<string, unknown>
  /** The account whose events and deliveries count, or all. */
  readonly account?: string | undefined
  readonly after: number
  readonly timeoutMs: number
  /** How events look to the one who asks. */
  readonly present: (event: RecordedEvent) => Shown
}

/** What matched and should not have, or what was still underway. Neither where all is as expected. */
export interface Findings<Shown> {
  /** How many events were looked at: no more once something matched. */
  readonly looked: number
  readonly matched?: {
    readonly count: number
    readonly first: readonly Shown[]
    /** Whether there were more events, of which more may match. */
    readonly isCut: boolean
  }
  readonly unsettled?: deliveries.Unsettled
}

const MAX_FOUND = 20

/** Waits until nothing more can come by itself, and makes sure that nothing has matched by then. */
export async function expectNone<Shown extends object>(
  store: Store,
  { match, present, ...reading }: Unwanted<Shown>,
  signal: AbortSignal,
): Promise<Findings<Shown>> {
  const journal = createJournalReader(store, reading, signal)
  let looked = 0
  let life = journal.life()

  try {
    for (;;) {
      const begun = journal.life()
      const { now } = store.time()
      // Looked at before the events: whatever settled them is then read below.
      const isSettled = !(await deliveries.isAnyUnsettled(store.db, reading.account, now))
      for (let isLast = false; !isLast;) {
        const page = await journal.page()
        isLast = page.isLast
        if (life !== journal.life()) looked = 0
        life = journal.life()
        looked += page.events.length
        const found = page.events.map(present).filter((event) => findDifferences(event, match).length === 0)
        if (found.length === 0) continue
        return { looked, matched: { count: found.length, first: found.slice(0, MAX_FOUND), isCut: !isLast } }
      }
      if (begun !== journal.life()) continue
      if (isSettled) return { looked }
      if (journal.isOver()) {
        const unsettled = await deliveries.unsettled(store.db, reading.account, now)
        if (unsettled.count > 0) return { looked, unsettled }
        continue
      }
      await journal.wait()
    }
  } finally {
    journal.stop()
  }
}
