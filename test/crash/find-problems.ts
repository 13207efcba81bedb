import { addLink, linksOf, type ExpectedLink, type ExpectedState, type Range } from './expected-state.ts'
import type { DeliveryRow, EventRow, LinkRow, RefundRow, StoredState } from './read-state.ts'
import type { Arrivals } from './receivers.ts'
import type { Streamed } from './streams.ts'

/** The data to compare. No webhook is being sent. */
export interface Compared {
  readonly expected: ExpectedState
  readonly stored: StoredState
  readonly streamed: Streamed
  readonly arrivals: Arrivals
  /** The origin of the receivers. */
  readonly origin: string
  /** The address of the sandbox. */
  readonly url: string
  /** How many events the journal keeps. */
  readonly keep: number
  /** Whether every webhook has been delivered or has failed. */
  readonly isSettled: boolean
  /** Whether the sandbox can refuse webhooks for its own tunnels, and send them again later. */
  readonly refusesWebhooks: boolean
}

/**
 * Compares what is stored, streamed and received with what was requested and answered, and returns the problems. After that,
 * the expected state is what is stored now, so that the next call reports only new problems.
 */
export function findProblems(compared: Compared): string[] {
  const problems: string[] = []
  addUnansweredLinks(compared)
  checkJournal(compared, problems)
  checkLinks(compared, problems)
  checkDeliveries(compared, problems)
  for (const kind of CHECKED_KINDS) checkReceiver(kind, compared, problems)
  checkOtherState(compared, problems)
  compared.expected.newestSeq = compared.stored.event.at(-1)?.seq ?? 0
  return problems
}

/** The journal must have every event from this `seq` on. Retention may have deleted older events. */
const firstCompleteSeq = ({ stored, keep }: Compared): number => stored.event.at(-keep)?.seq ?? 1

/** Adds the links whose creation got no answer. Each such request may have created one. */
function addUnansweredLinks({ expected, stored }: Compared): void {
  const byOrder = groupBy(stored.link, ({ note }) => note)
  for (const payment of expected.payments) {
    if (payment.links.length === payment.requests) continue
    const known = new Set(payment.links.map(({ id }) => id))
    for (const { id, payId } of byOrder.get(payment.order) ?? [])
      if (!known.has(id)) addLink(expected, payment, { id, payId, answerText: '' })
  }
}

function checkJournal(compared: Compared, problems: string[]): void {
  const { stored, streamed } = compared
  const first = firstCompleteSeq(compared)
  const newest = stored.event.at(-1)?.seq ?? 0
  const types = new Map(stored.event.map(({ seq, type }) => [seq, type]))
  const present = stored.event.filter(({ seq }) => seq >= first).length
  const missing = newest - first + 1 - present
  if (missing > 0) problems.push(`The journal misses ${missing} events between ${first} and ${newest}.`)
  for (const [seq, type] of streamed.types) {
    if (seq < first || types.get(seq) === type) continue
    const found = types.get(seq) ?? 'no such event'
    problems.push(`The stream sent event ${seq} as ${type}, but the journal has ${found}.`)
  }
  for (let seq = Math.max(first, streamed.after + 1); seq < streamed.last; seq++)
    if (!streamed.types.has(seq)) problems.push(`The stream skipped event ${seq} before ${streamed.last}.`)
}

/** `Map.groupBy` of newer versions of Node. */
function groupBy<Entry, Key>(entries: readonly Entry[], keyOf: (entry: Entry) => Key): Map<Key, Entry[]> {
  const groups = new Map<Key, Entry[]>()
  for (const entry of entries) {
    const group = groups.get(keyOf(entry))
    if (group) group.push(entry)
    else groups.set(keyOf(entry), [entry])
  }
  return groups
}

/** The stored state of a link. */
interface StoredLink {
  readonly row: LinkRow
  readonly refund: RefundRow | undefined
  readonly deliveries: readonly DeliveryRow[]
  readonly events: readonly EventRow[]
}

function checkLinks(compared: Compared, problems: string[]): void {
  const { expected, stored } = compared
  for (const { order, requests, links } of expected.payments)
    if (links.length > requests)
      problems.push(`The link of ${order} was requested ${requests} times, but exists ${links.length} times.`)
  const links = linksOf(expected)
  checkUnique('id', links, problems)
  checkUnique('payId', links, problems)
  if (stored.link.length !== links.length)
    problems.push(`There are ${stored.link.length} links instead of ${links.length}.`)

  const first = firstCompleteSeq(compared)
  const rows = new Map(stored.link.map((row) => [row.id, row]))
  const refunds = new Map(stored.refund.map((row) => [row.linkId, row]))
  const deliveries = groupBy(stored.delivery, ({ linkId }) => linkId)
  const events = groupBy(stored.event, ({ linkId }) => linkId)
  for (const link of links) {
    const name = nameOf(link)
    const row = rows.get(link.id)
    if (row === undefined) {
      problems.push(`${name} was answered, but is missing.`)
      continue
    }
    const found: StoredLink = {
      row,
      refund: refunds.get(link.id),
      deliveries: deliveries.get(link.id) ?? [],
      events: events.get(link.id) ?? [],
    }
    checkRow(link, row, problems)
    checkFinalEvents(link, found, problems)
    // Retention cannot have deleted any of the link's events.
    if (link.createdAfter + 1 >= first) checkEvents(link, found, problems)
    checkDeliveryCounts(link, found, problems)
    checkRefund(link, found, problems)
  }
}

export const nameOf = ({ id, payment }: ExpectedLink): string => `Link ${id} (${payment.order})`

function checkUnique(key: 'id' | 'payId', links: readonly ExpectedLink[], problems: string[]): void {
  const orders = new Map<number, string>()
  for (const { [key]: id, payment } of links) {
    const other = orders.get(id)
    if (other !== undefined)
      problems.push(`The ${key} ${id} was answered for ${other} and for ${payment.order}.`)
    orders.set(id, payment.order)
  }
}

function checkRow(link: ExpectedLink, row: LinkRow, problems: string[]): void {
  const { payment, payId, statuses } = link
  const name = nameOf(link)
  if (row.amount !== payment.amount || row.note !== payment.order || row.payId !== payId)
    problems.push(`${name} differs from the answer: ${JSON.stringify(row)}.`)
  if (!statuses.has(row.status))
    problems.push(`${name} is ${row.status} instead of ${[...statuses].join(' or ')}.`)
  link.statuses = new Set([row.status])
}

/** The event that each final status requires. */
const FINAL_EVENTS: Record<string, string> = { paid: 'link.paid', cancelled: 'link.cancelled' }

/** A link is paid or cancelled at most once. */
function checkFinalEvents(link: ExpectedLink, { row, events }: StoredLink, problems: string[]): void {
  for (const [status, type] of Object.entries(FINAL_EVENTS)) {
    const count = events.filter((event) => event.type === type).length
    if (count > (row.status === status ? 1 : 0))
      problems.push(`${nameOf(link)} is ${row.status}, but the journal contains ${type} ${count} times.`)
  }
}

function checkEvents(link: ExpectedLink, found: StoredLink, problems: string[]): void {
  const { row, events, deliveries, refund } = found
  const { answerText, minEvents } = link
  const name = nameOf(link)
  if (answerText !== '' && events.find(({ type }) => type === 'api.request')?.responseBody !== answerText)
    problems.push(`${name}: the journal does not contain the answer that was sent.`)
  const countOf = (type: string): number => events.filter((event) => event.type === type).length
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
  const exactCounts = {
    'link.created': 1,
    'link.paid': row.status === 'paid' ? 1 : 0,
    'link.cancelled': row.status === 'cancelled' ? 1 : 0,
    'delivery.queued': deliveries.length,
    'delivery.attempted': attempts,
    'refund.requested': refund ? 1 : 0,
    'refund.approved': refund?.state === 'approved' ? 1 : 0,
    'refund.rejected': refund?.state === 'rejected' ? 1 : 0,
  }
  for (const [type, count] of Object.entries(exactCounts))
    if (countOf(type) !== count)
      problems.push(`${name}: the journal contains ${type} ${countOf(type)} times instead of ${count}.`)
  for (const [type, min] of minEvents)
    if (countOf(type) < min)
      problems.push(
        `${name}: the journal contains ${type} ${countOf(type)} times instead of at least ${min}.`,
      )
}

function checkDeliveryCounts(link: ExpectedLink, { row, deliveries }: StoredLink, problems: string[]): void {
  const { payment, resends, replays } = link
  const countOf = (cause: string): number => deliveries.filter((delivery) => delivery.cause === cause).length
  const outcomes = Object.hasOwn(FINAL_EVENTS, row.status) ? payment.targets.length : 0
  const name = nameOf(link)
  if (countOf('outcome') !== outcomes)
    problems.push(
      `${name} is ${row.status}, but has ${countOf('outcome')} deliveries instead of ${outcomes}.`,
    )
  checkRange(`${name}: resends`, countOf('resend'), resends, payment.targets.length, problems)
  checkRange(`${name}: replays`, countOf('replay'), replays, 1, problems)
}

/** @param each how many deliveries one request causes */
function checkRange(what: string, count: number, range: Range, each: number, problems: string[]): void {
  if (count < range.min || count > range.max || count % each !== 0)
    problems.push(`${what}: ${count} instead of ${range.min} to ${range.max} in steps of ${each}.`)
  range.min = range.max = count
}

function checkRefund(link: ExpectedLink, { row, refund }: StoredLink, problems: string[]): void {
  const name = nameOf(link)
  const accepted = link.refunds.filter(({ success }) => success)
  if (accepted.length > 1) problems.push(`${name}: ${accepted.length} refunds were accepted.`)
  if (!refund) {
    if (accepted.length > 0) problems.push(`${name}: a refund was accepted, but is missing.`)
    link.refunds = []
    return
  }
  const { amount, state } = refund
  if (amount > row.amount) problems.push(`${name}: ${amount} of ${row.amount} cents are refunded.`)
  if (row.status !== 'paid') problems.push(`${name} is ${row.status}, but has a refund.`)
  const possible =
    accepted.length > 0 ? accepted : link.refunds.filter(({ success }) => success === undefined)
  if (!possible.some((one) => one.amount === amount))
    problems.push(`${name}: there is a refund of ${amount} cents that was not accepted.`)
  if (link.refundState && state !== link.refundState)
    problems.push(`${name}: the refund is ${state}, but was answered to be ${link.refundState}.`)
  link.refunds = [{ amount, success: true }]
  link.refundState = state as NonNullable<ExpectedLink['refundState']>
}

function checkDeliveries(compared: Compared, problems: string[]): void {
  const { stored, isSettled } = compared
  const first = firstCompleteSeq(compared)
  const events = groupBy(stored.event, ({ deliveryId }) => deliveryId)
  for (const { id, state, attempts } of stored.delivery) {
    const isDone = state === 'delivered' || state === 'failed'
    if (isDone && attempts === 0) problems.push(`Delivery ${id} is ${state} without an attempt.`)
    if (isSettled && !isDone) problems.push(`Delivery ${id} is still ${state} at the end.`)
    const own = events.get(id) ?? []
    if (!own.some(({ type, seq }) => type === 'delivery.queued' && seq >= first)) continue
    const recorded = own.filter(({ type }) => type === 'delivery.attempted').length
    if (recorded !== attempts)
      problems.push(`Delivery ${id} has ${attempts} attempts, but the journal has ${recorded}.`)
  }
}

/** All kinds except `faulty`. Faults drop some of its webhooks, so its counts prove nothing. */
const CHECKED_KINDS = ['fast', 'other', 'slow', 'once-failing', 'failing', 'tunnel'] as const
type Kind = (typeof CHECKED_KINDS)[number]

/** The first attempt and two retries, which the start of the sandbox configures. A replay is not retried. */
const ATTEMPTS = 3

/** Compares the deliveries to a receiver with what arrived there. */
function checkReceiver(kind: Kind, compared: Compared, problems: string[]): void {
  const { stored, arrivals, origin, url, isSettled, refusesWebhooks } = compared
  const isTunnel = kind === 'tunnel'
  const mayBeRefused = isTunnel && refusesWebhooks
  const target = isTunnel ? `${url}/tunnel/crash` : `${origin}/${kind}`
  const counts = arrivals.get(kind) ?? new Map<number, number>()
  const withoutAnswer = countWithoutAnswer(stored)
  const sent = groupBy(
    stored.delivery.filter((delivery) => delivery.target === target),
    ({ payId }) => payId,
  )
  for (const [payId, deliveries] of sent) {
    const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
    const arrived = counts.get(payId) ?? 0
    const unanswered = deliveries.map(({ id }) => withoutAnswer.get(id) ?? 0)
    const least = mayBeRefused
      ? Math.min(attempts, 1)
      : unanswered.reduce((count, without) => count - without, attempts)
    // The listener of the tunnel may not have forwarded all requests yet.
    if (arrived < least && (isSettled || !isTunnel))
      problems.push(
        `${kind} received ${arrived} webhooks of payment ${payId}, but there were ${attempts} attempts.`,
      )
    if (arrived > attempts && !deliveries.some((one) => one.possibleDuplicate) && !isTunnel)
      problems.push(
        `${kind} received ${arrived} webhooks of payment ${payId}, but only ${attempts} attempts are recorded, and none as a possible duplicate.`,
      )
    const repetitions = unanswered.map((count) => (mayBeRefused ? ATTEMPTS - 1 : isTunnel ? count : 0))
    if (isSettled) checkAttempts(kind, payId, deliveries, repetitions, problems)
  }
  const position = new Map([...sent.keys()].map((payId, index) => [payId, index]))
  // A webhook that was refused arrives with a later attempt.
  const isLate = (payId: number) => mayBeRefused && sent.get(payId)?.some(({ attempts }) => attempts > 1)
  const arrived = [...counts.keys()].filter((payId) => !isLate(payId))
  const places = arrived.map((payId) => position.get(payId) ?? -1)
  const misplaced = places.findIndex((place, index) => index > 0 && place < places[index - 1]!)
  if (misplaced > 0) problems.push(`${kind} received payment ${arrived[misplaced]} after a later one.`)
}

/** How many attempts of each delivery are recorded as without an answer. */
function countWithoutAnswer({ event }: StoredState): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { type, deliveryId, data } of event) {
    if (type !== 'delivery.attempted' || deliveryId === null) continue
    if ((JSON.parse(data) as { httpStatus: number | null }).httpStatus !== null) continue
    counts.set(deliveryId, (counts.get(deliveryId) ?? 0) + 1)
  }
  return counts
}

/**
 * Checks the final state and the number of attempts of a payment's deliveries to a receiver.
 *
 * @param repetitions how often each delivery may be repeated, because its tunnel refused it or gave no answer
 */
function checkAttempts(
  kind: Kind,
  payId: number,
  deliveries: readonly DeliveryRow[],
  repetitions: readonly number[],
  problems: string[],
): void {
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
  const each = deliveries.map(({ cause }): number =>
    kind === 'failing' && cause !== 'replay' ? ATTEMPTS : 1,
  )
  const max = each.reduce((sum, count) => sum + count, kind === 'once-failing' ? 1 : 0)
  // A kill may have cut off the attempt that failed. Such an attempt is not counted.
  const mayMissOne = kind === 'once-failing' && deliveries.some((one) => one.possibleDuplicate)
  const state = kind === 'failing' ? 'failed' : 'delivered'
  const other = deliveries.find(
    (one, index) => one.state !== state && !(repetitions[index]! > 0 && one.cause === 'replay'),
  )
  if (other)
    problems.push(`${kind}: a delivery of payment ${payId} ended ${other.state} instead of ${state}.`)
  const most = repetitions.reduce((sum, count) => sum + count, max)
  if (attempts < (mayMissOne ? max - 1 : max) || attempts > most)
    problems.push(
      `${kind}: ${deliveries.length} deliveries of payment ${payId} have ${attempts} attempts instead of ${max}.`,
    )
}

/** Checks snapshots and behaviors. */
function checkOtherState({ expected, stored }: Compared, problems: string[]): void {
  for (const [name, state] of expected.snapshots) {
    const exists = stored.snapshots.has(name)
    if (state === 'present' && !exists) problems.push(`Snapshot ${name} was answered, but is missing.`)
    if (state === 'deleted' && exists) problems.push(`Snapshot ${name} was deleted, but still exists.`)
    expected.snapshots.set(name, exists ? 'present' : 'deleted')
  }
  for (const [name, problem] of stored.snapshots)
    if (problem !== undefined) problems.push(`Snapshot ${name} is damaged: ${problem}.`)
  const value =
    stored.behavior.find(({ name, scope }) => name === 'statusText' && scope === '')?.value ?? 'documented'
  if (!expected.statusText.has(value))
    problems.push(`statusText is ${value} instead of ${[...expected.statusText].join(' or ')}.`)
  expected.statusText = new Set([value])
}
