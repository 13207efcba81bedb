import type { LeftOut } from '../domain/har/read-har.ts'
import type { Account } from '../domain/accounts/account.ts'
import type { BehaviorName } from '../domain/behaviors/open-points.ts'
import type { Clock } from '../domain/time/clock.ts'
import { omitUndefined } from '../domain/text/omit-undefined.ts'
import type { Delivery } from '../domain/webhooks/delivery.ts'
import type { DeliveryState, ShownDeliveryState } from '../domain/webhooks/delivery-values.ts'
import type { AttemptEvent, EventOf, EventsWith, EventType, RecordedEvent } from '../domain/events/event.ts'
import { eventTypes } from '../domain/events/event-fields.ts'
import { eventFields, type EventField, type FieldTypes } from '../domain/events/event-fields.ts'
import type { Exchange } from '../domain/http/exchange.ts'
import { formatMonth, type TaxInvoice } from '../domain/accounts/tax-invoice.ts'
import { encodeLinkId } from '../domain/links/link-id.ts'
import { ownerPayout, payLinkUrl, qrImageUrl, type Link } from '../domain/links/link.ts'
import { remainingUses, type Fault } from '../domain/faults/fault.ts'
import { toEuros } from '../domain/money/cents.ts'
import { applyMaps, type OriginMap } from '../domain/network/origin-map.ts'
import type { Refund } from '../domain/links/refund.ts'
import type { RunReport } from '../domain/events/run-report.ts'
import type { Snapshot } from '../domain/state/snapshot.ts'
import type { Target } from '../domain/links/targets.ts'
import { berlinTime, berlinZone, type Instant } from '../domain/time/berlin-time.ts'
import type { Body, Headers } from '../domain/http/exchange.ts'
import type { TunnelAnswer } from '../domain/network/tunnel.ts'
import { hidePasswords } from '../domain/network/credentials.ts'

/** Makes a stored URL absolute. URLs of the sandbox itself are stored as paths. */
export const toAbsoluteUrl = (url: string, baseUrl: string): string =>
  url.startsWith('/') ? baseUrl + url : url

/**
 * A URL without its password, for events and webhooks. In accounts, links and maps, URLs are shown unchanged, because they are
 * settings.
 */
const toShownUrl = (url: string, baseUrl: string): string => hidePasswords(toAbsoluteUrl(url, baseUrl))

/** The address that a map sends a URL to. */
function mapAddress(address: string, baseUrl: string, maps: readonly OriginMap[]): string | undefined {
  const mapped = applyMaps(address, maps)
  return mapped === null ? undefined : toAbsoluteUrl(mapped.to, baseUrl)
}

export const presentAccount = (account: Account, baseUrl: string) => ({
  ...account,
  paymentEndpoint: toAbsoluteUrl(account.paymentEndpoint, baseUrl),
})

/** The time during a unit of work. */
interface CurrentTime {
  readonly now: Instant
  readonly clock: Clock
  /** The system time, in milliseconds. */
  readonly systemNow: number
}

/** The sandbox's clock: its time, its offset from the system clock, and its format in the v2 API. */
export const presentClock = ({ now, clock, systemNow }: CurrentTime) => ({
  now,
  mode: clock.mode,
  offsetMs: Date.parse(now) - systemNow,
  serverTime: berlinTime(now),
  zone: berlinZone(now),
})

/** A link in the format of the control API, with amounts in euros. */
export const presentLink = (
  link: Link,
  targets: readonly Target[],
  baseUrl: string,
  maps: readonly OriginMap[] = [],
) => ({
  id: link.id,
  payId: link.payId,
  linkId: encodeLinkId(link.payId),
  accountId: link.accountId,
  amount: toEuros(link.amount),
  note: link.note,
  status: link.status,
  kind: link.kind,
  splitType: link.splitType,
  cancellable: link.cancellable,
  bankTransfer: link.bankTransfer,
  payLink: payLinkUrl(link.payId, baseUrl),
  qrImage: qrImageUrl(link.payId, baseUrl),
  callbackUrl: link.callbackUrl,
  ...omitUndefined({ callbackMappedTo: mapAddress(link.callbackUrl, baseUrl, maps) }),
  paymentEndpoint: link.paymentEndpoint,
  targets: targets.map(({ url, reason }) => ({
    url: toAbsoluteUrl(url, baseUrl),
    reason,
    ...omitUndefined({ mappedTo: mapAddress(url, baseUrl, maps) }),
  })),
  payout: {
    recipients: link.recipients.map(({ amount, ...rest }) => ({ ...rest, amount: toEuros(amount) })),
    owner: toEuros(ownerPayout(link)),
  },
  paidBy: link.paidBy,
  paidAt: link.paidAt,
  dispute: link.dispute,
  createdAt: link.createdAt,
})

/** `always` if the fault applies until it is removed. */
export const presentFault = (fault: Fault) => ({
  ...fault,
  times: fault.times ?? ('always' as const),
  remaining: remainingUses(fault) ?? ('always' as const),
})

export const presentRefund = (refund: Refund) => ({ ...refund, amount: toEuros(refund.amount) })

export const presentInvoice = (invoice: TaxInvoice) => ({
  ...invoice,
  serviceMonthText: formatMonth(invoice.serviceMonth),
  platformFee: toEuros(invoice.platformFee),
  pspFee: toEuros(invoice.pspFee),
  vat: toEuros(invoice.vat),
})

/**
 * A stored webhook is shown as `delivered`, because its tunnel responded with success. `storedIn` shows that no app has received
 * it.
 */
const shownStates: Readonly<Partial<Record<DeliveryState, ShownDeliveryState>>> = {
  planned: 'pending',
  underway: 'pending',
  stored: 'delivered',
}

const presentDeliveryState = (state: DeliveryState): ShownDeliveryState =>
  shownStates[state] ?? (state as ShownDeliveryState)

/** An attempt, for a list that has attempts of different webhooks. */
export const presentRetry = (
  { deliveryId, linkId, attempt, at, httpStatus, error, state, storedIn, target }: AttemptEvent,
  baseUrl: string,
) => ({
  deliveryId,
  linkId,
  number: attempt,
  at,
  status: httpStatus,
  error,
  state: presentDeliveryState(state),
  ...omitUndefined({ storedIn }),
  target: toShownUrl(target, baseUrl),
})

/** The response of a listener that fetched a stored webhook. */
interface ListenerAnswerView {
  readonly listener: string
  readonly seq: number
  readonly at: string
  /** The HTTP status of the app's response. `null` if there was none. */
  readonly status: number | null
  readonly error: string | null
}

export interface AttemptView {
  readonly number: number
  readonly seq: number
  readonly at: string
  /** The HTTP status of the response. `null` if there was none. */
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
  /** The address that a map sent the webhook to, instead of the target. */
  readonly mappedTo?: string
  /** The address of the host machine, if it was used instead of localhost, which in a container is the container itself. */
  readonly via?: string
  /** The tunnel that stored the webhook and answered because no listener was connected. */
  readonly storedIn?: string
  /** The listener that fetched the stored webhook later. */
  readonly takenBy?: ListenerAnswerView
  readonly exchange?: Exchange | null
}

export const presentAttempts = (
  { event, exchange }: { event: RecordedEvent; exchange: Exchange | null },
  includesBytes: boolean,
  baseUrl: string,
): AttemptView[] =>
  event.type === 'delivery.attempted'
    ? [
        {
          number: event.attempt,
          seq: event.seq,
          at: event.at,
          status: event.httpStatus,
          ms: event.ms,
          error: event.error,
          ...omitUndefined({
            mappedTo: event.mappedTo && toShownUrl(event.mappedTo, baseUrl),
            via: event.via,
            storedIn: event.storedIn,
          }),
          ...(includesBytes ? { exchange } : {}),
        },
      ]
    : []

export const presentListenerAnswer = ({
  listener,
  seq,
  at,
  status,
  error,
}: RecordedEvent<EventOf<'tunnel.answered'>>): ListenerAnswerView => ({
  listener: listener!,
  seq,
  at,
  status,
  error,
})

export const presentDelivery = (
  delivery: Delivery,
  baseUrl: string,
  attempts: readonly AttemptView[],
  heldReason: string | null,
  maps: readonly OriginMap[],
) => ({
  id: delivery.id,
  accountId: delivery.accountId,
  linkId: delivery.linkId,
  payId: delivery.payId,
  status: delivery.status,
  cause: delivery.cause,
  target: toShownUrl(delivery.target, baseUrl),
  /** The mapped address of the newest attempt, or before the first attempt, according to the current maps. */
  ...omitUndefined({ mappedTo: findMappedTo(delivery, baseUrl, attempts, maps) }),
  reason: delivery.reason,
  contentType: delivery.contentType,
  body: delivery.body,
  state: presentDeliveryState(delivery.state),
  /** The tunnel that stores the webhook. Missing if a listener has fetched the webhook, or if it went elsewhere. */
  ...omitUndefined({ storedIn: delivery.state === 'stored' ? attempts.at(-1)?.storedIn : undefined }),
  /** When the next attempt is due, by the sandbox's clock. `null` if none is due, or if one is running. */
  nextAttemptAt: delivery.state === 'pending' ? delivery.nextAttemptAt : null,
  /** Why the webhook is held, and how to allow it. `null` if it is not held. */
  heldReason,
  possibleDuplicate: delivery.possibleDuplicate,
  replayOf: delivery.replayOf,
  /** The fault that changed this webhook, or that created it as a duplicate. */
  fault: delivery.fault,
  createdAt: delivery.createdAt,
  attempts,
})

function findMappedTo(
  { state, target }: Delivery,
  baseUrl: string,
  attempts: readonly AttemptView[],
  maps: readonly OriginMap[],
): string | undefined {
  const isOver = state === 'delivered' || state === 'stored' || state === 'failed'
  if (isOver) return attempts.at(-1)?.mappedTo
  const mapped = mapAddress(target, baseUrl, maps)
  return mapped && hidePasswords(mapped)
}

/** The role of this process among the processes that share a database. */
interface ReplicaView {
  readonly role: 'leader' | 'follower' | 'none' | 'stopping'
  /** The address at which other processes reach the leader. */
  readonly leader: string | null
  /** The addresses of the followers. Only the leader knows them. */
  readonly followers?: readonly string[] | undefined
  readonly versions?: readonly string[] | undefined
}

/** A summary of the sandbox's state. */
export interface InfoView {
  readonly version: string
  readonly database: string
  readonly url: string
  readonly epoch?: string | undefined
  readonly clock: ClockView
  readonly counts: Readonly<
    Record<'accounts' | 'links' | 'refunds' | 'invoices' | 'deliveries' | 'events', number>
  >
  readonly journal: { readonly oldest: number; readonly head: number }
  readonly allowedHosts: readonly string[]
  /** Origin of the upstream that answers API calls, or `null` if the sandbox answers them itself. */
  readonly upstream: string | null
  /** Set if several processes share the database. */
  readonly replica?: ReplicaView | undefined
  /** The values for accounts that have not set their own. */
  readonly behaviors: Readonly<Record<BehaviorName, string>>
  readonly run: RunReport
}

/** The types of event fields in views. */
export interface ViewTypes extends Omit<FieldTypes, 'link' | 'invoice' | 'deliveryState'> {
  link: LinkView
  invoice: InvoiceView
  deliveryState: ShownDeliveryState
}

export type EventView = RecordedEvent<EventsWith<ViewTypes>>

const hideTarget = (target: Target): Target => ({ ...target, url: hidePasswords(target.url) })

const withoutPasswords = (link: Link): Link => ({
  ...link,
  callbackUrl: hidePasswords(link.callbackUrl),
  paymentEndpoint: hidePasswords(link.paymentEndpoint),
})

type Presenters = {
  readonly [Type in keyof FieldTypes]?: (value: FieldTypes[Type], baseUrl: string) => unknown
}

/** Converters for the field types that views present differently from how they are stored. */
const presenters: Presenters = {
  amount: toEuros,
  address: toShownUrl,
  target: toShownUrl,
  location: toShownUrl,
  maps: (maps) => maps.map(({ from, to }) => ({ from, to: hidePasswords(to) })),
  link: (link, baseUrl) => presentLink(withoutPasswords(link), link.targets.map(hideTarget), baseUrl),
  invoice: presentInvoice,
  deliveryState: presentDeliveryState,
}

/** For each event type, the fields that views present differently from how they are stored, with their converters. */
const presentedFields = new Map(
  eventTypes.map((type) => [
    type,
    Object.entries<EventField>(eventFields[type]).flatMap(([name, field]) => {
      const present = presenters[typeof field === 'string' ? field : field.type]
      return present === undefined
        ? []
        : [[name, present as (value: unknown, baseUrl: string) => unknown] as const]
    }),
  ]),
)

/** Whether views present a field as it is stored, in events of one type or in all events. */
export const isShownAsStored = (name: string, type?: EventType): boolean =>
  (type === undefined ? [...presentedFields.values()] : [presentedFields.get(type)!]).every((fields) =>
    fields.every(([presented]) => presented !== name),
  )

/** An event with amounts in euros and with absolute URLs. */
export function presentEvent(event: RecordedEvent, baseUrl: string): EventView {
  const view: Record<string, unknown> = { ...event }
  for (const [name, present] of presentedFields.get(event.type)!) {
    if (view[name] !== undefined) view[name] = present(view[name], baseUrl)
  }
  return view as unknown as EventView
}

export type AccountView = ReturnType<typeof presentAccount>
export type InvoiceView = ReturnType<typeof presentInvoice>
export type LinkView = ReturnType<typeof presentLink>
export type RetryView = ReturnType<typeof presentRetry>
export type DeliveryView = ReturnType<typeof presentDelivery>
export type FaultView = ReturnType<typeof presentFault>
export type RefundView = ReturnType<typeof presentRefund>
export type SnapshotView = Snapshot

export interface SampleStoryView {
  readonly account: { readonly id: string; readonly name: string }
  /** The number of payment links in the sample story. */
  readonly payments: number
  /** The snapshot that was taken before the story. */
  readonly snapshot: string
}

export type ClockView = ReturnType<typeof presentClock>

interface ListenerView {
  readonly id: string
  readonly to: string
  readonly state: 'connected' | 'away'
  readonly target: 'up' | 'down' | null
  readonly connectedAt: Instant
  readonly awaySince: Instant | null
  readonly waiting: number
}

export interface TunnelView {
  readonly name: string
  readonly url: string
  readonly answer: TunnelAnswer
  readonly requests: number
  readonly listeners: readonly ListenerView[]
}

/** A request that a tunnel captured. */
export interface CapturedRequestView {
  readonly seq: number
  readonly at: Instant
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Body
  readonly waitsFor: readonly string[]
}

/** The result of importing an HTTP Archive. */
export interface ImportView {
  /** The number of calls that were added to the journal. */
  readonly imported: number
  /** The number of these calls whose response differs from the sandbox's own. */
  readonly different: number
  /** For each reason why responses could not be compared, the number of calls. */
  readonly comparisonSkipped: Readonly<Record<string, number>>
  /** The number of requests that are not calls of the API, or that go to a different origin. */
  readonly ignored: number
  /** The entries of the file that could not be read, each with the reason. */
  readonly leftOut: readonly LeftOut[]
}
