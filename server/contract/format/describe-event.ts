import type { EventView } from '../views.ts'
import type { EventOf } from '../../domain/events/event.ts'
import type { EntryPoint } from '../../domain/events/event-fields.ts'
import type { FaultMark, FaultPoint } from '../../domain/faults/fault.ts'
import { hostScopeText } from '../../domain/network/egress-text.ts'
import type { OriginMap } from '../../domain/network/origin-map.ts'
import { isStored, isSuccessful } from '../../domain/webhooks/delivery.ts'
import {
  badStatus,
  checkStatus,
  goodStatus,
  httpStatus,
  plainStatus,
  retryingStatus,
  storedStatus,
  waitingStatus,
  type EventKind,
  type EventRow,
  type Status,
} from './event-row.ts'
import { formatAmount, formatDuration, formatSize, plural } from './values.ts'

type EventViewOf<Type extends EventView['type']> = EventOf<Type, EventView>

/** What the app behind a listener responded to a webhook that a tunnel had stored. */
export type ListenerAnswer = Pick<EventViewOf<'tunnel.answered'>, 'listener' | 'status' | 'error'>

type Description = readonly [kind: EventKind, status: Status, lead: string, rest?: string]

/** What a fault affects, in words. */
export const faultPointText: Readonly<Record<FaultPoint, string>> = {
  api: 'API calls',
  webhook: 'webhooks',
  redirect: 'redirects',
}

const diagnosticStatus = {
  error: badStatus('error'),
  warning: waitingStatus('warning'),
  hint: plainStatus('hint'),
}

/** One description for each type of event. */
const descriptions: {
  readonly [Type in EventView['type']]: (
    event: EventViewOf<Type>,
    listenerAnswer?: ListenerAnswer,
  ) => Description
} = {
  'api.request': describeCall,
  'api.limited': describeCall,
  'checkout.viewed': (event) => [
    'page',
    httpStatus(event.status),
    event.page === 'checkout' ? 'Checkout opened' : `${capitalize(event.page)} page`,
    `${event.method} ${withoutQuery(event.path)}`,
  ],

  'link.created': ({ link }) => ['api', goodStatus('created'), 'Link created', amountAndNote(link)],
  'link.paid': (event) =>
    event.method === 'card'
      ? [
          'customer',
          goodStatus('paid'),
          'Paid by card',
          joinParts(formatAmount(event.amount), simulated(event)),
        ]
      : ['operator', goodStatus('paid'), 'Bank transfer approved', formatAmount(event.amount)],
  'link.cancelled': (event) => ['customer', plainStatus('cancelled'), 'Payment cancelled', simulated(event)],
  'link.declined': (event) => [
    'customer',
    badStatus('declined'),
    'Card declined',
    joinParts('The customer can try again', simulated(event)),
  ],
  'link.deleted': () => ['operator', plainStatus('deleted'), 'Link deleted'],
  'bank_transfer.initiated': (event) => [
    'customer',
    waitingStatus('pending'),
    'Bank transfer initiated',
    simulated(event),
  ],
  'bank_transfer.rejected': () => [
    'operator',
    badStatus('rejected'),
    'Bank transfer rejected',
    'The link can be paid again',
  ],
  'dispute.opened': () => ['operator', waitingStatus('disputed'), 'Dispute opened', 'Refunds are blocked'],
  'dispute.closed': ({ outcome }) => [
    'operator',
    plainStatus(outcome),
    'Dispute closed',
    `The customer ${outcome}`,
  ],
  'refund.requested': ({ amount }) => [
    'api',
    waitingStatus('requested'),
    'Refund requested',
    formatAmount(amount),
  ],
  'refund.approved': ({ amount }) => [
    'operator',
    goodStatus('approved'),
    'Refund approved',
    formatAmount(amount),
  ],
  'refund.rejected': ({ amount }) => [
    'operator',
    badStatus('rejected'),
    'Refund rejected',
    formatAmount(amount),
  ],

  'redirect.sent': (event) => [
    'redirect',
    httpStatus(302),
    withoutQuery(shortUrl(event.location)),
    joinParts(mappedFrom(event.mappedFrom), `status: ${event.status}`),
  ],
  'redirect.lost': (event) => [
    'redirect',
    badStatus('lost'),
    'The browser was closed',
    joinParts(withoutQuery(shortUrl(event.location)), mappedFrom(event.mappedFrom)),
  ],

  'delivery.queued': (event) => [
    'webhook',
    waitingStatus('queued'),
    shortUrl(event.target),
    webhookText(event),
  ],
  'delivery.held': (event) => [
    'webhook',
    waitingStatus('held'),
    event.hostScope === 'public' ? `${event.host} is a public host` : hostScopeText(event),
    joinParts(effectiveTarget(event), mappedTarget(event)),
  ],
  'delivery.delayed': (event) => [
    'webhook',
    waitingStatus('delayed'),
    shortUrl(event.target),
    `sent after ${timeToNextAttempt(event)}`,
  ],
  'delivery.allowed': ({ target }) => [
    'operator',
    goodStatus('allowed'),
    'Webhook allowed once',
    shortUrl(target),
  ],
  'delivery.attempted': describeAttempt,
  'check.sent': (event) => [
    event.check === null ? 'webhook' : 'check',
    checkStatus(event.httpStatus, event.hungUp),
    effectiveTarget(event),
    joinParts(mappedTarget(event), event.error ?? `check ${event.check ?? ''}`.trim()),
  ],

  'tunnel.captured': (event) => [
    'tunnel',
    event.status === null ? waitingStatus('forwarded') : httpStatus(event.status),
    `${event.method} ${event.path}`,
    `${formatSize(event.size)} received`,
  ],
  'tunnel.answered': (event) => [
    'tunnel',
    httpStatus(event.status),
    `${event.method} ${event.path}`,
    joinParts(
      `by ${event.listener ?? 'the sandbox'}`,
      !event.first && 'not returned to the caller',
      event.possibleDuplicate && POSSIBLE_DUPLICATE,
      event.error,
    ),
  ],
  'tunnel.changed': (event) => [
    'operator',
    goodStatus('changed'),
    `Response of tunnel ${event.tunnel}`,
    String(event.status),
  ],
  'tunnel.cleared': (event) => [
    'operator',
    plainStatus('cleared'),
    `Tunnel ${event.tunnel}`,
    `${plural(event.count, 'request')} deleted`,
  ],
  'listener.connected': (event) => [
    'tunnel',
    goodStatus('connected'),
    `${event.tunnel} → ${shortUrl(event.to)}`,
    joinParts(event.listener, event.waiting > 0 && `${plural(event.waiting, 'request')} queued`),
  ],
  'listener.lost': (event) => [
    'tunnel',
    event.isEnded ? plainStatus('disconnected') : badStatus('lost'),
    ...listenerText(event, event.reason),
  ],
  'listener.forgotten': (event) => ['tunnel', plainStatus('removed'), ...listenerText(event, event.reason)],
  'listener.overflowed': (event) => [
    'tunnel',
    badStatus('overflowed'),
    ...listenerText(event, `oldest ${plural(event.count, 'request')} dropped`),
  ],

  'diagnostic.found': (event) => ['diagnostic', diagnosticStatus[event.severity], event.title, event.seen],
  'fault.added': (event) => ['operator', waitingStatus('enabled'), ...faultText(event)],
  'fault.removed': (event) => ['operator', plainStatus('removed'), ...faultText(event)],

  'account.created': ({ name }) => ['system', goodStatus('created'), 'Account created', name],
  'account.changed': ({ name, fields }) => [
    'system',
    goodStatus('changed'),
    'Account changed',
    [name, fields.join(', ')].filter(Boolean).join(': '),
  ],
  'account.deleted': ({ name }) => ['system', plainStatus('deleted'), 'Account deleted', name],
  'account.reset': ({ name }) => ['operator', goodStatus('reset'), 'Account reset', name],
  'behaviors.changed': (event) => [
    'system',
    goodStatus('changed'),
    `Behaviors changed for ${event.accountId === null ? 'all accounts' : 'one account'}`,
    Object.entries(event.values)
      .map(([name, value]) => `${name}: ${value ?? 'default'}`)
      .join(', '),
  ],
  'maps.changed': ({ maps }) => ['operator', goodStatus('changed'), 'Maps changed', mapsText(maps)],
  'hosts.changed': ({ allowedHosts }) => [
    'operator',
    goodStatus('changed'),
    'Allowed hosts changed',
    allowedHosts.join(', ') || 'none',
  ],
  'invoice.issued': ({ invoice }) => [
    'system',
    goodStatus('issued'),
    `Invoice for ${invoice.serviceMonthText}`,
    formatAmount(invoice.platformFee + invoice.pspFee + invoice.vat),
  ],
  'clock.changed': (event) => ['operator', goodStatus(event.mode), clockText(event)],
  'snapshot.taken': ({ name }) => ['operator', goodStatus('taken'), 'Snapshot taken', name],
  'sandbox.restored': ({ undo, snapshot }) =>
    undo
      ? ['operator', goodStatus('undone'), 'Reset undone']
      : ['operator', goodStatus('restored'), 'Snapshot restored', snapshot],
  'sandbox.rewound': ({ lostEvents }) => [
    'system',
    badStatus('rewound'),
    'Database went back to an earlier state',
    lostEvents === null ? 'Events may be lost' : `${plural(lostEvents, 'event')} lost`,
  ],
  'sandbox.started': ({ version }) => [
    'system',
    goodStatus('started'),
    'Sandbox started',
    `Version ${version}`,
  ],
  'sandbox.reset': ({ to }) => ['system', goodStatus('reset'), 'Sandbox reset', `To ${to}`],
}

/** Every event type. The inspector uses this list instead of the table of event fields, which is too large for it. */
export const describedEventTypes = Object.keys(descriptions) as readonly EventView['type'][]

/**
 * Describes an event as one row, for the timeline, the command line and the MCP tools. If a tunnel stored the webhook of an
 * attempt, the row says so. If `listenerAnswer` contains what a listener responded later, the row describes this response. Only the
 * inspector passes `listenerAnswer`, because other lists show the listener's response as a separate event.
 */
export function describeEvent(event: EventView, listenerAnswer?: ListenerAnswer): EventRow {
  // This function accepts events of this type, but TypeScript cannot conclude that from the union.
  const describe = descriptions[event.type] as (
    event: EventView,
    listenerAnswer?: ListenerAnswer,
  ) => Description
  const [kind, status, lead, rest = ''] = describe(event, listenerAnswer)
  return {
    kind,
    ...status,
    lead,
    rest: joinParts(rest, marksOf(event)),
    payId: event.payId,
    took: 'ms' in event ? event.ms : null,
  }
}

/** What else affected an event: a fault, a real service, an import. */
export const marksOf = (event: EventView): string =>
  joinParts(
    'fault' in event && event.fault && faultMarkText(event.fault),
    'upstream' in event && upstreamText(event),
  )

/** The id of the webhook that an event is about, including events of tunnels and listeners. */
export const webhookOf = (event: EventView): number | null =>
  'deliveryId' in event ? event.deliveryId : 'capturedDeliveryId' in event ? event.capturedDeliveryId : null

function describeAttempt(
  event: EventViewOf<'delivery.attempted'>,
  laterAnswer?: ListenerAnswer,
): Description {
  const listenerAnswer = isStored(event) ? laterAnswer : undefined
  const { nextAttemptAt, storedIn } = event
  const details = joinParts(
    webhookText(event),
    event.via !== undefined && `via ${event.via}`,
    mappedTarget(event),
  )
  if (isStored(event) && !listenerAnswer) {
    const lead = `Stored in tunnel ${storedIn}`
    const rest = joinParts(NO_LISTENER, effectiveTarget(event), details)
    return ['webhook', storedStatus(event.httpStatus), lead, rest]
  }
  const by = listenerAnswer
    ? fetchedText(listenerAnswer)
    : storedIn !== undefined && `answered by tunnel ${storedIn}`
  const status = attemptStatus(listenerAnswer ? listenerAnswer.status : event.httpStatus)
  if (status.tone === 'ok') return ['webhook', status, effectiveTarget(event), joinParts(by, details)]
  const why = listenerAnswer ? listenerFailure(listenerAnswer) : attemptFailure(event)
  const failed = {
    ...(nextAttemptAt === null ? status : retryingStatus(status)),
    ...(why.word !== undefined && { word: why.word }),
  }
  const gaveUp = nextAttemptAt === null && event.attempt > 1 ? ', gave up' : ''
  const next = nextAttemptAt !== null && `next attempt in ${formatWait(nextAttemptAt, event.at)}`
  return ['webhook', failed, `${why.text}${gaveUp}`, joinParts(next, by, effectiveTarget(event), details)]
}

interface Failure {
  readonly text: string
  /** Shown instead of the word of the status. */
  readonly word?: string
}

/** Why an attempt failed, in a few words. */
function attemptFailure(event: EventViewOf<'delivery.attempted'>): Failure {
  const { httpStatus: status, error, errorCode, redirectedTo, responseText } = event
  if (status === null) {
    const { host } = splitUrl(event.mappedTo ?? event.target)
    switch (errorCode) {
      case 'connectionRefused':
        return { text: `Nothing listens on ${host}`, word: 'no answer' }
      case 'timeout':
        return { text: capitalize(error ?? 'no answer in time'), word: 'timeout' }
      case 'hostUnknown':
        return { text: `${host} is an unknown host`, word: 'no answer' }
      default:
        return { text: capitalize(error ?? 'no response') }
    }
  }
  if (redirectedTo !== undefined) return { text: `Redirected to ${withoutQuery(redirectedTo)}` }
  return { text: responseText ?? `Answered ${status}` }
}

const listenerFailure = ({ status, error }: ListenerAnswer): Failure => ({
  text: status === null ? capitalize(error ?? 'no answer') : `Your app answered ${status}`,
})

export const NO_LISTENER = 'no listener was connected'

/** Says that a listener fetched a stored webhook later. */
export const fetchedText = ({ listener }: Pick<ListenerAnswer, 'listener'>): string =>
  `fetched by listener ${listener}`

/** The status of an attempt. Only a 2xx response is a success, because redirects are not followed. */
export const attemptStatus = (code: number | null): Status => httpStatus(code, isSuccessful({ status: code }))

function describeCall(event: EventViewOf<'api.request' | 'api.limited'>): Description {
  const status = httpStatus(event.status, event.code === 1)
  const isDifferent = event.differences?.[0] !== undefined
  const isHiddenError = event.code !== 1 && event.status < 400
  const word = isDifferent
    ? `${event.status} · differs`
    : isHiddenError
      ? `${event.status} · code 0`
      : status.word
  return event.code === 1
    ? ['api', { ...status, word }, event.operation, event.message]
    : ['api', { ...status, word }, event.message, event.operation]
}

/** Joins the parts that are not empty. */
export const joinParts = (...parts: readonly (string | false | null | undefined)[]): string =>
  parts.filter(Boolean).join(' · ')

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const POSSIBLE_DUPLICATE = 'possible duplicate'

/** An effect without a fault id was requested for this event only, so the text does not mention a fault. */
const faultMarkText = ({ id, effect }: FaultMark): string => (id === null ? effect : `fault ${effect}`)

/** Names the real service that answered, and the file of an imported call. */
const upstreamText = ({
  upstream,
  upstreamError,
  imported,
}: Pick<EventViewOf<'api.request'>, 'upstream' | 'upstreamError' | 'imported'>): string =>
  joinParts(
    // If there was no response, the message already names the upstream.
    upstream !== undefined && !upstreamError && `answered by ${upstream.replace(/^https?:\/\//, '')}`,
    imported !== undefined && `imported from ${imported}`,
  )

const faultText = ({ on, script }: EventViewOf<'fault.added' | 'fault.removed'>) =>
  [`Fault on ${faultPointText[on]}`, script.join(', ')] as const

const listenerText = (
  { tunnel, listener }: { readonly tunnel: string; readonly listener: string },
  text: string,
) => [`Listener of ${tunnel}`, `${listener}: ${text}`] as const

/** Marks something a customer does that was done through the control API, not on the checkout page. */
const simulated = ({ entryPoint }: { readonly entryPoint: EntryPoint }): string =>
  entryPoint === 'control' ? 'simulated' : ''

const amountAndNote = ({ amount, note }: { readonly amount: number; readonly note: string }): string =>
  joinParts(formatAmount(amount), note)

/** The payment status in the body of a webhook, such as Success. It is not the state of the delivery. */
const webhookText = (event: Extract<EventView, { deliveryId: number }>): string =>
  joinParts(
    `status: ${event.status}`,
    event.replayOf !== null && event.reason,
    'possibleDuplicate' in event && event.possibleDuplicate && POSSIBLE_DUPLICATE,
  )

interface MappableTarget {
  readonly target: string
  readonly mappedTo?: string
}

/** The address that the request is sent to. Shows only one address, because rows are narrow. */
export const effectiveTarget = ({ target, mappedTo }: MappableTarget): string => shortUrl(mappedTo ?? target)

const mappedTarget = ({ target, mappedTo }: MappableTarget): string =>
  mappedFrom(mappedTo === undefined ? undefined : target)

const mappedFrom = (url: string | undefined): string =>
  url === undefined ? '' : `mapped from ${shortUrl(url)}`

const mapsText = (maps: readonly OriginMap[]): string =>
  maps.map(({ from, to }) => `${shortUrl(from)} → ${shortUrl(to)}`).join(', ') || 'none'

const timeToNextAttempt = (event: { readonly at: string; readonly nextAttemptAt: string | null }): string =>
  formatDuration(Date.parse(event.nextAttemptAt!) - Date.parse(event.at))

/** The time until the next attempt, like `30 s`, `5 min` or `2 hours`. */
export function formatWait(to: string | null, from: string): string {
  const ms = Date.parse(to ?? from) - Date.parse(from)
  if (ms < 100_000) return `${Math.round(ms / 1_000)} s`
  return ms < 7_000_000 ? `${Math.round(ms / 60_000)} min` : formatDuration(ms)
}

function clockText({ from, to, mode }: EventViewOf<'clock.changed'>): string {
  const ms = Date.parse(to) - Date.parse(from)
  if (Math.abs(ms) < 1_000) return `Clock ${mode}`
  return `Clock moved ${ms < 0 ? 'back' : 'forward'} by ${formatDuration(Math.abs(ms))}`
}

/** Leaves out `http`, the usual scheme here, and shows `https`. */
export const shortUrl = (url: string): string => url.replace(/^http:\/\//, '')

/** `localhost:3000`, from a URL. */
export const hostAndPort = (url: string): string => url.replace(/^https?:\/\//, '').replace(/[/?#].*$/, '')

const withoutQuery = (url: string): string => url.split('?')[0]!

/** Host and path of a URL, where there is no room for the scheme. */
export function splitUrl(url: string): { readonly host: string; readonly path: string } {
  const [, host = url, path = ''] = /^https?:\/\/([^/?]*)(.*)$/.exec(url) ?? []
  return { host, path }
}
