import type { EventView } from '../../server/contract/views.ts'
import { isSuccessful } from '../../server/domain/webhooks/delivery.ts'

export const webhookStates = ['delivered', 'retrying', 'held', 'failed', 'queued'] as const

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
  /** How many attempts of this delivery were made. */
  readonly attempts: number
}

type DeliveryEvent = Extract<EventView, { deliveryId: number }>

/**
 * One mark for each target of a payment, from its events, oldest first. A replay counts for the target of its
 * original. A target that got the webhook once stays delivered. Forged webhooks do not count.
 */
export function webhookMarks(events: readonly EventView[]): readonly WebhookMark[] {
  const marks = new Map<string, WebhookMark>()
  const targetOf = new Map<number, string>()
  const attempts = new Map<number, number>()
  for (const event of events) {
    if (!('deliveryId' in event) || event.cause === 'forged') continue
    const { deliveryId, replayOf } = event
    const target =
      targetOf.get(deliveryId) ??
      (replayOf === null ? event.target : (targetOf.get(replayOf) ?? event.target))
    targetOf.set(deliveryId, target)
    if (event.type === 'delivery.attempted') attempts.set(deliveryId, event.attempt)
    if (marks.get(target)?.state === 'delivered') continue
    marks.set(target, {
      target,
      state: stateAfter(event),
      at: event.at,
      nextAttemptAt: 'nextAttemptAt' in event ? event.nextAttemptAt : null,
      deliveryId,
      seq: event.seq,
      attempts: attempts.get(deliveryId) ?? 0,
    })
  }
  return [...marks.values()]
}

function stateAfter(event: DeliveryEvent): WebhookState {
  if (event.type === 'delivery.held') return 'held'
  if (event.type !== 'delivery.attempted') return 'queued'
  if (event.httpStatus !== null && isSuccessful({ status: event.httpStatus })) return 'delivered'
  return event.nextAttemptAt === null ? 'failed' : 'retrying'
}
