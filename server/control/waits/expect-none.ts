import type { RecordedEvent } from '../../domain/events/event.ts'
import { findDifferences } from '../../domain/events/differences.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'
import { concernsAccount } from './concerns-account.ts'
import { createJournalReader } from './journal-reader.ts'

interface Unwanted<View> {
  /** An event matches if it has every one of these keys with an equal value. */
  readonly match: Record<string, unknown>
  /** Only events and deliveries of this account. */
  readonly account?: string | undefined
  readonly after: number
  readonly timeoutMs: number
  readonly present: (event: RecordedEvent) => View
}

/** Has `matched` or `unsettled` if the expectation failed. */
export interface ExpectNoneResult<View> {
  /** How many events were read. Reading stops at the first page with a match. */
  readonly looked: number
  readonly matched?: {
    readonly count: number
    readonly first: readonly View[]
    /** Whether events that were not read may match, too. */
    readonly isCut: boolean
  }
  readonly unsettled?: deliveries.Unsettled
}

const MAX_FOUND = 20

/** Waits until no delivery is due or underway, and checks that no event has matched by then. */
export async function expectNone<View extends object>(
  store: Store,
  { match, present, account, after, timeoutMs }: Unwanted<View>,
  signal: AbortSignal,
): Promise<ExpectNoneResult<View>> {
  const journal = createJournalReader(store, { account, after })
  let looked = 0
  let generation = journal.generation()

  async function check(): Promise<ExpectNoneResult<View> | undefined> {
    const before = journal.generation()
    // Checked before the events are read, so that the events which settled the last delivery are among them.
    const isSettled = !(await deliveries.isAnyUnsettled(store.db, account, store.time().now))
    for (let isLast = false; !isLast;) {
      const page = await journal.nextPage()
      isLast = page.isLast
      if (page.generation !== generation) looked = 0
      generation = page.generation
      looked += page.events.length
      const found = page.events.map(present).filter((event) => findDifferences(event, match).length === 0)
      if (found.length === 0) continue
      return { looked, matched: { count: found.length, first: found.slice(0, MAX_FOUND), isCut: !isLast } }
    }
    if (before !== journal.generation()) return check()
    return isSettled ? { looked } : undefined
  }

  try {
    for (let leftMs = timeoutMs; ; leftMs = 0) {
      const findings = await waitUntil(store, {
        match: concernsAccount(account),
        check,
        signal,
        timeoutMs: leftMs,
      })
      if (findings) return findings
      const unsettled = await deliveries.unsettled(store.db, account, store.time().now)
      // If the last delivery has just settled, the loop reads once more, to include the events that settled it.
      if (unsettled.count > 0) return { looked, unsettled }
    }
  } finally {
    journal.stop()
  }
}
