import type { EventView } from '../../server/contract/views.ts'
import { decisiveAnswer, takenDelivery } from '../../server/domain/webhooks/delivery.ts'

export type AnswerEvent = Extract<EventView, { type: 'tunnel.answered' }>

/** By delivery, the answer that counts of the listeners that got it from a tunnel, also while it was sent. */
export function takenAnswers(events: readonly EventView[]): ReadonlyMap<number, AnswerEvent> {
  const answers = new Map<number, AnswerEvent>()
  for (const event of events) {
    const deliveryId = event.type === 'tunnel.answered' ? takenDelivery(event) : undefined
    if (event.type !== 'tunnel.answered' || deliveryId === undefined) continue
    const before = answers.get(deliveryId)
    answers.set(deliveryId, before ? decisiveAnswer([before, event])! : event)
  }
  return answers
}
