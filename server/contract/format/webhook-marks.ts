import type { EventView } from '../views.ts'
import { isForged } from '../../domain/faults/fault.ts'
import { isStored, isSuccessful } from '../../domain/webhooks/delivery.ts'
import { listenerAnswers } from './listener-answers.ts'

export const webhookStates = ['delivered', 'stored', 'retrying', 'held', 'failed', 'queued'] as const

export type WebhookState = (typeof webhookStates)[number]

/** The state of a payment's webhook to one target. */
export interface WebhookMark {
  readonly target: string
  readonly state: WebhookState
  /** When the webhook got into this state. */
  readonly at: string
  /** When the next attempt is due. */
  readonly nextAttemptAt: string | null
  readonly deliveryId: number
  /** All deliveries of the webhook: the original, its replays, resends and duplicates. */
  readonly deliveryIds: readonly number[]
  /** The other address, if a replay delivered the webhook there instead of to the target. */
  readonly deliveredTo?: string
  /** The event that decided the state. */
  readonly seq: number
  /** The tunnel that stores the webhook. */
  readonly storedIn?: string
  /** How many attempts this delivery has had. */
  readonly attempts: number
}

type DeliveryEvent = Extract<EventView, { deliveryId: number }>

/**
 * One mark for each target of a payment, computed from its events, oldest first. Once a target has received the webhook, the mark
 * stays `delivered`. The state of a stored webhook changes when a listener fetches it. A replay to a different address counts for
 * the target of the original, because the address may be the corrected address of the app; the mark contains this address. Forged
 * and changed webhooks do not count, because they say nothing about the payment.
 */
export function webhookMarks(events: readonly EventView[]): readonly WebhookMark[] {
  const marks = new Map<string, WebhookMark>()
  const targetOf = new Map<number, string>()
  const attempts = new Map<number, number>()
  const answers = listenerAnswers(events)
  for (const event of events) {
    if (!('deliveryId' in event) || isForged(event.fault)) continue
    const { deliveryId, replayOf } = event
    const target =
      targetOf.get(deliveryId) ??
      (replayOf === null ? event.target : (targetOf.get(replayOf) ?? event.target))
    targetOf.set(deliveryId, target)
    if (event.type === 'delivery.attempted') attempts.set(deliveryId, event.attempt)
    const before = marks.get(target)
    const deliveryIds = [...new Set([...(before?.deliveryIds ?? []), deliveryId])]
    const answer = isStoredEvent(event) ? answers.get(deliveryId) : undefined
    const state = answer ? (isSuccessful(answer) ? 'delivered' : 'failed') : stateAfter(event)
    const isElsewhere = event.target !== target
    if (before && !changesMark(before, state, isElsewhere)) {
      marks.set(target, { ...before, deliveryIds })
      continue
    }
    marks.set(target, {
      target,
      state,
      at: answer?.at ?? event.at,
      nextAttemptAt: 'nextAttemptAt' in event ? event.nextAttemptAt : null,
      deliveryId,
      deliveryIds,
      ...(isElsewhere && state === 'delivered' && { deliveredTo: event.target }),
      seq: event.seq,
      ...(state === 'stored' && 'storedIn' in event && { storedIn: event.storedIn }),
      attempts: attempts.get(deliveryId) ?? 0,
    })
  }
  return [...marks.values()]
}

/**
 * Whether an event changes the mark. A delivery to the target itself replaces a delivery to a different address. A failed replay
 * to a different address changes nothing.
 */
function changesMark(before: WebhookMark, state: WebhookState, isElsewhere: boolean): boolean {
  if (isElsewhere && state !== 'delivered' && state !== 'stored') return false
  if (before.state !== 'delivered') return true
  return before.deliveredTo !== undefined && state === 'delivered' && !isElsewhere
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
