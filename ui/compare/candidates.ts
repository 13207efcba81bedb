import type { EventView } from '../../server/contract/views.ts'
import { log } from '../data/session.ts'

const MAX_CANDIDATES = 12

/**
 * The events that are worth comparing with an event, newest first. For a webhook these are all attempts, those of its own
 * payment before the others. For another request, those of the same kind.
 */
export function candidatesFor(event: EventView, without: readonly number[]): readonly EventView[] {
  const { eventIndex, entries } = log.journal.value
  const found = new Set<EventView>()
  const add = (other: EventView) => {
    if (isAlike(event, other) && !without.includes(other.seq)) found.add(other)
    return found.size < MAX_CANDIDATES
  }
  const ofPayment =
    'deliveryId' in event && event.payId !== null ? eventIndex.eventsOfPayment(event.payId) : []
  if (ofPayment.toReversed().every(add)) {
    let index = entries.length - 1
    while (index >= 0 && add(entries[index]!.event)) index--
  }
  return [...found]
}

function isAlike(one: EventView, other: EventView): boolean {
  if ('deliveryId' in one) return other.type === 'delivery.attempted'
  return 'operation' in one
    ? 'operation' in other && other.operation === one.operation
    : other.type === one.type
}
