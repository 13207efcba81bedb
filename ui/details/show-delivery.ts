import { navigate } from '../route.ts'
import { log } from '../session.ts'
import { showToast } from '../toasts.ts'

/** Selects the newest event of a delivery. */
export function showDelivery(id: number): void {
  const newest = log.journal.peek().eventIndex.eventsOfDelivery(id).at(-1)
  if (newest) navigate({ screen: 'timeline', id: newest.seq })
  else showToast({ tone: 'err', text: `Delivery ${id} is not in the timeline yet` })
}
