import type { WebhookDispatcher } from '../webhooks/dispatcher.ts'
import { MAX_CLOCK_TIME } from '../domain/time/clock.ts'
import { startsEpoch, type RecordedEvent } from '../domain/events/event.ts'
import type { Instant } from '../domain/time/time.ts'
import { nextDue, runDueJobs } from '../operations/clock/run-due-jobs.ts'
import * as deliveries from '../store/repositories/deliveries.ts'
import type { Store } from '../store/store.ts'

/** A machine that slept wakes up with its timers late. */
const MAX_TIMER_MS = 60_000

/** What failed is tried again. */
const RETRY_AFTER_FAILURE_MS = 2_000

/** Does what falls due when the clock runs there: bills a month, and has webhooks tried again. */
export function watchClock(
  store: Store,
  dispatcher: Pick<WebhookDispatcher, 'sendDue'>,
  onError: (error: unknown) => void,
) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  /** What is waited for. Begun anew by every look, so that what is put off during one counts after it. */
  let next: Instant = MAX_CLOCK_TIME

  /** A frozen clock comes nowhere by itself, and `clock.changed` tells when it runs again. */
  function arm(longestMs: number): void {
    clearTimeout(timer)
    const { now, clock } = store.time()
    if (isStopped || clock.mode === 'frozen') return
    const left = Math.max(Date.parse(next) - Date.parse(now), 0)
    timer = setTimeout(runDue, Math.min(left, longestMs)).unref()
  }

  function wakeAt(due: Instant): void {
    if (due >= next) return
    next = due
    arm(MAX_TIMER_MS)
  }

  /** Does what is due, and remembers nothing of it: what was billed is not billed again. */
  function runDue(): void {
    next = MAX_CLOCK_TIME
    store
      .transact(async (work) => {
        await runDueJobs(work, work.now)
        return { due: await deliveries.retriesDue(work.db, work.now), until: await nextDue(work) }
      })
      .then(({ due, until }) => {
        dispatcher.sendDue(due)
        wakeAt(until)
      })
      .catch((error: unknown) => {
        arm(RETRY_AFTER_FAILURE_MS)
        onError(error)
      })
  }

  function handleEvents(recorded: readonly RecordedEvent[]): void {
    if (recorded.some((event) => event.type === 'clock.changed' || startsEpoch(event))) runDue()
    for (const event of recorded) {
      if ('nextAttemptAt' in event && event.nextAttemptAt !== null) wakeAt(event.nextAttemptAt)
    }
  }

  const unsubscribe = store.feed.subscribe(handleEvents)
  runDue()
  return {
    stop(): void {
      isStopped = true
      unsubscribe()
      clearTimeout(timer)
    },
  }
}
