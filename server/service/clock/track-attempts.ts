import {
  startsEpoch,
  clearsAccount,
  type AttemptEvent,
  type RecordedEvent,
} from '../../domain/events/event.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import type { DueDelivery } from '../../store/repositories/deliveries.ts'
import type { Store } from '../../store/store.ts'
import { waitUntil } from '../../store/wait-until.ts'

/** Tracks what happens to deliveries, until it is stopped or a new epoch begins. */
export function trackAttempts(store: Store) {
  const retries: AttemptEvent[] = []
  /** The number of the last attempt of each delivery. Infinity for a held delivery, because no attempt follows it. */
  const lastAttempt = new Map<number, number>()
  /** The time that a delivery was last delayed to. Its earlier due time no longer applies. */
  const delayedAt = new Map<number, Instant>()
  /** For each account that was reset, the first delivery after the reset. All earlier deliveries were removed. */
  const firstSinceReset = new Map<string, number>()
  const stopped = new AbortController()
  let isOver = false

  const unsubscribe = store.eventBus.subscribe((recorded) => {
    for (const event of recorded) handleEvent(event)
  })

  function handleEvent(event: RecordedEvent): void {
    if (startsEpoch(event)) isOver = true
    const { accountId } = event
    if (accountId !== null && clearsAccount(event)) firstSinceReset.set(accountId, Infinity)
    if (
      accountId !== null &&
      event.type === 'delivery.queued' &&
      firstSinceReset.get(accountId) === Infinity
    ) {
      firstSinceReset.set(accountId, event.deliveryId)
    }
    if (event.type === 'delivery.held') lastAttempt.set(event.deliveryId, Infinity)
    if (event.type === 'delivery.delayed') delayedAt.set(event.deliveryId, event.at)
    if (event.type !== 'delivery.attempted') return
    lastAttempt.set(event.deliveryId, event.attempt)
    if (event.attempt > 1) retries.push(event)
  }

  const isDone = ({ id, accountId, attempts, nextAttemptAt }: DueDelivery): boolean =>
    (lastAttempt.get(id) ?? 0) > attempts ||
    id < (firstSinceReset.get(accountId) ?? 0) ||
    wasDelayed(id, nextAttemptAt)

  function wasDelayed(id: number, nextAttemptAt: Instant | null): boolean {
    const at = delayedAt.get(id)
    return at !== undefined && (nextAttemptAt === null || nextAttemptAt <= at)
  }

  return {
    /** All repeated attempts so far, oldest first. */
    retries,
    /** Whether each of these deliveries has been attempted, held, delayed or removed. */
    areDone: (due: readonly DueDelivery[]): boolean => isOver || due.every(isDone),
    /** Resolves when `areDone` is true, or when tracking stops. */
    async waitFor(due: readonly DueDelivery[]): Promise<void> {
      // Counts the deliveries that are done, so that each of thousands is checked only once.
      let done = 0
      await waitUntil(store, {
        match: () => true,
        check: async () => {
          while (done < due.length && isDone(due[done]!)) done++
          return isOver || done === due.length
        },
        signal: stopped.signal,
      })
    },
    stop(): void {
      unsubscribe()
      stopped.abort()
    },
  }
}
