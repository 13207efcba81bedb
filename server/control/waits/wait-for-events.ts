import type { EventType, RecordedEvent } from '../../domain/events/event.ts'
import { eventTypes } from '../../domain/events/event-fields.ts'
import { findDifferences, type Difference } from '../../domain/events/differences.ts'
import { omitUndefined } from '../../domain/text/omit-undefined.ts'
import * as events from '../../store/journal/events.ts'
import type { Store } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'
import { concernsAccount } from './concerns-account.ts'
import { createJournalReader } from './journal-reader.ts'
import { filterFor } from './match-filter.ts'
import type { Match } from './validate-match.ts'

interface WaitRequest<View> {
  /** An event matches if it contains all these keys with equal values. */
  readonly match: Match
  readonly count: number
  readonly account?: string | undefined
  readonly after: number
  readonly timeoutMs: number
  readonly present: (event: RecordedEvent) => View
}

interface NearMiss<View> {
  readonly event: View
  readonly differences: readonly Difference[]
}

/** The result of a wait that timed out. */
export interface WaitTimeout<View> {
  readonly matched: number
  /** How many events were compared. */
  readonly looked: number
  /** Whether the time ran out before all events were compared. */
  readonly isCut: boolean
  readonly nearest: readonly NearMiss<View>[]
}

type WaitResult<View> = { readonly found: readonly View[] } | WaitTimeout<View>

/**
 * Waits for `count` matching events. Earlier events also count. If the time is over, returns the events that match best. With a
 * timeout of 0, compares all earlier events; otherwise, comparing them takes no longer than the timeout.
 */
export async function waitForEvents<View extends object>(
  store: Store,
  request: WaitRequest<View>,
  signal: AbortSignal,
): Promise<WaitResult<View>> {
  const { match, count, account, after, timeoutMs, present } = request
  const journal = createJournalReader(store, { ...filterFor(match, account), after })
  let matches: View[] = []
  let restarts = journal.restarts()
  let isCut = false

  async function check(isOver: () => boolean): Promise<View[] | undefined> {
    for (;;) {
      const page = await journal.nextPage()
      if (page.restarts !== restarts) matches = []
      restarts = page.restarts
      for (const event of page.events) {
        const view = present(event)
        if (findDifferences(view, match).length === 0) matches.push(view)
        if (matches.length === count) return matches
      }
      isCut = !page.isLast
      if (page.isLast || (timeoutMs > 0 && isOver())) return undefined
    }
  }

  try {
    const enough = await waitUntil(store, { match: concernsAccount(account), check, signal, timeoutMs })
    if (enough) return { found: enough }
    const before = isCut ? journal.last() + 1 : undefined
    const compared = { ...omitUndefined({ accountId: account, before }), after }
    const looked = await events.count(store.db, compared)
    return { matched: matches.length, looked, isCut, nearest: await findNearest(store, request) }
  } finally {
    journal.stop()
  }
}

const MAX_NEAREST = 3
/** The best matches are searched among the newest events only, so that the response is not late. */
const SEARCHED = 300

/** The newest events that nearly match. Those of the same type come first. */
async function findNearest<View extends object>(
  store: Store,
  { match, account, after, present }: WaitRequest<View>,
): Promise<NearMiss<View>[]> {
  const filter = { ...omitUndefined({ accountId: account }), after }
  const type = eventTypes.find((known) => known === match.type)
  const nearestOf = async (isWanted: (event: RecordedEvent) => boolean, types?: readonly EventType[]) => {
    const newest = await events.newest(store.db, { ...filter, ...omitUndefined({ types }) }, SEARCHED)
    return newest
      .filter(isWanted)
      .map(present)
      .map((event) => ({ event, differences: findDifferences(event, match) }))
      .filter(({ differences }) => differences.length > 0)
      .toReversed()
      .toSorted((one, other) => one.differences.length - other.differences.length)
      .slice(0, MAX_NEAREST)
  }
  if (type === undefined) return nearestOf(() => true)
  const ofType = await nearestOf(() => true, [type])
  if (ofType.length === MAX_NEAREST) return ofType
  return [...ofType, ...(await nearestOf((event) => event.type !== type))].slice(0, MAX_NEAREST)
}
