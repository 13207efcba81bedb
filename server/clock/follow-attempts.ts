import { startsEpoch, clearsAccount, type AttemptEvent, type RecordedEvent } from '../domain/events/event.ts'
import type { Instant } from '../domain/time/time.ts'
import type { Due } from '../store/repositories/deliveries.ts'
import type { Store } from '../store/store.ts'

/** Listens to what becomes of webhooks, until it is stopped or the journal begins anew. */
export function followAttempts(store: Store) {
  const retries: AttemptEvent[] = []
  /** The number of the newest attempt. One that is held back instead will not be attempted at all. */
  const reached = new Map<number, number>()
  /** When one was last put off. What it was due for before then is not waited for any more. */
  const putOffAt = new Map<number, Instant>()
  /** For an account that was reset its first webhook since then: those before are gone. */
  const firstSince = new Map<string, number>()
  let isOver = false
  let check: (() => void) | undefined

  const unsubscribe = store.feed.subscribe((recorded) => {
    for (const event of recorded) hear(event)
    check?.()
  })

  function hear(event: RecordedEvent): void {
    if (startsEpoch(event)) isOver = true
    const { accountId } = event
    if (accountId !== null && clearsAccount(event)) firstSince.set(accountId, Infinity)
    if (accountId !== null && event.type === 'delivery.queued' && firstSince.get(accountId) === Infinity) {
      firstSince.set(accountId, event.deliveryId)
    }
    if (event.type === 'delivery.held') reached.set(event.deliveryId, Infinity)
    if (event.type === 'delivery.delayed') putOffAt.set(event.deliveryId, event.at)
    if (event.type !== 'delivery.attempted') return
    reached.set(event.deliveryId, event.attempt)
    if (event.attempt > 1) retries.push(event)
  }

  const wasMade = ({ id, accountId, attempts, nextAttemptAt }: Due): boolean =>
    (reached.get(id) ?? 0) > attempts || id < (firstSince.get(accountId) ?? 0) || wasPutOff(id, nextAttemptAt)

  function wasPutOff(id: number, nextAttemptAt: Instant | null): boolean {
    const at = putOffAt.get(id)
    return at !== undefined && (nextAttemptAt === null || nextAttemptAt <= at)
  }

  return {
    /** The attempts so far that were not the first of their webhook, oldest first. */
    retries,
    haveBeenMade: (due: readonly Due[]): boolean => isOver || due.every(wasMade),
    /** Waits until each of these was attempted, held back or swept away. Looks at each once, however many there are. */
    async made(due: readonly Due[]): Promise<void> {
      let done = 0
      await new Promise<void>((resolve) => {
        check = () => {
          while (done < due.length && wasMade(due[done]!)) done++
          if (isOver || done === due.length) resolve()
        }
        check()
      })
    },
    stop: unsubscribe,
  }
}
