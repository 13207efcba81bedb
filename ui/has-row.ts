import type { EventView } from '../server/contract/views.ts'
import type { EventType } from '../server/domain/events/event.ts'

/** Each happens together with another event that has a row, and is told by that one. */
const typesWithoutRow: ReadonlySet<EventType> = new Set([
  'link.created',
  'refund.requested',
  'delivery.queued',
])

/** Whether an event has a row of its own in the timeline. */
export const hasRow = (event: EventView): boolean =>
  !typesWithoutRow.has(event.type) && !(event.type === 'tunnel.captured' && event.capturedDeliveryId !== null)
