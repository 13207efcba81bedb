import type { EventView } from '../views.ts'
import { decisiveAnswer, fetchedDelivery } from '../../domain/webhooks/delivery.ts'

export type AnswerEvent = Extract<EventView, { type: 'tunnel.answered' }>

/**
 * For each delivery, the response of the listener that fetched its last attempt from a tunnel, even if it fetched the attempt
 * while it was running.
 */
export function listenerAnswers(events: readonly EventView[]): ReadonlyMap<number, AnswerEvent> {
  const answers = events.filter((event) => event.type === 'tunnel.answered')
  const attempts = events.filter((event) => event.type === 'delivery.attempted')
  const byDelivery = new Map<number, AnswerEvent>()
  for (const id of new Set(answers.map(fetchedDelivery))) {
    if (id === undefined) continue
    const answer = decisiveAnswer(
      answers.filter((event) => fetchedDelivery(event) === id),
      attempts.filter(({ deliveryId }) => deliveryId === id),
    )
    if (answer) byDelivery.set(id, answer)
  }
  return byDelivery
}
