import type { Account } from '../domain/accounts/account.ts'
import type { BehaviorName } from '../domain/behaviors/behavior.ts'
import type { Clock } from '../domain/time/clock.ts'
import { defined } from '../domain/text/omit-undefined.ts'
import type { Delivery, DeliveryState } from '../domain/webhooks/delivery.ts'
import type { Attempted, Recorded } from '../domain/events/event.ts'
import type { Exchange } from '../domain/http/exchange.ts'
import { monthText, type TaxInvoice } from '../domain/accounts/tax-invoice.ts'
import { linkIdOf } from '../domain/links/link-id.ts'
import { ownerPayout, payLinkUrl, qrImageUrl, type Link } from '../domain/links/link.ts'
import { strikesLeft, type Fault } from '../domain/faults/fault.ts'
import { toEuros } from '../domain/money/money.ts'
import { followMap, type OriginMap } from '../domain/network/origin-map.ts'
import type { Refund } from '../domain/links/refund.ts'
import type { RunReport } from '../domain/events/run-report.ts'
import type { Snapshot } from '../domain/state/snapshot.ts'
import type { Target } from '../domain/links/targets.ts'
import { berlinTime, berlinZone, type Instant } from '../domain/time/time.ts'
import type { Body, Headers } from '../domain/http/exchange.ts'
import type { TunnelAnswer } from '../domain/network/tunnel.ts'

/** An address on the sandbox itself is kept as a path, and shown as people can use it. */
export const absolute = (url: string, baseUrl: string): string => (url.startsWith('/') ? baseUrl + url : url)

/** Where a map leads an address. */
function mapped(address: string, baseUrl: string, maps: readonly OriginMap[]): string | undefined {
  const led = followMap(address, maps)
  return led === null ? undefined : absolute(led.to, baseUrl)
}

export const presentAccount = (account: Account, baseUrl: string) => ({
  ...account,
  paymentEndpoint: absolute(account.paymentEndpoint, baseUrl),
})

/** What a unit of work knows of the time. */
interface Now {
  readonly now: Instant
  readonly clock: Clock
  /** The machine's own time, in milliseconds. */
  readonly machine: number
}

/** What the sandbox's clock shows, how far it is ahead of the machine's, and what the service makes of it. */
export const presentClock = ({ now, clock, machine }: Now) => ({
  now,
  mode: clock.mode,
  offsetMs: Date.parse(now) - machine,
  serverTime: berlinTime(now),
  zone: berlinZone(now),
})

/** A link in the control API's words, with amounts in euros. */
export const presentLink = (
  link: Link,
  targets: readonly Target[],
  baseUrl: string,
  maps: readonly OriginMap[] = [],
) => ({
  id: link.id,
  payId: link.payId,
  linkId: linkIdOf(link.payId),
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
  ...defined({ callbackMappedTo: mapped(link.callbackUrl, baseUrl, maps) }),
  paymentEndpoint: link.paymentEndpoint,
  targets: targets.map(({ url, reason }) => ({
    url: absolute(url, baseUrl),
    reason,
    ...defined({ mappedTo: mapped(url, baseUrl, maps) }),
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

/** `always` for a fault that strikes as long as it is there. */
export const presentFault = (fault: Fault) => ({
  ...fault,
  times: fault.times ?? ('always' as const),
  left: strikesLeft(fault) ?? ('always' as const),
})

export const presentRefund = (refund: Refund) => ({ ...refund, amount: toEuros(refund.amount) })

export const presentInvoice = (invoice: TaxInvoice) => ({
  ...invoice,
  serviceMonthText: monthText(invoice.serviceMonth),
  platformFee: toEuros(invoice.platformFee),
  pspFee: toEuros(invoice.pspFee),
  vat: toEuros(invoice.vat),
})

/** `underway` is the sandbox's own business; to everybody else the delivery is still pending. */
const presentState = (state: DeliveryState): Exclude<DeliveryState, 'underway'> =>
  state === 'underway' ? 'pending' : state

/** An attempt in a list of attempts of several webhooks. */
export const presentRetry = (
  { deliveryId, linkId, attempt, at, httpStatus, error, state, target }: Attempted,
  baseUrl: string,
) => ({
  deliveryId,
  linkId,
  number: attempt,
  at,
  status: httpStatus,
  error,
  state: presentState(state),
  target: absolute(target, baseUrl),
})

export interface ShownAttempt {
  readonly number: number
  readonly seq: number
  readonly at: string
  /** The HTTP status, `null` where no answer came. */
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
  /** Where a map led it in place of the target. */
  readonly mappedTo?: string
  /** The address it went to instead of the target, where localhost is a container's own. */
  readonly via?: string
  readonly exchange?: Exchange | null
}

export const presentAttempt = (
  { event, exchange }: { event: Recorded; exchange: Exchange | null },
  withBytes: boolean,
  baseUrl: string,
): ShownAttempt[] =>
  event.type === 'delivery.attempted'
    ? [
        {
          number: event.attempt,
          seq: event.seq,
          at: event.at,
          status: event.httpStatus,
          ms: event.ms,
          error: event.error,
          ...defined({ mappedTo: event.mappedTo && absolute(event.mappedTo, baseUrl), via: event.via }),
          ...(withBytes ? { exchange } : {}),
        },
      ]
    : []

export const presentDelivery = (
  delivery: Delivery,
  baseUrl: string,
  attempts: readonly ShownAttempt[],
  heldReason: string | null,
  maps: readonly OriginMap[],
) => ({
  id: delivery.id,
  accountId: delivery.accountId,
  linkId: delivery.linkId,
  payId: delivery.payId,
  status: delivery.status,
  cause: delivery.cause,
  target: absolute(delivery.target, baseUrl),
  /** Where its newest attempt was led by a map, or where the next one is to go as things are. */
  ...defined({ mappedTo: whereTo(delivery, baseUrl, attempts, maps) }),
  reason: delivery.reason,
  contentType: delivery.contentType,
  body: delivery.body,
  state: presentState(delivery.state),
  /** When it is tried again, by the sandbox's clock. `null` where it is not, or where that is being done. */
  nextAttemptAt: delivery.state === 'pending' ? delivery.nextAttemptAt : null,
  /** Why it is held, and how to let it out. `null` where it is not. */
  heldReason,
  possibleDuplicate: delivery.possibleDuplicate,
  replayOf: delivery.replayOf,
  /** What a fault has done to it, or what it was made by. */
  fault: delivery.fault,
  createdAt: delivery.createdAt,
  attempts,
})

function whereTo(
  { state, target }: Delivery,
  baseUrl: string,
  attempts: readonly ShownAttempt[],
  maps: readonly OriginMap[],
): string | undefined {
  const isOver = state === 'delivered' || state === 'failed'
  return isOver ? attempts.at(-1)?.mappedTo : mapped(target, baseUrl, maps)
}

/** The sandbox at a glance. */
export interface ShownInfo {
  readonly version: string
  readonly url: string
  readonly epoch?: string | undefined
  readonly clock: ShownClock
  readonly counts: Readonly<
    Record<'accounts' | 'links' | 'refunds' | 'invoices' | 'deliveries' | 'events', number>
  >
  readonly journal: { readonly oldest: number; readonly head: number }
  readonly allowedHosts: readonly string[]
  /** The values in force for all accounts. */
  readonly behaviors: Readonly<Record<BehaviorName, string>>
  readonly run: RunReport
}

const goes = (
  { target, mappedTo }: { readonly target: string; readonly mappedTo?: string },
  baseUrl: string,
) => ({
  target: absolute(target, baseUrl),
  ...defined({ mappedTo: mappedTo && absolute(mappedTo, baseUrl) }),
})

/** An event with its amounts in euros and its addresses as people can use them. */
export function presentEvent(event: Recorded, baseUrl: string) {
  switch (event.type) {
    case 'link.created':
      return { ...event, link: presentLink(event.link, event.link.targets, baseUrl) }
    case 'link.paid':
    case 'refund.requested':
    case 'refund.approved':
    case 'refund.rejected':
      return { ...event, amount: toEuros(event.amount) }
    case 'invoice.issued':
      return { ...event, invoice: presentInvoice(event.invoice) }
    case 'redirect.sent':
    case 'redirect.lost':
      return { ...event, location: absolute(event.location, baseUrl) }
    case 'delivery.queued':
    case 'delivery.released':
    case 'delivery.delayed':
      return { ...event, target: absolute(event.target, baseUrl) }
    case 'delivery.held':
      return { ...event, ...goes(event, baseUrl) }
    case 'delivery.attempted':
      return { ...event, ...goes(event, baseUrl), state: presentState(event.state) }
    default:
      return event
  }
}

export type ShownAccount = ReturnType<typeof presentAccount>
export type ShownEvent = ReturnType<typeof presentEvent>
export type ShownInvoice = ReturnType<typeof presentInvoice>
export type ShownLink = ReturnType<typeof presentLink>
export type ShownRetry = ReturnType<typeof presentRetry>
export type ShownDelivery = ReturnType<typeof presentDelivery>
export type ShownFault = ReturnType<typeof presentFault>
export type ShownRefund = ReturnType<typeof presentRefund>
export type ShownSnapshot = Snapshot
export type ShownClock = ReturnType<typeof presentClock>

export interface ShownListener {
  readonly id: string
  readonly to: string
  readonly state: 'connected' | 'away'
  readonly target: 'up' | 'down' | null
  readonly connectedAt: Instant
  readonly awaySince: Instant | null
  readonly waiting: number
}

export interface ShownTunnel {
  readonly name: string
  readonly url: string
  readonly answer: TunnelAnswer
  readonly requests: number
  readonly listeners: readonly ShownListener[]
}

/** A request that a tunnel captured. */
export interface ShownCapture {
  readonly seq: number
  readonly at: Instant
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Body
  readonly waitsFor: readonly string[]
}
