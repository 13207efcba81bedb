import type { EventView } from '../../server/contract/views.ts'
import { describeEvent } from '../../server/format/describe-event.ts'
import type { Tone } from '../../server/format/event-row.ts'
import type { DeliveryEvent } from '../event-index.ts'

/** Something that has come of a step: a symbol with a word, and the event that tells more. */
export interface Mark {
  readonly seq: number
  readonly at: string
  readonly tone: Tone
  readonly status: string
}

/** One line of a payment's journey. Its `seq` is that of an event with a row in the timeline, where there is one. */
export interface Step extends Mark {
  readonly text: string
  readonly detail: string
  readonly sending?: WebhookStep
}

/** A webhook to one target, with everything that was tried. */
export interface WebhookStep {
  readonly deliveryId: number
  /** What came of it first is told by the step itself. */
  readonly later: readonly Mark[]
  readonly isHeld: boolean
  /** When it is tried again, `null` where it is not. */
  readonly nextAttemptAt: string | null
  readonly isRepeat: boolean
  /** The `seq` at which a tunnel of this sandbox captured it. */
  readonly captured: number | null
  /** The same webhook sent again. */
  readonly repeats: readonly Step[]
}

type Draft<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] }
type MutableWebhookStep = Draft<Omit<WebhookStep, 'later' | 'repeats'>> & {
  later: Mark[]
  repeats: MutableStep[]
}
type MutableStep = Draft<Omit<Step, 'sending'>> & { sending?: MutableWebhookStep }

/** Which call asked for what: together they are one step. */
const createdByCall: Readonly<Record<string, EventView['type']>> = {
  createLink: 'link.created',
  createSplitLink: 'link.created',
  refundPayment: 'refund.requested',
}

/** Reads the events of a payment, oldest first, as one causal line. */
export function buildJourney(events: readonly EventView[]): readonly Step[] {
  const steps: MutableStep[] = []
  const newest = new Map<EventView['type'], MutableStep>()
  const sent = new Map<number, MutableStep>()
  const roots = new Map<number, MutableStep>()

  for (const event of events) {
    // What was found about a step is told where that is looked at.
    if (event.type === 'diagnostic.found') continue
    if (event.type === 'tunnel.captured' && event.capturedDeliveryId !== null) {
      const sending = sent.get(event.capturedDeliveryId)?.sending
      if (sending) sending.captured = event.seq
      continue
    }
    if ('deliveryId' in event) {
      const known = sent.get(event.deliveryId)
      if (known) {
        goOn(known, event)
        continue
      }
      const begun = begin(event)
      const root = event.cause === 'outcome' ? undefined : originOf(event, roots)
      sent.set(event.deliveryId, begun)
      roots.set(event.deliveryId, root ?? begun)
      begun.sending!.isRepeat = root !== undefined
      if (root) root.sending!.repeats.push(begun)
      else steps.push(begun)
      continue
    }
    const asked =
      event.type === 'api.request' && event.code === 1 ? createdByCall[event.operation] : undefined
    const step = asked && newest.get(asked)
    if (step && event.type === 'api.request') {
      Object.assign(step, {
        seq: event.seq,
        detail: [step.detail, event.operation].filter(Boolean).join(', '),
      })
      continue
    }
    const told = tell(event)
    newest.set(event.type, told)
    steps.push(told)
  }
  return steps
}

function tell(event: EventView): MutableStep {
  const { status, tone, request, message } = describeEvent(event)
  const step = (text: string, detail = message): MutableStep => ({
    seq: event.seq,
    at: event.at,
    tone,
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
      return step(`Redirect ${request}`, '')
    case 'refund.requested':
      return step('Refund asked by API')
    default:
      return step(request)
  }
}

function begin(event: DeliveryEvent): MutableStep {
  const { status, tone, request } = describeEvent(event)
  const verb = {
    outcome: 'Webhook',
    resend: 'Sent again',
    replay: 'Replay',
    duplicate: 'Duplicate',
    forged: 'Forged webhook',
  }[event.cause]
  return {
    seq: event.seq,
    at: event.at,
    tone,
    status,
    text: `${verb} → ${request}`,
    // Of which webhook, its place below that one says.
    detail:
      event.cause === 'replay'
        ? event.reason.replace(/^replay of delivery \d+(, )?/, '')
        : `status: ${event.status}`,
    sending: {
      deliveryId: event.deliveryId,
      later: [],
      isHeld: false,
      nextAttemptAt: null,
      isRepeat: false,
      captured: null,
      repeats: [],
    },
  }
}

/** What came of a webhook takes the place of its waiting; whatever comes after that is told as well. */
function goOn(step: MutableStep, event: DeliveryEvent): void {
  const { status, tone } = describeEvent(event)
  const { later, ...sending } = step.sending!
  const nextAttemptAt = event.type === 'delivery.attempted' ? event.nextAttemptAt : null
  const mark: Mark = { seq: event.seq, at: event.at, tone, status }
  const isFirst = step.status === QUEUED
  if (isFirst) Object.assign(step, { seq: mark.seq, tone, status })
  else later.push(mark)
  step.sending = { ...sending, later, isHeld: event.type === 'delivery.held', nextAttemptAt }
}

const QUEUED = '○ queued'

/** The webhook that another one repeats: named by a replay, and the first to that target for a resend. A forged one repeats none. */
function originOf(event: DeliveryEvent, roots: ReadonlyMap<number, MutableStep>): MutableStep | undefined {
  if (event.cause === 'forged') return undefined
  if (event.replayOf !== null) return roots.get(event.replayOf)
  const text = `Webhook → ${describeEvent(event).request}`
  return [...roots.values()].find((root) => root.text === text)
}
