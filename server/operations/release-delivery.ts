import type { Delivery } from '../domain/delivery.ts'
import { aboutDelivery } from '../domain/events.ts'
import { Refusal, wording } from '../domain/refusals.ts'
import * as deliveries from '../store/deliveries.ts'
import type { Work } from '../store/store.ts'

/** Lets out a webhook that the egress guard held back. */
export async function releaseDelivery(work: Work, held: Delivery): Promise<Delivery> {
  if (held.state !== 'held') throw new Refusal('conflict', wording.notHeld(held.state))
  const released: Delivery = { ...held, state: 'pending', released: true }
  await deliveries.save(work.db, released)
  await work.record({ type: 'delivery.released', ...aboutDelivery(released) })
  return released
}
