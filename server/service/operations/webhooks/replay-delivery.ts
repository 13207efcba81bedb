import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import { deliverySubject } from '../../../domain/webhooks/delivery.ts'
import { createForgedMark, isForged } from '../../../domain/faults/fault.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import { hidePasswords } from '../../../domain/network/credentials.ts'

interface Changes {
  /** The absolute URL, if it differs from the original target. */
  readonly to?: string | undefined
  /** The body, if it differs from the original. */
  readonly body?: string | undefined
  /** Set if the replay waits until its plan starts it. */
  readonly state?: 'planned'
}

/** Sends the bytes of a webhook again, as a new delivery that refers to the original. */
export async function replayDelivery(
  work: UnitOfWork,
  origin: Delivery,
  { to, body, state }: Changes,
): Promise<Delivery> {
  // The user may pass the target as it is displayed, without its password. The target itself is then meant.
  const target = to === undefined || to === hidePasswords(origin.target) ? origin.target : to
  const isAltered = body !== undefined && body !== origin.body
  const replay = await deliveries.queue(
    work.db,
    {
      accountId: origin.accountId,
      linkId: origin.linkId,
      payId: origin.payId,
      status: origin.status,
      cause: 'replay',
      target,
      reason: [
        `replay of delivery ${origin.id}`,
        ...(isAltered ? ['with changed bytes'] : []),
        ...(target === origin.target ? [] : ['to another target']),
      ].join(', '),
      contentType: origin.contentType,
      body: body ?? origin.body,
      retries: 'none',
      replayOf: origin.id,
      ...(state && { state }),
      // A replay of a forged webhook is also forged.
      ...(isAltered
        ? { fault: createForgedMark('body') }
        : isForged(origin.fault) && { fault: origin.fault! }),
    },
    work.now,
  )
  await work.record({ type: 'delivery.queued', ...deliverySubject(replay), assumed: [] })
  return replay
}
