import { startsEpoch, clearsAccount, type AttemptEvent, type RecordedEvent } from '../domain/events/event.ts'
import type { Instant } from '../domain/time/time.ts'
import type { DueDelivery } from '../store/repositories/deliveries.ts'
import type { Store } from '../store/store.ts'

/** Listens to what becomes of webhooks, until it is stopped or the journal begins anew. */
export function trackAttempts(store: Store) {
  const retries: AttemptEvent[] = []
  /** The number of the newest attempt. One that is held back instead will not be attempted at all. */
  const lastAttempt = new Map<number, number>()
  /** When one was last put off. What it was due for before then is not waited for any more. */
  const delayedAt = new Map<number, Instant>()
  /** For an account that was reset its first webhook since then: those before are gone. */
  const firstSinceReset = new Map<string, number>()
  let isOver = false
  let onEvents: (() => void) | undefined

  const unsubscribe = store.feed.subscribe((recorded) => {
    for (const event of recorded) handleEvent(event)
    onEvents?.()
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
    /** The attempts so far that were not the first of their webhook, oldest first. */
    retries,
    haveBeenMade: (due: readonly DueDelivery[]): boolean => isOver || due.every(isDone),
    /** Waits until each of these was attempted, held back or swept away. Looks at each once, however many there are. */
    async made(due: readonly DueDelivery[]): Promise<void> {
      let done = 0
      await new Promise<void>((resolve) => {
        onEvents = () => {
          while (done < due.length && isDone(due[done]!)) done++
          if (isOver || done === due.length) resolve()
        }
        onEvents()
      })
    },
    stop: unsubscribe,
  }
}
