import { decisiveAnswer, isStored, isSuccessful } from '../../../domain/webhooks/delivery.ts'
import * as events from '../../../store/journal/events.ts'
import * as deliveries from '../../../store/repositories/deliveries.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/**
 * Updates a stored webhook with the responses of the listeners that have fetched it. Does nothing for other webhooks. Must be
 * called after a listener has responded, and also after the attempt was recorded, because a listener that has just connected can
 * respond before that.
 */
export async function updateStored({ db }: UnitOfWork, deliveryId: number): Promise<void> {
  const delivery = await deliveries.find(db, deliveryId)
  if (delivery?.state !== 'stored' && delivery?.state !== 'failed') return
  const attempts = (await events.listAttempts(db, deliveryId)).map(({ event }) => event)
  const last = attempts.at(-1)
  if (last?.type !== 'delivery.attempted' || !isStored(last)) return
  const answer = decisiveAnswer(await events.listenerAnswersTo(db, delivery), attempts)
  if (!answer) return
  await deliveries.save(db, { ...delivery, state: isSuccessful(answer) ? 'delivered' : 'failed' })
}
