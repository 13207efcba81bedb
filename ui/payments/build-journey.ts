import type { EventView } from '../../server/contract/views.ts'
import {
  attemptStatus,
  describeEvent,
  effectiveTarget,
  shortUrl,
  fetchedText,
} from '../../server/contract/format/describe-event.ts'
import { isStored, fetchedDelivery } from '../../server/domain/webhooks/delivery.ts'
import type { Status } from '../../server/contract/format/event-row.ts'
import type { DeliveryEvent } from '../data/event-index.ts'
import { eventOfCall } from './caused-events.ts'

/** The status of a step, with the event that caused it. */
export interface StepStatus {
  readonly seq: number
  readonly at: string
  readonly status: Status
}

/** One line of a payment's journey. `seq` is the event of the line with a row in the timeline, if there is one. */
export interface JourneyStep extends StepStatus {
  readonly text: string
  readonly detail: string
  readonly webhook?: WebhookStep
}

/** The history of the webhook to one target. */
export interface WebhookStep {
  readonly deliveryId: number
  readonly target: string
  /** The later statuses of the step. */
  readonly laterStatuses: readonly StepStatus[]
  /** Whether the webhook is queued, and nothing else has happened to it. */
  readonly isQueued: boolean
  readonly isHeld: boolean
  /** `null` if no other attempt is due. */
  readonly nextAttemptAt: string | null
  readonly isRepeat: boolean
  /** The `seq` of the event when a tunnel of this sandbox captured the webhook. */
  readonly captured: number | null
  /** Replays and resends of the webhook. */
  readonly repeats: readonly JourneyStep[]
}

type Mutable<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] }
type MutableWebhookStep = Mutable<Omit<WebhookStep, 'laterStatuses' | 'repeats'>> & {
  laterStatuses: StepStatus[]
  repeats: MutableStep[]
}
type MutableStep = Mutable<Omit<JourneyStep, 'webhook'>> & { webhook?: MutableWebhookStep }

/** Turns the events of a payment, oldest first, into steps. Each webhook is one step, with its attempts and repeats. */
export function buildJourney(events: readonly EventView[]): readonly JourneyStep[] {
  const steps: MutableStep[] = []
  const newestOfType = new Map<EventView['type'], MutableStep>()
  const byDelivery = new Map<number, MutableStep>()
  /** The webhooks that a tunnel stored, by delivery. */
  const stored = new Map<number, MutableWebhookStep>()
  /** For each delivery, the first webhook in its sequence of repeats. */
  const originals = new Map<number, MutableStep>()

  for (const event of events) {
    // Findings are shown in the details of their event.
    if (event.type === 'diagnostic.found') continue
    if (event.type === 'tunnel.captured' && event.capturedDeliveryId !== null) {
      const webhook = byDelivery.get(event.capturedDeliveryId)?.webhook
      if (webhook) webhook.captured = event.seq
      continue
    }
    const listenerAnswer =
      event.type === 'tunnel.answered' ? stored.get(fetchedDelivery(event) ?? NaN) : undefined
    if (event.type === 'tunnel.answered' && listenerAnswer) {
      const status = attemptStatus(event.status)
      listenerAnswer.laterStatuses.push({
        seq: event.seq,
        at: event.at,
        status: { ...status, word: `${status.word}, ${fetchedText(event)}` },
      })
      continue
    }
    if ('deliveryId' in event) {
      const known = byDelivery.get(event.deliveryId)
      if (known) {
        addStatus(known, event)
        if (event.type === 'delivery.attempted' && isStored(event)) {
          stored.set(event.deliveryId, known.webhook!)
        }
        continue
      }
      const step = toWebhookStep(event)
      const original = event.cause === 'outcome' ? undefined : findOriginal(event, originals)
      byDelivery.set(event.deliveryId, step)
      originals.set(event.deliveryId, original ?? step)
      step.webhook!.isRepeat = original !== undefined
      if (original) original.webhook!.repeats.push(step)
      else steps.push(step)
      continue
    }
    if (event.type === 'api.request' && event.code === 1) {
      const caused = eventOfCall[event.operation]
      const step = caused && newestOfType.get(caused)
      if (step) {
        step.seq = event.seq
        step.detail = [step.detail, event.operation].filter(Boolean).join(', ')
        continue
      }
    }
    const step = toStep(event)
    newestOfType.set(event.type, step)
    steps.push(step)
  }
  return steps
}

function toStep(event: EventView): MutableStep {
  const { lead, rest, ...status } = describeEvent(event)
  const step = (text: string, detail = rest): MutableStep => ({
    seq: event.seq,
    at: event.at,
    status,
    text,
    detail,
  })
  switch (event.type) {
    case 'link.created':
      return step('Created by API', '')
    case 'checkout.viewed':
      return step(`Page opened: ${event.page}`, '')
    case 'redirect.sent':
    case 'redirect.lost':
      return step(`Redirect → ${shortUrl(event.location)}`, '')
    case 'refund.requested':
      return step('Refund requested by API')
    default:
      return step(lead)
  }
}

function toWebhookStep(event: DeliveryEvent): MutableStep {
  const status = describeEvent(event)
  const title = {
    outcome: 'Webhook',
    resend: 'Resent',
    replay: 'Replay',
    duplicate: 'Duplicate',
    forged: 'Forged webhook',
  }[event.cause]
  return {
    seq: event.seq,
    at: event.at,
    status,
    text: `${title} → ${effectiveTarget(event)}`,
    detail: event.cause === 'replay' ? event.reason : `status: ${event.status}`,
    webhook: {
      deliveryId: event.deliveryId,
      target: event.target,
      laterStatuses: [],
      isQueued: event.type === 'delivery.queued',
      isHeld: false,
      nextAttemptAt: null,
      isRepeat: false,
      captured: null,
      repeats: [],
    },
  }
}

/** The first result replaces the status `queued`. Later results follow it. */
function addStatus(step: MutableStep, event: DeliveryEvent): void {
  const status = describeEvent(event)
  const webhook = step.webhook!
  if (webhook.isQueued) Object.assign(step, { seq: event.seq, status })
  else webhook.laterStatuses.push({ seq: event.seq, at: event.at, status })
  webhook.isQueued = false
  webhook.isHeld = event.type === 'delivery.held'
  webhook.nextAttemptAt = event.type === 'delivery.attempted' ? event.nextAttemptAt : null
}

/** The webhook that an event repeats. A replay names its original. A resend repeats the first webhook to the same target. */
function findOriginal(
  event: DeliveryEvent,
  originals: ReadonlyMap<number, MutableStep>,
): MutableStep | undefined {
  if (event.cause === 'forged') return undefined
  if (event.replayOf !== null) return originals.get(event.replayOf)
  return [...originals.values()].find(({ webhook }) => webhook?.target === event.target)
}
