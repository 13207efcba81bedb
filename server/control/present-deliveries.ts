import type { Kysely } from 'kysely'
import { decisiveAnswer, type Delivery } from '../domain/webhooks/delivery.ts'
import { heldText } from '../domain/network/egress-text.ts'
import * as events from '../store/journal/events.ts'
import * as egressRules from '../store/repositories/egress-rules.ts'
import type { Database } from '../store/schema.ts'
import {
  presentAttempts,
  presentDelivery,
  presentListenerAnswer,
  toAbsoluteUrl,
  type AttemptView,
  type DeliveryView,
} from '../contract/views.ts'

/** Presents deliveries with their attempts. If `withBytes`, each attempt includes its bytes. */
export async function presentDeliveries(
  db: Kysely<Database>,
  all: readonly Delivery[],
  baseUrl: string,
  withBytes = false,
): Promise<DeliveryView[]> {
  const views: DeliveryView[] = []
  const maps = await egressRules.maps(db)
  for (const delivery of all) {
    const attempted = delivery.attempts === 0 ? [] : await events.listAttempts(db, delivery.id)
    const attempts = attempted.flatMap((attempt) => presentAttempts(attempt, withBytes, baseUrl))
    views.push(
      presentDelivery(
        delivery,
        baseUrl,
        await addListenerAnswer(db, delivery, attempts),
        delivery.state === 'held' ? await heldReason(db, delivery, baseUrl) : null,
        maps,
      ),
    )
  }
  return views
}

async function heldReason(db: Kysely<Database>, { id }: Delivery, baseUrl: string): Promise<string | null> {
  const hold = await events.newestHold(db, id)
  return hold === undefined ? null : heldText({ ...hold, target: toAbsoluteUrl(hold.target, baseUrl) })
}

/** Adds the listener that fetched a stored webhook to its last attempt. */
async function addListenerAnswer(
  db: Kysely<Database>,
  delivery: Delivery,
  attempts: readonly AttemptView[],
): Promise<readonly AttemptView[]> {
  const last = attempts.at(-1)
  if (last?.storedIn === undefined || delivery.state === 'stored') return attempts
  const answer = decisiveAnswer(await events.listenerAnswersTo(db, delivery), attempts)
  return answer ? [...attempts.slice(0, -1), { ...last, takenBy: presentListenerAnswer(answer) }] : attempts
}
