import type { WebhookDispatcher } from '../webhooks/dispatcher.ts'
import { MAX_CLOCK_TIME } from '../../domain/time/clock.ts'
import { startsEpoch, type RecordedEvent } from '../../domain/events/event.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import { nextJobDue, runDueJobs } from '../operations/clock/run-due-jobs.ts'
import { pauseAfterFailure } from '../../store/pause-after-failure.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import type { Store } from '../../store/store.ts'

/** The longest timer. Timers pause while the machine sleeps, so a longer timer would fire much too late. */
const MAX_TIMER_MS = 60_000

/** Runs jobs when they fall due on the running clock: issues invoices and sends due webhooks. */
export function watchClock(
  store: Store,
  dispatcher: Pick<WebhookDispatcher, 'sendDue'>,
  onError: (error: unknown) => void,
) {
  let timer: NodeJS.Timeout | undefined
  const stopping = new AbortController()
  let isPausing = false
  /** When the timer fires. Cleared before each run, so that a job that becomes due during the run sets the timer again. */
  let next: Instant = MAX_CLOCK_TIME

  /** A frozen clock needs no timer. When the clock runs again, the event `clock.changed` sets one. */
  function setTimer(): void {
    clearTimeout(timer)
    const { now, clock } = store.time()
    if (stopping.signal.aborted || clock.mode === 'frozen') return
    const left = Math.max(Date.parse(next) - Date.parse(now), 0)
    timer = setTimeout(runDue, Math.min(left, MAX_TIMER_MS)).unref()
  }

  function setTimerFor(due: Instant): void {
    if (due >= next) return
    next = due
    setTimer()
  }

  /** Runs the jobs that are due. Running them twice is harmless, because a month is billed only once. */
  function runDue(): void {
    next = MAX_CLOCK_TIME
    store
      .transact(async (work) => {
        await runDueJobs(work, work.now)
        return { due: await deliveries.dueByTime(work.db, work.now), until: await nextJobDue(work) }
      })
      .then(({ due, until }) => {
        dispatcher.sendDue(due)
        setTimerFor(until)
      })
      .catch(repeatLater)
  }

  /** Runs the jobs again after a pause. One more run is enough for all jobs that fail in the meantime. */
  async function repeatLater(error: unknown): Promise<void> {
    if (isPausing) return onError(error)
    isPausing = true
    const shouldContinue = await pauseAfterFailure(error, { signal: stopping.signal, onError })
    isPausing = false
    if (shouldContinue) runDue()
    return undefined
  }

  function handleEvents(recorded: readonly RecordedEvent[]): void {
    if (recorded.some((event) => event.type === 'clock.changed' || startsEpoch(event))) runDue()
    for (const event of recorded) {
      if ('nextAttemptAt' in event && event.nextAttemptAt !== null) setTimerFor(event.nextAttemptAt)
    }
  }

  const unsubscribe = store.eventBus.subscribe(handleEvents)
  runDue()
  return {
    stop(): void {
      stopping.abort()
      unsubscribe()
      clearTimeout(timer)
    },
  }
}
