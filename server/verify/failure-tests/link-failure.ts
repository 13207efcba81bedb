import type { Link } from '../../domain/links/link.ts'
import { topicOf, type EventOf, type EventTopic, type RecordedEvent } from '../../domain/events/event.ts'
import type { FaultMark } from '../../domain/faults/fault.ts'
import { toEuros } from '../../domain/money/cents.ts'
import { isLoopback } from '../../domain/network/loopback.ts'
import type { FailureTest, TestLinkFields, TestSandbox, TestStep } from './failure-test.ts'

/** Turns the history of a link into a test that reproduces it and expects that every webhook is delivered. */
export function testOfLink(link: Link, events: readonly RecordedEvent[], sandbox: TestSandbox): FailureTest {
  const steps = events.flatMap((event, index) => stepsOf(event, events[index - 1], events.slice(index + 1)))
  return {
    name: `payment-${link.payId}`,
    title: `payment ${link.payId}: every webhook is delivered`,
    about: [
      `What happened to payment ${link.payId} of link ${link.id}, created at ${link.createdAt}.`,
      'Expected: every webhook is delivered.',
      ...failuresIn(events).map((failure) => `Seen: ${failure}`),
    ],
    sandbox,
    steps: [
      ...faultOfCall(events),
      { kind: 'create', fields: fieldsOf(link) },
      ...steps,
      { kind: 'expect-delivered' },
    ],
  }
}

/** The last attempt of each webhook that failed. */
function failuresIn(events: readonly RecordedEvent[]): string[] {
  const last = new Map<number, EventOf<'delivery.attempted'>>()
  for (const event of events) if (event.type === 'delivery.attempted') last.set(event.deliveryId, event)
  return [...last.values()]
    .filter(({ state }) => state !== 'delivered')
    .map(({ status, target, httpStatus, error }) => `${status} to ${target}: ${httpStatus ?? error}`)
}

function fieldsOf(link: Link): TestLinkFields {
  const { note, callbackUrl, paymentEndpoint, recipients, splitType } = link
  return {
    amount: toEuros(link.amount),
    ...(note !== '' && { note }),
    ...(recipients.length > 0 && {
      recipients: recipients.map(({ token, share }) => ({ token, share })),
      splitType,
    }),
    // The API splits callback_url at commas.
    ...(callbackUrl !== '' && { callbackUrl: callbackUrl.replaceAll(',', '%2C') }),
    ...(paymentEndpoint !== '' && { paymentEndpoint }),
    ...(!link.cancellable && { cancellable: false }),
    ...(link.bankTransfer && { bankTransfer: true }),
  }
}

/** A fault of the call that created the link. */
function faultOfCall(events: readonly RecordedEvent[]): TestStep[] {
  const created = events.find(({ type }) => type === 'link.created')
  const call = events.find((event) => event.type === 'api.request' && event.seq > (created?.seq ?? 0))
  if (call?.type !== 'api.request' || !call.operation.startsWith('create') || call.fault === undefined)
    return []
  return [{ kind: 'fault', on: 'api', script: [call.fault.effect], isOfApp: true }]
}

function stepsOf(
  event: RecordedEvent,
  before: RecordedEvent | undefined,
  later: readonly RecordedEvent[],
): TestStep[] {
  switch (event.type) {
    case 'link.paid': {
      if (event.method === 'bank-transfer')
        return [...faultsAfter(later), { kind: 'act', action: 'approveTransfer' }]
      return [...faultsAfter(later), { kind: 'pay', method: 'card', ...browserIn(later) }]
    }
    case 'bank_transfer.initiated':
      return [{ kind: 'pay', method: 'bank-transfer', browser: 'returns', returns: false }]
    case 'link.cancelled':
      return [...faultsAfter(later), { kind: 'cancel', ...browserIn(later) }]
    case 'link.declined':
      return [{ kind: 'act', action: 'decline' }]
    case 'link.deleted':
      return [{ kind: 'act', action: 'deleteLink' }]
    case 'bank_transfer.rejected':
      return [{ kind: 'act', action: 'rejectTransfer' }]
    case 'refund.requested':
      return [{ kind: 'refund', amount: toEuros(event.amount), full: event.full }]
    case 'refund.approved':
      return [{ kind: 'act', action: 'approveRefund' }]
    case 'refund.rejected':
      return [{ kind: 'act', action: 'rejectRefund' }]
    case 'dispute.opened':
      return [{ kind: 'act', action: 'openDispute' }]
    case 'dispute.closed':
      return [{ kind: 'act', action: event.outcome === 'won' ? 'winDispute' : 'loseDispute' }]
    case 'clock.changed':
      return [{ kind: 'clock', now: event.to, mode: event.mode }]
    case 'delivery.queued':
      return isFurtherTarget(event, before) ? [] : stepsOfWebhook(event, later)
    default:
      return []
  }
}

/** Whether a webhook was queued together with the previous one, for a different target. */
const isFurtherTarget = (
  { cause, seq }: RecordedEvent<EventOf<'delivery.queued'>>,
  before: RecordedEvent | undefined,
): boolean => before?.type === 'delivery.queued' && before.cause === cause && before.seq === seq - 1

/** The steps for a webhook that the user requested. */
function stepsOfWebhook(queued: EventOf<'delivery.queued'>, later: readonly RecordedEvent[]): TestStep[] {
  const { cause, status, fault } = queued
  const outcome = status.toLowerCase() === 'success' ? 'Success' : 'cancel'
  if (cause === 'replay') return [...faultsAfter(later, queued), { kind: 'replay' }]
  if (cause === 'resend') return [...faultsAfter(later, queued), { kind: 'resend', status: outcome }]
  if (cause === 'forged' && fault?.effect.startsWith('forged:')) {
    return [{ kind: 'forge', forgery: fault.effect.slice('forged:'.length), status: outcome }]
  }
  return []
}

/** The faults that affected the redirect and the webhooks of an action. */
function faultsAfter(later: readonly RecordedEvent[], own?: EventOf<'delivery.queued'>): TestStep[] {
  const end = later.findIndex(isAction)
  const following = end === -1 ? later : later.slice(0, end)
  const redirect = following.find((event) => event.type === 'redirect.sent' || event.type === 'redirect.lost')
  const queued = new Set([
    ...(own === undefined ? [] : [own.deliveryId]),
    ...following.flatMap((event) =>
      event.type === 'delivery.queued' && event.cause !== 'duplicate' ? [event.deliveryId] : [],
    ),
  ])
  // Considers all later events, because an attempt may end after the next action.
  const attempts = later.filter(
    (event) => event.type === 'delivery.attempted' && queued.has(event.deliveryId),
  ) as readonly EventOf<'delivery.attempted'>[]
  return [
    ...faultStep('redirect', redirect === undefined ? [] : [redirect.fault]),
    ...faultStep(
      'webhook',
      attempts.map(({ fault }) => fault),
    ),
  ]
}

/** Whether the event is an action. The events after an action are its consequences. */
const isAction = (event: RecordedEvent): boolean =>
  event.type === 'delivery.queued'
    ? event.cause !== 'outcome' && event.cause !== 'duplicate'
    : ACTIONS.has(topicOf(event))

const ACTIONS = new Set<EventTopic>(['bank_transfer', 'dispute', 'link', 'refund'])

function faultStep(on: 'redirect' | 'webhook', marks: readonly (FaultMark | undefined)[]): TestStep[] {
  const script = marks.map((mark) => (mark === undefined || mark.id === null ? 'pass' : mark.effect))
  return script.every((effect) => effect === 'pass') ? [] : [{ kind: 'fault', on, script }]
}

/** Whether the browser returned to the shop. The test opens pages only on this machine. */
function browserIn(later: readonly RecordedEvent[]): { browser: 'returns' | 'closes'; returns: boolean } {
  const redirect = later.find((event) => event.type === 'redirect.sent' || event.type === 'redirect.lost')
  if (redirect?.type === 'redirect.lost') return { browser: 'closes', returns: false }
  const location = redirect?.type === 'redirect.sent' ? redirect.location : ''
  return { browser: 'returns', returns: isLoopback(location) }
}
