import type { EventView } from '../../server/contract/views.ts'
import type { EventType } from '../../server/domain/events/event.ts'

/** These events have no row of their own, because the row of the event that caused them also describes them. */
const typesWithoutRow: ReadonlySet<EventType> = new Set([
  'link.created',
  'refund.requested',
  'delivery.queued',
])

/** Whether the timeline shows an event as a row. */
export const hasRow = (event: EventView): boolean =>
  !typesWithoutRow.has(event.type) && !(event.type === 'tunnel.captured' && event.capturedDeliveryId !== null)
