import type { EventView, LinkView } from '../../server/contract/views.ts'
import { clearsAccount } from '../../server/domain/events/event.ts'
import { decisiveAnswer, isStored, fetchedDelivery } from '../../server/domain/webhooks/delivery.ts'
import { checkStatus } from '../../server/contract/format/event-row.ts'
import { belongsTo, paymentGroups, type PaymentGroup } from './attention.ts'
import { reducePayment, type Payment } from './payment.ts'
import type { AnswerEvent } from '../../server/contract/format/listener-answers.ts'
import { webhookMarks, type WebhookMark } from '../../server/contract/format/webhook-marks.ts'
import type { SentCheck } from './describe-check.ts'
import { isReviewDecision, needsReview } from './review-item.ts'

export type DeliveryEvent = Extract<EventView, { deliveryId: number }>
export type AttemptEventView = Extract<EventView, { type: 'delivery.attempted' }>
type CaptureEvent = Extract<EventView, { type: 'tunnel.captured' }>
type ClockChange = Extract<EventView, { type: 'clock.changed' }>
export type FindingView = Extract<EventView, { type: 'diagnostic.found' }>
export type HeldEvent = Extract<EventView, { type: 'delivery.held' }>

/** The events of the journal by payment (`pay_id`), delivery and tunnel. All lists are sorted oldest first. */
export interface EventIndex {
  readonly payments: ReadonlyMap<number, Payment>
  /** The payments that await a decision of the operator. */
  readonly awaitingReview: ReadonlyMap<number, Payment>
  /** The operator's most recent decisions. */
  readonly decisions: readonly EventView[]
  readonly tunnels: ReadonlyMap<string, readonly CaptureEvent[]>
  readonly clockChanges: readonly ClockChange[]
  /** The deliveries that are held now. */
  readonly held: ReadonlyMap<number, HeldEvent>
  /** The link of a payment. `undefined` without a payment, or if the link is older than the events of this page. */
  linkOf(payId: number | null): LinkView | undefined
  eventsOfPayment(payId: number): readonly EventView[]
  /** The webhooks of a payment, one for each target. */
  webhooksOfPayment(payId: number): readonly WebhookMark[]
  /** The payments (`pay_id`) of a group. */
  groupOfPayments(group: PaymentGroup): ReadonlySet<number>
  eventsOfDelivery(deliveryId: number): readonly DeliveryEvent[]
  /** The requests in which tunnels of this sandbox have captured a delivery. */
  capturesOfDelivery(deliveryId: number): readonly CaptureEvent[]
  /** The attempts of a delivery that a tunnel stored. */
  storedAttemptsOf(deliveryId: number): readonly AttemptEventView[]
  /** The answer of the listener that has fetched a stored delivery. `undefined` if there is none. */
  listenerAnswerOf(deliveryId: number): AnswerEvent | undefined
  /** The deliveries that replay a delivery. */
  replaysOfDelivery(deliveryId: number): readonly number[]
  /** The check that an event belongs to. `undefined` if there is none. */
  checkOf(event: EventView): SentCheck | undefined
  /** The findings about an event. Always the same list until another finding is added. */
  findingsOf(seq: number): readonly FindingView[]
  add(event: EventView): void
  /** Removes payments and deliveries whose newest event is before a `seq`, and all other events before it. */
  removeBefore(seq: number): void
}

const MAX_DECISIONS = 10

const NONE: readonly never[] = []

export function createEventIndex(): EventIndex {
  const payments = new Map<number, Payment>()
  const awaitingReview = new Map<number, Payment>()
  let decisions: EventView[] = []
  const byPayment = new Map<number, EventView[]>()
  const marks = new Map<number, readonly WebhookMark[]>()
  const groups = new Map(
    Object.keys(paymentGroups).map((group) => [group as PaymentGroup, new Set<number>()]),
  )
  /** The payments whose marks and groups have to be computed again. */
  const changed = new Set<number>()
  const byDelivery = new Map<number, DeliveryEvent[]>()
  const tunnels = new Map<string, CaptureEvent[]>()
  const held = new Map<number, HeldEvent>()
  let clockChanges: ClockChange[] = []
  const captures = new Map<number, CaptureEvent[]>()
  const answers = new Map<number, AnswerEvent[]>()
  const replays = new Map<number, number[]>()
  const findings = new Map<number, readonly FindingView[]>()
  const checks = new Map<string, SentCheck>()

  function add(event: EventView): void {
    if (clearsAccount(event)) remove(({ accountId }) => accountId === event.accountId)
    if (event.payId !== null) {
      const payment = reducePayment(payments.get(event.payId), event)
      if (payment) {
        payments.set(event.payId, payment)
        if (needsReview(payment)) awaitingReview.set(event.payId, payment)
        else awaitingReview.delete(event.payId)
      }
      if (isReviewDecision(event) && decisions.push(event) > MAX_DECISIONS) decisions.shift()
      push(byPayment, event.payId, event)
      changed.add(event.payId)
    }
    if (event.type === 'clock.changed') clockChanges.push(event)
    if (event.type === 'check.sent' && event.run !== undefined) {
      const { first, count, failed, cases } = checks.get(event.run) ?? {
        first: event.seq,
        count: 0,
        failed: 0,
        cases: [],
      }
      checks.set(event.run, {
        first,
        count: count + 1,
        failed: failed + (checkStatus(event.httpStatus, event.hungUp).tone === 'err' ? 1 : 0),
        cases: new Set([...cases, ...(event.check === null ? [] : [event.check])]),
      })
    }
    if (event.type === 'diagnostic.found') {
      findings.set(event.eventSeq, [...(findings.get(event.eventSeq) ?? NONE), event])
    }
    if (event.type === 'tunnel.captured') {
      push(tunnels, event.tunnel, event)
      if (event.capturedDeliveryId !== null) push(captures, event.capturedDeliveryId, event)
    }
    if (event.type === 'tunnel.answered') {
      const deliveryId = fetchedDelivery(event)
      if (deliveryId !== undefined) push(answers, deliveryId, event)
    }
    if ('deliveryId' in event) {
      push(byDelivery, event.deliveryId, event)
      if (event.type === 'delivery.held') held.set(event.deliveryId, event)
      else held.delete(event.deliveryId)
      if (event.type === 'delivery.queued' && event.replayOf !== null) {
        push(replays, event.replayOf, event.deliveryId)
      }
    }
  }

  /** Computes marks and groups only when they are needed, because nobody looks at most payments of a batch yet. */
  function updateChanged(): void {
    for (const payId of changed) {
      const payment = payments.get(payId)
      const current = payment ? webhookMarks(byPayment.get(payId) ?? []) : []
      if (current.length === 0) marks.delete(payId)
      else marks.set(payId, current)
      for (const [group, members] of groups) {
        if (payment && belongsTo[group](payment, current)) members.add(payId)
        else members.delete(payId)
      }
    }
    changed.clear()
  }

  /** Removes payments and deliveries whose newest event is gone, and all other events that are gone. */
  function remove(isGone: (event: EventView) => boolean): void {
    for (const [payId, events] of byPayment) {
      if (!isGone(events.at(-1)!)) continue
      byPayment.delete(payId)
      payments.delete(payId)
      changed.add(payId)
      awaitingReview.delete(payId)
    }
    for (const [id, events] of byDelivery) {
      if (!isGone(events.at(-1)!)) continue
      byDelivery.delete(id)
      captures.delete(id)
      answers.delete(id)
      held.delete(id)
      replays.delete(id)
    }
    for (const [name, captured] of tunnels) {
      const left = captured.filter((event) => !isGone(event))
      if (left.length === 0) tunnels.delete(name)
      else tunnels.set(name, left)
    }
    for (const [seq, found] of findings) if (isGone(found[0]!)) findings.delete(seq)
    decisions = decisions.filter((event) => !isGone(event))
    clockChanges = clockChanges.filter((event) => !isGone(event))
  }

  const attemptsOf = (deliveryId: number): readonly AttemptEventView[] =>
    (byDelivery.get(deliveryId) ?? []).filter((event) => event.type === 'delivery.attempted')

  const storedAttemptsOf = (deliveryId: number): readonly AttemptEventView[] =>
    attemptsOf(deliveryId).filter(isStored)

  return {
    payments,
    awaitingReview,
    get decisions() {
      return decisions
    },
    tunnels,
    get clockChanges() {
      return clockChanges
    },
    held,
    eventsOfPayment: (payId) => byPayment.get(payId) ?? [],
    webhooksOfPayment(payId) {
      updateChanged()
      return marks.get(payId) ?? NONE
    },
    groupOfPayments(group) {
      updateChanged()
      return groups.get(group)!
    },
    linkOf: (payId) => (payId === null ? undefined : payments.get(payId)?.link),
    eventsOfDelivery: (deliveryId) => byDelivery.get(deliveryId) ?? [],
    capturesOfDelivery: (deliveryId) => captures.get(deliveryId) ?? [],
    storedAttemptsOf,
    listenerAnswerOf: (deliveryId) =>
      storedAttemptsOf(deliveryId).length === 0
        ? undefined
        : decisiveAnswer(answers.get(deliveryId) ?? [], attemptsOf(deliveryId)),
    replaysOfDelivery: (deliveryId) => replays.get(deliveryId) ?? [],
    checkOf: (event) =>
      event.type === 'check.sent' && event.run !== undefined ? checks.get(event.run) : undefined,
    findingsOf: (seq) => findings.get(seq) ?? NONE,
    add,
    removeBefore(seq) {
      remove((event) => event.seq < seq)
      for (const [run, { first }] of checks) if (first < seq) checks.delete(run)
    },
  }
}

function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}
