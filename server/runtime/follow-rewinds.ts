import { setTimeout as pause } from 'node:timers/promises'
import { startsEpoch } from '../domain/events/event.ts'
import { continueAfterRewind } from '../service/operations/state/snapshots.ts'
import { databaseTroubleOf, isLeadershipLost, OutcomeUnknownError } from '../store/database-error.ts'
import type { Engine, Rewind } from '../store/engine.ts'
import * as epoch from '../store/journal/epoch.ts'
import type { Store } from '../store/store.ts'

const RETRY_MS = 250

/**
 * Keeps the sandbox working after the database has gone back to an earlier state, even if the connection to the database breaks
 * in the meantime. `report` gets the number of lost events, or `null` if this process does not know it.
 */
export function followRewinds(
  database: Pick<Engine, 'onRewind' | 'snapshots'>,
  store: Store,
  report: (lostEvents: number | null) => void,
  onError: (error: unknown) => void,
) {
  /** The epoch in which this process records events. `undefined` until it is known. */
  let current: string | undefined
  let newest: Rewind | undefined
  let isStopped = false

  async function readEpoch(): Promise<void> {
    current = undefined
    // If the epoch cannot be read, it stays unknown.
    current = await epoch.current(store.db).catch(() => undefined)
  }

  /** Positions in different epochs cannot be compared. */
  function lostSince({ head, epoch: left }: Rewind): number | null {
    const { newestSeq } = store
    const isComparable = newestSeq !== undefined && left !== undefined && left === current
    return isComparable && newestSeq >= head ? newestSeq - head : null
  }

  async function proceed(rewind: Rewind): Promise<void> {
    newest = rewind
    const lostEvents = lostSince(rewind)
    while (!isStopped && newest === rewind) {
      try {
        await store.transact((work) => continueAfterRewind(work, database.snapshots, lostEvents))
        return report(lostEvents)
      } catch (error) {
        if (databaseTroubleOf(error) === undefined || isLeadershipLost(error)) throw error
        if (error instanceof OutcomeUnknownError && (await error.wasCommitted())) return report(lostEvents)
      }
      await pause(RETRY_MS, undefined, { ref: false })
    }
  }

  const unsubscribe = store.eventBus.subscribe((recorded) => {
    if (recorded.some(startsEpoch)) void readEpoch()
  })
  database.onRewind?.((rewind) => void proceed(rewind).catch(onError))
  return {
    /** Must be called once the database is initialized. */
    start: readEpoch,
    stop(): void {
      isStopped = true
      unsubscribe()
    },
  }
}
