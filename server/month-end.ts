import { monthAfter, monthOf, monthStart } from './domain/calendar.ts'
import { beginsEpoch } from './domain/events.ts'
import { passTime } from './operations/pass-time.ts'
import type { Store } from './store/store.ts'

/** A machine that slept wakes up with its timers late. */
const LONGEST_WAIT_MS = 60_000

/** What failed is tried again. */
const WAIT_AFTER_FAILURE_MS = 2_000

/** Bills a month when the clock runs past its end. */
export function watchMonthEnds(store: Store, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  /** A frozen clock comes to no end of a month by itself, and `clock.changed` tells when it runs again. */
  function arm(longestMs: number): void {
    clearTimeout(timer)
    const { now, clock } = store.time()
    if (isStopped || clock.mode === 'frozen') return
    const left = Date.parse(monthStart(monthAfter(monthOf(now)))) - Date.parse(now)
    timer = setTimeout(look, Math.min(left, longestMs)).unref()
  }

  /** Does what is due, and remembers nothing of it: what was billed is not billed again. */
  function look(): void {
    store
      .transact((work) => passTime(work, work.now))
      .then(() => arm(LONGEST_WAIT_MS))
      .catch((error: unknown) => {
        arm(WAIT_AFTER_FAILURE_MS)
        onError(error)
      })
  }

  const unsubscribe = store.feed.subscribe((recorded) => {
    if (recorded.some((event) => event.type === 'clock.changed' || beginsEpoch(event))) look()
  })
  arm(LONGEST_WAIT_MS)
  return {
    stop(): void {
      isStopped = true
      unsubscribe()
      clearTimeout(timer)
    },
  }
}
