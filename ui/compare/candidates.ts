import type { EventView } from '../../server/contract/views.ts'
import { log } from '../session.ts'

const MAX_CANDIDATES = 12

/**
 * The events that are worth comparing with an event, newest first. For a webhook these are all attempts, those of its own
 * payment before the others. For another request, those of the same kind.
 */
export function candidatesFor(event: EventView, without: readonly number[]): readonly EventView[] {
  const { eventIndex, entries } = log.journal.value
  const found = new Set<EventView>()
  const add = (events: readonly EventView[]) => {
    for (let index = events.length - 1; index >= 0 && found.size < MAX_CANDIDATES; index--) {
      const other = events[index]!
      if (isAlike(event, other) && !without.includes(other.seq)) found.add(other)
    }
  }
  if ('deliveryId' in event && event.payId !== null) add(eventIndex.eventsOfPayment(event.payId))
  add(entries.map((entry) => entry.event))
  return [...found]
}

function isAlike(one: EventView, other: EventView): boolean {
  if ('deliveryId' in one) return other.type === 'delivery.attempted'
  return 'operation' in one
    ? 'operation' in other && other.operation === one.operation
    : other.type === one.type
}
