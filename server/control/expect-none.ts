import type { Delivery } from '../domain/delivery.ts'
import type { Recorded } from '../domain/events.ts'
import { differences } from '../domain/match.ts'
import * as deliveries from '../store/deliveries.ts'
import type { Store } from '../store/store.ts'
import { createJournalReader } from './journal-reader.ts'

interface Unwanted<Shown> {
  /** Every key must be there and equal. */
  readonly match: Record<string, unknown>
  /** The account whose events and deliveries count, or all. */
  readonly account?: string | undefined
  readonly after: number
  readonly timeoutMs: number
  /** How events look to the one who asks. */
  readonly present: (event: Recorded) => Shown
}

/** What there was that should not be, or what was still underway. Neither where all is as expected. */
export interface Findings<Shown> {
  readonly found: readonly Shown[]
  readonly unsettled: readonly Delivery[]
  /** How many events were looked at. */
  readonly looked: number
}

/** Waits until nothing more can come by itself, and makes sure that nothing has matched by then. */
export async function expectNone<Shown extends object>(
  store: Store,
  { match, present, ...reading }: Unwanted<Shown>,
  signal: AbortSignal,
): Promise<Findings<Shown>> {
  const journal = createJournalReader(store, reading, signal)
  let found: Shown[] = []
  let looked = 0
  let life = journal.life()

  try {
    for (;;) {
      const begun = journal.life()
      // Looked at before the events: whatever settled them is then read below.
      const unsettled = await deliveries.unsettled(store.db, reading.account, store.time().now)
      for (let isLast = false; !isLast;) {
        const page = await journal.page()
        isLast = page.isLast
        if (life !== journal.life()) {
          life = journal.life()
          found = []
          looked = 0
        }
        looked += page.events.length
        found.push(...page.events.map(present).filter((event) => differences(event, match).length === 0))
      }
      if (begun !== journal.life()) continue
      if (found.length > 0 || unsettled.length === 0 || journal.isOver()) return { found, unsettled, looked }
      await journal.wait()
    }
  } finally {
    journal.stop()
  }
}
