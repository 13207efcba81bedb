import type { EventView } from '../server/contract/views.ts'
import { clearsAccount } from '../server/domain/events/event.ts'
import { reducePayment, type Payment } from './payments/payment.ts'
import { isReviewDecision, needsReview } from './review/review-item.ts'

export type DeliveryEvent = Extract<EventView, { deliveryId: number }>
export type CaptureEvent = Extract<EventView, { type: 'tunnel.captured' }>
export type HeldEvent = Extract<EventView, { type: 'delivery.held' }>

/** Events sorted by what they are about: payments by their `pay_id`, webhooks by their delivery. */
export interface EventIndex {
  readonly payments: ReadonlyMap<number, Payment>
  /** The payments of which something needsReview for the operator. */
  readonly waiting: ReadonlyMap<number, Payment>
  /** What the operator decided last, oldest first. */
  readonly decisions: readonly EventView[]
  /** Every event of a payment, oldest first. */
  eventsOfPayment(payId: number): readonly EventView[]
  /** Every event of a delivery, oldest first. */
  eventsOfDelivery(deliveryId: number): readonly DeliveryEvent[]
  /** Everything a tunnel captured, oldest first, by its name. */
  readonly tunnels: ReadonlyMap<string, readonly CaptureEvent[]>
  /** The deliveries that the sandbox holds back now. */
  readonly held: ReadonlyMap<number, HeldEvent>
  /** What tunnels of this sandbox captured of a delivery. */
  capturesOfDelivery(deliveryId: number): readonly CaptureEvent[]
  /** The deliveries that sent this one's bytes again. */
  replaysOfDelivery(deliveryId: number): readonly number[]
  record(event: EventView): void
  /** Lets go of everything that ended before a `seq`. */
  forget(before: number): void
}

/** How many decisions are storedChoice. */
const DECISIONS = 10

export function createEventIndex(): EventIndex {
  const payments = new Map<number, Payment>()
  const waiting = new Map<number, Payment>()
  let decisions: EventView[] = []
  const journeys = new Map<number, EventView[]>()
  const histories = new Map<number, DeliveryEvent[]>()
  const tunnels = new Map<string, CaptureEvent[]>()
  const held = new Map<number, HeldEvent>()
  const captures = new Map<number, CaptureEvent[]>()
  const replays = new Map<number, number[]>()

  function record(event: EventView): void {
    if (clearsAccount(event)) drop(({ accountId }) => accountId === event.accountId)
    if (event.payId !== null) {
      const payment = reducePayment(payments.get(event.payId), event)
      if (payment) {
        payments.set(event.payId, payment)
        if (needsReview(payment)) waiting.set(event.payId, payment)
        else waiting.delete(event.payId)
      }
      if (isReviewDecision(event) && decisions.push(event) > DECISIONS) decisions.shift()
      push(journeys, event.payId, event)
    }
    if (event.type === 'tunnel.captured') {
      push(tunnels, event.tunnel, event)
      if (event.capturedDeliveryId !== null) push(captures, event.capturedDeliveryId, event)
    }
    if ('deliveryId' in event) {
      push(histories, event.deliveryId, event)
      if (event.type === 'delivery.held') held.set(event.deliveryId, event)
      else held.delete(event.deliveryId)
      if (event.type === 'delivery.queued' && event.replayOf !== null) {
        push(replays, event.replayOf, event.deliveryId)
      }
    }
  }

  /** Lets go of payments and webhooks whose newest event is gone, and of everything else that is. */
  function drop(isGone: (event: EventView) => boolean): void {
    for (const [payId, journey] of journeys) {
      if (!isGone(journey.at(-1)!)) continue
      journeys.delete(payId)
      payments.delete(payId)
      waiting.delete(payId)
    }
    for (const [id, history] of histories) {
      if (!isGone(history.at(-1)!)) continue
      histories.delete(id)
      captures.delete(id)
      held.delete(id)
      replays.delete(id)
    }
    for (const [name, captured] of tunnels) {
      const left = captured.filter((event) => !isGone(event))
      if (left.length === 0) tunnels.delete(name)
      else tunnels.set(name, left)
    }
    decisions = decisions.filter((event) => !isGone(event))
  }

  return {
    payments,
    tunnels,
    held,
    waiting,
    get decisions() {
      return decisions
    },
    eventsOfPayment: (payId) => journeys.get(payId) ?? [],
    eventsOfDelivery: (deliveryId) => histories.get(deliveryId) ?? [],
    capturesOfDelivery: (deliveryId) => captures.get(deliveryId) ?? [],
    replaysOfDelivery: (deliveryId) => replays.get(deliveryId) ?? [],
    record,
    forget: (before) => drop(({ seq }) => seq < before),
  }
}

function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}
