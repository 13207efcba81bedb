import type { EventView } from '../views.ts'
import { isStored, isSuccessful } from '../../domain/webhooks/delivery.ts'
import { takenAnswers } from './taken-answers.ts'

export const webhookStates = ['delivered', 'stored', 'retrying', 'held', 'failed', 'queued'] as const

export type WebhookState = (typeof webhookStates)[number]

/** The webhook of a payment to one target. */
export interface WebhookMark {
  readonly target: string
  readonly state: WebhookState
  /** When the state began. */
  readonly at: string
  /** When the next attempt is due. */
  readonly nextAttemptAt: string | null
  readonly deliveryId: number
  /** The event that decided the state. */
  readonly seq: number
  /** The tunnel that stores it. */
  readonly storedIn?: string
  /** How many attempts of this delivery were made. */
  readonly attempts: number
}

type DeliveryEvent = Extract<EventView, { deliveryId: number }>

/**
 * One mark for each target of a payment, from its events, oldest first. A replay counts for the target of its
 * original. A target that got the webhook once stays delivered. Forged webhooks do not count. A stored webhook changes
 * when a listener takes it.
 */
export function webhookMarks(events: readonly EventView[]): readonly WebhookMark[] {
  const marks = new Map<string, WebhookMark>()
  const targetOf = new Map<number, string>()
  const attempts = new Map<number, number>()
  const taken = takenAnswers(events)
  for (const event of events) {
    if (!('deliveryId' in event) || event.cause === 'forged') continue
    const { deliveryId, replayOf } = event
    const target =
      targetOf.get(deliveryId) ??
      (replayOf === null ? event.target : (targetOf.get(replayOf) ?? event.target))
    targetOf.set(deliveryId, target)
    if (event.type === 'delivery.attempted') attempts.set(deliveryId, event.attempt)
    if (marks.get(target)?.state === 'delivered') continue
    const answer = isStoredEvent(event) ? taken.get(deliveryId) : undefined
    const state = answer ? (isSuccessful(answer) ? 'delivered' : 'failed') : stateAfter(event)
    marks.set(target, {
      target,
      state,
      at: answer?.at ?? event.at,
      nextAttemptAt: 'nextAttemptAt' in event ? event.nextAttemptAt : null,
      deliveryId,
      seq: event.seq,
      ...(state === 'stored' && 'storedIn' in event && { storedIn: event.storedIn }),
      attempts: attempts.get(deliveryId) ?? 0,
    })
  }
  return [...marks.values()]
}

const isStoredEvent = (event: DeliveryEvent): boolean =>
  event.type === 'delivery.attempted' && isStored(event)

function stateAfter(event: DeliveryEvent): WebhookState {
  if (event.type === 'delivery.held') return 'held'
  if (event.type !== 'delivery.attempted') return 'queued'
  if (isStored(event)) return 'stored'
  if (isSuccessful({ status: event.httpStatus })) return 'delivered'
  return event.nextAttemptAt === null ? 'failed' : 'retrying'
}
