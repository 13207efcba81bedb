import { startsEpoch } from '../domain/events/event.ts'
import * as events from './journal/events.ts'
import * as epoch from './journal/epoch.ts'
import type { Store } from './store.ts'

/** Few enough that whoever comes in between does not notice. */
const EVENTS_PER_STEP = 100

/** How far the journal may outgrow what is kept, as a part of it, before anything is taken away. */
const SLACK = 0.05

/**
 * Keeps the newest events, what is pinned, and what belongs to something that is still open. The oldest are taken away
 * in small pieces, each a unit of work of its own, once the journal has outgrown that by some.
 */
export function createRetention(store: Store, keep: number, onError: (error: unknown) => void) {
  const slack = Math.max(1, Math.floor(keep * SLACK))
  /** How many there may be until it is looked again. More, where some of them have to stay. */
  let limit = keep + slack
  /** At least so many there are. Deletions are not heard of, so it is counted again before anything is done. */
  let count = Infinity
  let running: Promise<void> | undefined
  let isStopped = false

  function begin(): void {
    if (isStopped || running || count <= limit) return
    running = prune()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }

  async function prune(): Promise<void> {
    count = 0
    // Before they are counted: what is taken away between the two is noticed then.
    const generation = await generationOf(store.db)
    const total = await events.count(store.db, {})
    count += total
    if (total <= limit) return
    for (let after = 0, left = total - keep; left > 0 && !isStopped; left -= EVENTS_PER_STEP) {
      const step = { after, most: Math.min(EVENTS_PER_STEP, left) }
      const last = await store.transact(async ({ db }) =>
        (await generationOf(db)) === generation ? events.removeOldest(db, step) : undefined,
      )
      if (last === undefined) break
      after = last
    }
    count = await events.count(store.db, {})
    limit = Math.max(keep, count) + slack
  }

  const unsubscribe = store.feed.subscribe((recorded) => {
    if (recorded.some(startsEpoch)) {
      count = Infinity
      limit = keep + slack
    } else count += recorded.length
    begin()
  })
  begin()

  return {
    async stop(): Promise<void> {
      isStopped = true
      unsubscribe()
      await running
    },
  }
}

/** Changes where something else takes events away, after which others are the oldest. */
const generationOf = async (db: Store['db']): Promise<string> =>
  `${await epoch.current(db)} ${await events.deletionCount(db)}`
