import type { EventView } from '../views.ts'
import { decisiveAnswer, takenDelivery } from '../../domain/webhooks/delivery.ts'

export type AnswerEvent = Extract<EventView, { type: 'tunnel.answered' }>

/**
 * For each delivery, the response of the listener that fetched its last attempt from a tunnel, even if it fetched the attempt
 * while it was running.
 */
export function takenAnswers(events: readonly EventView[]): ReadonlyMap<number, AnswerEvent> {
  const answers = events.filter((event) => event.type === 'tunnel.answered')
  const attempts = events.filter((event) => event.type === 'delivery.attempted')
  const taken = new Map<number, AnswerEvent>()
  for (const id of new Set(answers.map(takenDelivery))) {
    if (id === undefined) continue
    const answer = decisiveAnswer(
      answers.filter((event) => takenDelivery(event) === id),
      attempts.filter(({ deliveryId }) => deliveryId === id),
    )
    if (answer) taken.set(id, answer)
  }
  return taken
}
