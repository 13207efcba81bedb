import { startsEpoch } from '../domain/events/event.ts'
import * as events from './journal/events.ts'
import * as epoch from './journal/epoch.ts'
import { removeFinishedLinks } from './repositories/finished-links.ts'
import type { Store } from './store.ts'

/** Small enough that one step hardly delays a call that waits for it. */
const EVENTS_PER_STEP = 100

/** The fraction of `keep` by which the journal may exceed it before events are removed. */
const SLACK = 0.05

/**
 * Keeps the newest events. `events.removeOldest` describes which older ones also stay. The newest event always
 * stays, because SQLite derives the next `seq` from it. Events are removed in small steps, each in its own unit of
 * work. Accounts, links, deliveries, refunds and invoices are never removed, because the real service keeps them as
 * well. In memory, they would fill it: there, links are removed after their last event.
 */
export function createRetention(
  store: Store,
  { keep, isInMemory }: { readonly keep: number; readonly isInMemory: boolean },
  onError: (error: unknown) => void,
) {
  const slack = Math.max(1, Math.floor(keep * SLACK))
  /** How many events must stay in addition to the newest ones. */
  let mustStay = 0
  /** An upper bound of the number of events. Deletions are not observed, so they are counted again before a removal. */
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

  /** Repeats the removal if many events were recorded during it. */
  async function pruneToLimit(): Promise<void> {
    do await prune()
    while (!isStopped && isOverLimit())
  }

  async function prune(): Promise<void> {
    if (count === Infinity) mustStay = 0
    // Events that are recorded while this counts are added to `count` by the subscription.
    count = 0
    // Read before the events are counted, so that a deletion in between is noticed.
    const mark = await deletionMark(store.db)
    const total = await events.count(store.db, {})
    count += total
    if (!isOverLimit()) return
    let after = 0
    for (let left = total - keep; left > 0 && !isStopped; left -= EVENTS_PER_STEP) {
      const step = { after, most: Math.min(EVENTS_PER_STEP, left) }
      const removed = await store.transact(async ({ db }) => {
        if ((await deletionMark(db)) !== mark) return undefined
        const oldest = await events.removeOldest(db, step)
        if (oldest && isInMemory) await removeFinishedLinks(db, oldest.linkIds)
        return oldest
      })
      if (removed === undefined) break
      after = removed.last
    }
    // Events that are recorded from here on are counted again.
    count = 0
    const left = await store.transact(async ({ db }) =>
      (await deletionMark(db)) === mark
        ? { all: await events.count(db, {}), old: await events.count(db, { before: after + 1 }) }
        : undefined,
    )
    // After a deletion, the oldest events are different.
    count += left?.all ?? Infinity
    mustStay = left?.old ?? 0
  }

  const unsubscribe = store.eventBus.subscribe((recorded) => {
    // A removal records nothing. If it fails, the next event repeats it.
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

/** A value that changes whenever events are deleted by something else, so that the oldest events are different. */
const deletionMark = async (db: Store['db']): Promise<string> =>
  `${await epoch.current(db)} ${await events.deletionCount(db)}`
