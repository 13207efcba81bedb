import { monthAfter, monthOf, monthStart } from './domain/calendar.ts'
import { beginsEpoch } from './domain/events.ts'
import { passTime } from './operations/pass-time.ts'
import type { Store } from './store/store.ts'

/** A machine that slept wakes up with its timers late. */
const LONGEST_WAIT_MS = 60_000

/** Bills a month when the clock runs past its end. */
export function watchMonthEnds(store: Store, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let month = monthOf(store.now().toISOString())

  function arm(): void {
    clearTimeout(timer)
    const now = store.now()
    const left = Date.parse(monthStart(monthAfter(monthOf(now.toISOString())))) - now.getTime()
    timer = setTimeout(look, Math.min(left, LONGEST_WAIT_MS)).unref()
  }

  function look(): void {
    const current = monthOf(store.now().toISOString())
    if (current !== month) store.transact((work) => passTime(work, work.now)).catch(onError)
    month = current
    arm()
  }

  const unsubscribe = store.feed.subscribe((recorded) => {
    if (recorded.some((event) => event.type === 'clock.changed' || beginsEpoch(event))) look()
  })
  arm()
  return {
    stop(): void {
      unsubscribe()
      clearTimeout(timer)
    },
  }
}
