import { effect } from '@preact/signals'
import { navigate, route } from '../browser/route.ts'
import { log } from '../data/session.ts'

let stopWaiting = (): void => {}

/**
 * Selects the newest event of a delivery. The answer to a replay can arrive before its event. In that case, this selects the
 * first event that arrives, unless the user has gone elsewhere.
 */
export function showDelivery(id: number): void {
  stopWaiting()
  const routeBefore = route.peek()
  stopWaiting = effect(() => {
    const newest = log.journal.value.eventIndex.eventsOfDelivery(id).at(-1)
    if (!newest && route.value === routeBefore) return
    queueMicrotask(() => stopWaiting())
    if (!newest) return
    // The search of another screen has filters that the timeline does not know.
    const shownBy = route.peek().screen === 'timeline' ? {} : { query: '', range: undefined }
    navigate({ screen: 'timeline', id: newest.seq, other: undefined, ...shownBy })
  })
}
