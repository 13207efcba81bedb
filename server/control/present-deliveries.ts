import type { Kysely } from 'kysely'
import type { Delivery } from '../domain/webhooks/delivery.ts'
import * as events from '../store/journal/events.ts'
import * as egressRules from '../store/repositories/egress-rules.ts'
import type { Database } from '../store/schema.ts'
import { presentAttempts, presentDelivery, type DeliveryView } from '../contract/views.ts'

/** Presents deliveries with their attempts, and with the bytes of each attempt if `withBytes`. */
export async function presentDeliveries(
  db: Kysely<Database>,
  all: readonly Delivery[],
  baseUrl: string,
  withBytes = false,
): Promise<DeliveryView[]> {
  const views: DeliveryView[] = []
  const maps = await egressRules.maps(db)
  for (const delivery of all) {
    const attempts = await events.attemptsOf(db, delivery.id)
    views.push(
      presentDelivery(
        delivery,
        baseUrl,
        attempts.flatMap((attempt) => presentAttempts(attempt, withBytes, baseUrl)),
        delivery.state === 'held' ? await events.holdReason(db, delivery.id) : null,
        maps,
      ),
    )
  }
  return views
}
