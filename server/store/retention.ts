import { setImmediate as otherWork } from 'node:timers/promises'
import { startsEpoch } from '../domain/events/event.ts'
import * as events from './journal/events.ts'
import * as epoch from './journal/epoch.ts'
import { removeFinishedLinks } from './repositories/finished-links.ts'
import type { Store } from './store.ts'

/**
 * With larger steps, a call waits longer; with smaller steps, more calls wait. At one connection, this delays one of 170 calls.
 */
const EVENTS_PER_STEP = 500

/** How far the journal may exceed `keep` before events are removed, as a fraction of `keep`. */
const SLACK = 0.05

/**
 * Keeps the newest events. `events.removeOldest` says which older events also stay. The newest event always stays, because
 * SQLite derives the next `seq` from it. Events are removed in small steps, each in its own unit of work. Requests are read
 * between two steps. Accounts, links, deliveries, refunds and invoices are never removed, because the real service also keeps
 * them. Only a database in memory removes links after their last event, because they would fill the memory.
 */
export function createRetention(
  store: Store,
  { keep, isInMemory }: { readonly keep: number; readonly isInMemory: boolean },
  onError: (error: unknown) => void,
) {
  const slack = Math.max(1, Math.floor(keep * SLACK))
  /** How many older events must stay. */
  let mustStay = 0
  /** There are at most this many events. Deletions are not observed, so events are counted again before a removal. */
  let count = Infinity
  let running: Promise<void> | undefined
  let isStopped = false

  const isOverLimit = (): boolean => count > keep + mustStay + slack

  function startIfNeeded(): void {
    if (isStopped || running || !isOverLimit()) return
    running = pruneToLimit()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }

  /** Removes events until few enough are left. Repeats this, because many events may be recorded during a removal. */
  async function pruneToLimit(): Promise<void> {
    do await prune()
    while (!isStopped && isOverLimit())
  }

  async function prune(): Promise<void> {
    if (count === Infinity) mustStay = 0
    // The subscription adds the events that are recorded during the count.
    count = 0
    // Read before the count, so that a deletion during the count is noticed.
    const mark = await deletionMark(store.db)
    const total = await events.count(store.db, {})
    count += total
    if (!isOverLimit()) return
    let after = 0
    for (let left = total - keep; left > 0 && !isStopped; left -= EVENTS_PER_STEP) {
      const step = { after, most: Math.min(EVENTS_PER_STEP, left) }
      const last = await store.transact(async ({ db }) => {
        if ((await deletionMark(db)) !== mark) return undefined
        const linkIds = isInMemory ? await events.oldestLinkIds(db, step) : []
        const seq = await events.removeOldest(db, step)
        await removeFinishedLinks(db, linkIds)
        return seq
      })
      if (last === undefined) break
      after = last
      await otherWork()
    }
    // From here on, the subscription counts new events again.
    count = 0
    const left = await store.transact(async ({ db }) =>
      (await deletionMark(db)) === mark
        ? { all: await events.count(db, {}), old: await events.count(db, { before: after + 1 }) }
        : undefined,
    )
    // If something has deleted events in the meantime, the oldest events are different now.
    count += left?.all ?? Infinity
    mustStay = left?.old ?? 0
  }

  const unsubscribe = store.eventBus.subscribe((recorded) => {
    // A removal records no events. If it fails, the next event triggers it again.
    if (recorded.length === 0) return
    count += recorded.some(startsEpoch) ? Infinity : recorded.length
    startIfNeeded()
  })
  startIfNeeded()

  return {
    async stop(): Promise<void> {
      isStopped = true
      unsubscribe()
      await running
    },
  }
}

/** A value that changes whenever something else deletes events, so that the oldest events are different. */
const deletionMark = async (db: Store['db']): Promise<string> =>
  `${await epoch.current(db)} ${await events.deletionCount(db)}`
