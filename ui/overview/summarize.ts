import { hostAndPort, shortUrl } from '../../server/contract/format/describe-event.ts'
import { groupBy } from '../../server/contract/format/group-by.ts'
import type { EventView } from '../../server/contract/views.ts'
import type { AssumptionName } from '../../server/domain/behaviors/open-points.ts'
import { listAssumptions } from '../../server/domain/events/event-assumptions.ts'
import type { Severity } from '../../server/domain/diagnostics/diagnostic.ts'
import { isStored, isSuccessful } from '../../server/domain/webhooks/delivery.ts'
import type { EventIndex } from '../data/event-index.ts'
import type { Payment } from '../data/payment.ts'
import type { WebhookMark } from '../../server/contract/format/webhook-marks.ts'
import { reviewItems } from '../data/review-item.ts'
import type { Steps } from '../search/slices.ts'

/** Findings with the same cause. */
export interface FindingSummary {
  readonly code: string
  readonly severity: Severity
  readonly title: string
  readonly fix: string
  /** The number of events with such a finding. */
  readonly events: number
  /** The targets and operations of these events. */
  readonly places: readonly string[]
  readonly payments: number
  /** The number of these payments whose webhooks failed first and arrived later. */
  readonly deliveredLater: number
}

/** The attempts to deliver webhooks to one target. */
export interface ReceiverSummary {
  readonly target: string
  readonly attempts: number
  readonly failed: number
  /** Milliseconds, over the attempts with an answer. `null` if there are none. */
  readonly p50: number | null
  readonly p95: number | null
}

/** Rejected calls with the same message. */
interface RejectedCalls {
  readonly message: string
  readonly count: number
}

interface Decisions {
  readonly transfers: number
  readonly refunds: number
  readonly disputes: number
  /** In euros. */
  readonly transferAmount: number
  readonly otherAmount: number
}

export interface Summary {
  /** When the first event happened. */
  readonly since: string | undefined
  readonly until: string | undefined
  readonly payments: number
  readonly paid: number
  /** In euros. */
  readonly paidAmount: number
  readonly attempts: number
  /** The first attempts of the payments' own webhooks, without replays, resends and duplicates. */
  readonly deliveredFirst: number
  /** The webhooks that are stored in a tunnel, because no listener has fetched them. */
  readonly stored: number
  readonly failedAttempts: number
  readonly held: number
  readonly heldHosts: readonly string[]
  readonly calls: number
  readonly rejected: number
  /** Errors come first. Then causes are sorted by the number of their events. */
  readonly causes: readonly FindingSummary[]
  /** The slowest first. */
  readonly receivers: readonly ReceiverSummary[]
  readonly rejectedCalls: readonly RejectedCalls[]
  readonly decisions: Decisions
  /** For each open point, how many events depended on it. */
  readonly assumptions: readonly (readonly [name: AssumptionName, events: number])[]
}

interface Journal {
  /** Oldest first. */
  readonly events: readonly EventView[]
  readonly payments: readonly Payment[]
  readonly webhooksOf: (payId: number) => readonly WebhookMark[]
  /** The answer of the listener that fetched a stored delivery. */
  readonly listenerAnswerOf: EventIndex['listenerAnswerOf']
  /** All events of a payment, including those without a row in the timeline. */
  readonly eventsOf: (payId: number) => readonly EventView[]
}

type AttemptEvent = Extract<EventView, { type: 'delivery.attempted' }>

/** Summarizes a run in one pass over its events. */
export function* summarize({
  events,
  payments,
  webhooksOf,
  listenerAnswerOf,
  eventsOf,
}: Journal): Steps<Summary> {
  const findings: Extract<EventView, { type: 'diagnostic.found' }>[] = []
  const receivers = new Map<string, { attempts: number; failed: number; took: number[] }>()
  const messages = new Map<string, number>()
  const assumptions = new Map<AssumptionName, number>()
  let attempts = 0
  let deliveredFirst = 0
  let stored = 0
  let failedAttempts = 0
  let calls = 0

  for (const event of events) {
    yield
    for (const name of listAssumptions(event)) count(assumptions, name)
    if (event.type === 'diagnostic.found') findings.push(event)
    if (event.type === 'api.request' || event.type === 'api.limited') {
      calls += 1
      if (event.code !== 1) count(messages, event.message)
    }
    if (event.type !== 'delivery.attempted') continue
    const receiver = receivers.get(event.target) ?? { attempts: 0, failed: 0, took: [] }
    receivers.set(event.target, receiver)
    const isWaiting = isStored(event) && !listenerAnswerOf(event.deliveryId)
    attempts += 1
    receiver.attempts += 1
    if (event.httpStatus !== null) receiver.took.push(event.ms)
    if (isWaiting) stored += 1
    else if (isDelivered(event, listenerAnswerOf)) {
      if (event.attempt === 1 && event.cause === 'outcome') deliveredFirst += 1
    } else {
      failedAttempts += 1
      receiver.failed += 1
    }
  }

  for (const { link } of payments) {
    yield
    for (const event of eventsOf(link.payId)) {
      if (event.type === 'delivery.queued') for (const name of event.assumed) count(assumptions, name)
    }
  }
  // Few events have findings, so a map of all events would take longer than the rest.
  const withFindings = new Set(findings.map(({ eventSeq }) => eventSeq))
  const bySeq = new Map(
    withFindings.size === 0
      ? []
      : events.filter(({ seq }) => withFindings.has(seq)).map((event) => [event.seq, event]),
  )

  const states = summarizePayments(payments, webhooksOf)
  return {
    since: events[0]?.at,
    until: events.at(-1)?.at,
    ...states,
    attempts,
    deliveredFirst,
    stored,
    failedAttempts,
    calls,
    rejected: sum(messages.values()),
    causes: groupFindings(findings, bySeq, webhooksOf, listenerAnswerOf),
    receivers: [...receivers]
      .map(([target, { took, ...rest }]) => ({
        target,
        ...rest,
        p50: percentile(took, 50),
        p95: percentile(took, 95),
      }))
      // Receivers that never answered come first, then the slowest.
      .toSorted(
        (one, other) => (other.p95 ?? Infinity) - (one.p95 ?? Infinity) || other.attempts - one.attempts,
      ),
    rejectedCalls: [...messages]
      .map(([message, times]) => ({ message, count: times }))
      .toSorted((one, other) => other.count - one.count),
    assumptions: [...assumptions].toSorted(([, one], [, other]) => other - one),
  }
}

function summarizePayments(all: readonly Payment[], webhooksOf: Journal['webhooksOf']) {
  const paid = all.filter(({ link }) => link.status === 'paid')
  const marks = all.map(({ link }) => webhooksOf(link.payId))
  const heldMarks = marks.flat().filter(({ state }) => state === 'held')
  const waiting = reviewItems(all)
  const transfers = waiting.filter(({ kind }) => kind === 'transfer')
  const others = waiting.filter(({ kind }) => kind !== 'transfer')
  return {
    payments: all.length,
    paid: paid.length,
    paidAmount: sum(paid.map(({ link }) => link.amount)),
    held: heldMarks.length,
    heldHosts: [...new Set(heldMarks.map(({ target }) => hostAndPort(target)))],
    decisions: {
      transfers: transfers.length,
      refunds: others.filter(({ kind }) => kind === 'refund').length,
      disputes: others.filter(({ kind }) => kind === 'dispute').length,
      transferAmount: sum(transfers.map(({ payment }) => payment.link.amount)),
      otherAmount: sum(
        others.map(({ kind, payment }) =>
          kind === 'refund' ? (payment.refund?.amount ?? 0) : payment.link.amount,
        ),
      ),
    },
  }
}

const severityOrder: Readonly<Record<Severity, number>> = { error: 0, warning: 1, hint: 2 }

function groupFindings(
  found: readonly Extract<EventView, { type: 'diagnostic.found' }>[],
  bySeq: ReadonlyMap<number, EventView>,
  webhooksOf: Journal['webhooksOf'],
  listenerAnswerOf: Journal['listenerAnswerOf'],
): readonly FindingSummary[] {
  return [...groupBy(found, ({ code, severity, title }) => `${code} ${severity} ${title}`).values()]
    .map((group): FindingSummary => {
      const { code, severity, title, fix } = group[0]!
      const payIds = new Set(group.flatMap(({ payId }) => (payId === null ? [] : [payId])))
      return {
        code,
        severity,
        title,
        fix,
        events: new Set(group.map(({ eventSeq }) => eventSeq)).size,
        places: [...new Set(group.flatMap(({ eventSeq }) => placeOf(bySeq.get(eventSeq))))],
        payments: payIds.size,
        deliveredLater: countDeliveredLater(
          group.flatMap(({ eventSeq }) => bySeq.get(eventSeq) ?? []),
          webhooksOf,
          listenerAnswerOf,
        ),
      }
    })
    .toSorted(
      (one, other) =>
        severityOrder[one.severity] - severityOrder[other.severity] || other.events - one.events,
    )
}

/** Counts the payments with failed attempts whose webhooks have all arrived later. */
function countDeliveredLater(
  events: readonly EventView[],
  webhooksOf: Journal['webhooksOf'],
  listenerAnswerOf: Journal['listenerAnswerOf'],
): number {
  const arrived = new Map<number, boolean>()
  for (const event of events) {
    if (event.type !== 'delivery.attempted' || event.payId === null || isDelivered(event, listenerAnswerOf))
      continue
    const { payId, deliveryId, seq } = event
    const mark = webhooksOf(payId).find(({ deliveryIds }) => deliveryIds.includes(deliveryId))
    arrived.set(payId, (arrived.get(payId) ?? true) && mark?.state === 'delivered' && mark.seq > seq)
  }
  return [...arrived.values()].filter(Boolean).length
}

/** Whether the receiver has answered 2xx, or the listener that fetched a stored webhook. */
const isDelivered = (event: AttemptEvent, listenerAnswerOf: Journal['listenerAnswerOf']): boolean =>
  isSuccessful(
    (isStored(event) ? listenerAnswerOf(event.deliveryId) : undefined) ?? { status: event.httpStatus },
  )

function placeOf(event: EventView | undefined): string[] {
  if (!event) return []
  if ('operation' in event) return [event.operation]
  return 'target' in event ? [shortUrl(event.target)] : []
}

/** The nearest-rank percentile: the smallest value that this share of the values does not exceed. */
export function percentile(values: readonly number[], percent: number): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)
