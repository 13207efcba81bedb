import type { EventView } from '../../server/contract/views.ts'
import { log } from './session.ts'

/** The attempts of a delivery, oldest first. */
export const attemptsOf = (deliveryId: number) =>
  log.journal.value.eventIndex
    .eventsOfDelivery(deliveryId)
    .filter(
      (event): event is Extract<EventView, { type: 'delivery.attempted' }> =>
        event.type === 'delivery.attempted',
    )
