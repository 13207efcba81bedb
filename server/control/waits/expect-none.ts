import type { RecordedEvent } from '../../domain/events/event.ts'
import { findDifferences } from '../../domain/events/differences.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import * as events from '../../store/journal/events.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'
import { concernsAccount } from './concerns-account.ts'
import { createJournalReader } from './journal-reader.ts'
import { filterFor } from './match-filter.ts'
import type { Match } from './validate-match.ts'

interface Expectation<View> {
  /** An event matches if it contains all these keys with equal values. */
  readonly match: Match
  /** If set, only events and deliveries of this account count. */
  readonly account?: string | undefined
  readonly after: number
  readonly timeoutMs: number
  readonly present: (event: RecordedEvent) => View
}

/** Has `matched` or `unsettled` if the expectation failed. */
export interface ExpectNoneResult<View> {
  /** The number of compared events. Comparing stops after the first page with a match. */
  readonly looked: number
  readonly matched?: {
    readonly count: number
    readonly first: readonly View[]
    /** Whether there are unread events that could match. */
    readonly isCut: boolean
  }
  readonly unsettled?: deliveries.UnsettledDeliveries
}

const MAX_FOUND = 20

/** Waits until no delivery is due or underway, then checks that no event has matched. */
export async function expectNone<View extends object>(
  store: Store,
  { match, present, account, after, timeoutMs }: Expectation<View>,
  signal: AbortSignal,
): Promise<ExpectNoneResult<View>> {
  const journal = createJournalReader(store, { ...filterFor(match, account), after })
  const countEvents = (range: { readonly before?: number } = {}): Promise<number> =>
    events.count(store.db, { ...omitUndefined({ accountId: account }), after, ...range })

  async function check(): Promise<ExpectNoneResult<View> | undefined> {
    const before = journal.restarts()
    // Read before the events, so that the events that settled the last delivery are among those read.
    const isSettled = (await deliveries.listUnsettled(store.db, account, store.time().now)).length === 0
    for (let isLast = false; !isLast;) {
      const page = await journal.nextPage()
      isLast = page.isLast
      const matches = page.events.map(present).filter((event) => findDifferences(event, match).length === 0)
      if (matches.length === 0) continue
      const looked = await countEvents(isLast ? {} : { before: journal.last() + 1 })
      return {
        looked,
        matched: { count: matches.length, first: matches.slice(0, MAX_FOUND), isCut: !isLast },
      }
    }
    if (before !== journal.restarts()) return check()
    return isSettled ? { looked: await countEvents() } : undefined
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
      // The last delivery may have settled just now. The events are then read once more, because the new ones may match.
      if (unsettled.count > 0) return { looked: await countEvents(), unsettled }
    }
  } finally {
    journal.stop()
  }
}
