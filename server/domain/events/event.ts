import type { Subject } from '../links/subject.ts'
import type { AssumptionName } from '../behaviors/behavior.ts'
import type { FaultMark, FaultPoint } from '../faults/fault.ts'
import type { Link, PaymentMethod, DisputeState } from '../links/link.ts'
import type { Cents } from '../money/money.ts'
import type { BrowserRedirect } from '../webhooks/redirect.ts'
import type { DeliverySubject, DeliveryState } from '../webhooks/delivery.ts'
import type { Instant } from '../time/time.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { OriginMap } from '../network/origin-map.ts'
import type { TaxInvoice } from '../accounts/tax-invoice.ts'
import type { ClockMode } from '../time/clock.ts'

/** Where someone came in. */
export type EntryPoint = 'api' | 'checkout' | 'control' | 'tunnel'

/** A call of the v2 API, with the answer it got. */
export interface ApiCall extends Subject {
  /** As the path had it, known or not. */
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** 1 for success, 0 for a refusal: this decides, not the HTTP status. */
  readonly code: 0 | 1
  readonly message: string
  /** How long the caller waited, any delay by a fault included. */
  readonly ms: number
  /** How long the sandbox took to make the answer. Older journals do not have it. */
  readonly processingMs?: number
  readonly assumed: readonly AssumptionName[]
  /** What a fault did to it. */
  readonly fault?: FaultMark
}

/** Everything that can happen in the sandbox, in the words the inspector shows. */
export type SandboxEvent =
  | (ApiCall & { readonly type: 'api.request' })
  | (ApiCall & { readonly type: 'api.limited' })
  | (Subject & {
      readonly type: 'checkout.viewed'
      readonly page: string
      readonly method: string
      readonly path: string
      readonly status: number
      readonly ms: number
    })
  | (Subject & { readonly type: 'link.created'; readonly link: Link })
  | (Subject & {
      readonly type: 'link.paid'
      readonly door: EntryPoint
      readonly method: PaymentMethod
      readonly amount: Cents
    })
  | (Subject & { readonly type: 'link.cancelled'; readonly door: EntryPoint })
  | (Subject & { readonly type: 'link.declined'; readonly door: EntryPoint })
  | (Subject & { readonly type: 'link.deleted'; readonly door: EntryPoint })
  | (Subject & { readonly type: 'bank_transfer.initiated'; readonly door: EntryPoint })
  | (Subject & { readonly type: 'bank_transfer.rejected'; readonly door: EntryPoint })
  | (Subject & { readonly type: 'dispute.opened' })
  | (Subject & { readonly type: 'dispute.closed'; readonly outcome: Exclude<DisputeState, 'open'> })
  | (BrowserRedirect & { readonly type: 'redirect.sent' | 'redirect.lost' })
  | (DeliverySubject & { readonly type: 'delivery.queued'; readonly assumed: readonly AssumptionName[] })
  | (DeliverySubject & {
      readonly type: 'delivery.held'
      /** Where a map led it in place of its target. */
      readonly mappedTo?: string
      readonly heldReason: string
    })
  | (DeliverySubject & { readonly type: 'delivery.released' })
  | (DeliverySubject & { readonly type: 'delivery.delayed'; readonly nextAttemptAt: Instant })
  | (DeliverySubject & {
      readonly type: 'delivery.attempted'
      /** Where a map led it in place of its target. */
      readonly mappedTo?: string
      readonly attempt: number
      /** When it set out. Older journals do not tell. */
      readonly startedAt?: Instant
      /** The HTTP status, `null` where no answer came. */
      readonly httpStatus: number | null
      readonly error: string | null
      /** The address it went to instead of the target, where that was a container's own localhost. */
      readonly via?: string
      readonly ms: number
      readonly state: DeliveryState
      /** When the next attempt is due, `null` where none follows. */
      readonly nextAttemptAt: Instant | null
      readonly possibleDuplicate: boolean
    })
  | (Subject & {
      readonly type: 'refund.requested' | 'refund.approved' | 'refund.rejected'
      readonly amount: Cents
      readonly full: boolean
    })
  | (Subject &
      Diagnostic & {
        readonly type: 'diagnostic.found'
        /** The event that it is about. */
        readonly of: number
      })
  | (Subject & {
      readonly type: 'tunnel.captured'
      readonly tunnel: string
      /** The sandbox's own webhook that was captured, `null` for anything else. */
      readonly carried: number | null
      readonly method: string
      readonly path: string
      /** What was answered at once, `null` where a listener was asked: `tunnel.answered` tells what came of it. */
      readonly status: number | null
      readonly size: number
    })
  | (Subject & {
      /** A POST that belongs to no payment, to see how a receiver takes it. */
      readonly type: 'check.sent'
      readonly target: string
      /** Where a map led it in place of its target. */
      readonly mappedTo?: string
      /** The case of a check that it is of, `null` where it is of none. */
      readonly check: string | null
      readonly httpStatus: number | null
      readonly error: string | null
      readonly ms: number
    })
  | (Subject & {
      readonly type: 'tunnel.answered'
      readonly tunnel: string
      /** The event of the request. */
      readonly of: number
      /** Who answered, `null` for the sandbox itself, where no listener did. */
      readonly listener: string | null
      /** Whether it is what the caller was answered. */
      readonly first: boolean
      readonly method: string
      readonly path: string
      /** `null` where no answer came. */
      readonly status: number | null
      readonly error: string | null
      /** How long the listener took, or how long the caller waited for what the sandbox itself answered. */
      readonly ms: number
      /** Whether the listener may have posted it before. */
      readonly possibleDuplicate: boolean
    })
  | (Subject & {
      readonly type: 'tunnel.changed'
      readonly tunnel: string
      readonly status: number
      readonly delayMs: number
    })
  | (Subject & {
      readonly type: 'tunnel.cleared'
      readonly tunnel: string
      readonly count: number
    })
  | (Subject & {
      readonly type: 'listener.connected'
      readonly tunnel: string
      readonly listener: string
      readonly to: string
      /** How many requests waited for it. */
      readonly waiting: number
    })
  | (Subject & {
      readonly type: 'listener.lost' | 'listener.forgotten'
      readonly tunnel: string
      readonly listener: string
      readonly reason: string
    })
  | (Subject & {
      /** Requests that waited for it gave way to newer ones. */
      readonly type: 'listener.overflowed'
      readonly tunnel: string
      readonly listener: string
      readonly count: number
    })
  | (Subject & {
      readonly type: 'account.created' | 'account.deleted' | 'account.reset'
      readonly name: string
    })
  | (Subject & {
      readonly type: 'account.changed'
      readonly name: string
      /** The fields that are not as they were. Their values stay out: keys are among them. */
      readonly fields: readonly string[]
    })
  | (Subject & { readonly type: 'behaviors.changed'; readonly values: Readonly<Record<string, string>> })
  | (Subject & { readonly type: 'maps.changed'; readonly maps: readonly OriginMap[] })
  | (Subject & { readonly type: 'hosts.changed'; readonly allowedHosts: readonly string[] })
  | (Subject & {
      readonly type: 'fault.added' | 'fault.removed'
      readonly faultId: number
      readonly on: FaultPoint
      readonly script: readonly string[]
    })
  | (Subject & { readonly type: 'invoice.issued'; readonly invoice: TaxInvoice })
  | (Subject & {
      readonly type: 'clock.changed'
      readonly from: Instant
      readonly to: Instant
      readonly mode: ClockMode
      /** How far it is ahead of the machine's clock at this moment. */
      readonly offsetMs: number
    })
  | (Subject & { readonly type: 'snapshot.taken'; readonly name: string })
  | (Subject & { readonly type: 'sandbox.restored'; readonly snapshot: string; readonly undo: boolean })
  | (Subject & { readonly type: 'sandbox.started'; readonly version: string })
  | (Subject & { readonly type: 'sandbox.reset'; readonly to: 'seed' | 'empty' })

export type EventType = SandboxEvent['type']

/** The event of a type, also where several types are told alike. */
export type EventOf<Type extends EventType, Event = SandboxEvent> = Event extends {
  readonly type: infer Known
}
  ? Type extends Known
    ? Event
    : never
  : never

/** Every type once; the compiler misses none. */
const knownTypes: Readonly<Record<EventType, true>> = {
  'api.request': true,
  'api.limited': true,
  'checkout.viewed': true,
  'link.created': true,
  'link.paid': true,
  'link.cancelled': true,
  'link.declined': true,
  'link.deleted': true,
  'bank_transfer.initiated': true,
  'bank_transfer.rejected': true,
  'dispute.opened': true,
  'dispute.closed': true,
  'redirect.sent': true,
  'redirect.lost': true,
  'delivery.queued': true,
  'delivery.held': true,
  'delivery.released': true,
  'delivery.delayed': true,
  'delivery.attempted': true,
  'refund.requested': true,
  'refund.approved': true,
  'refund.rejected': true,
  'diagnostic.found': true,
  'tunnel.captured': true,
  'check.sent': true,
  'tunnel.answered': true,
  'tunnel.changed': true,
  'tunnel.cleared': true,
  'listener.connected': true,
  'listener.lost': true,
  'listener.forgotten': true,
  'listener.overflowed': true,
  'account.created': true,
  'account.changed': true,
  'account.deleted': true,
  'account.reset': true,
  'behaviors.changed': true,
  'maps.changed': true,
  'hosts.changed': true,
  'fault.added': true,
  'fault.removed': true,
  'invoice.issued': true,
  'clock.changed': true,
  'snapshot.taken': true,
  'sandbox.restored': true,
  'sandbox.started': true,
  'sandbox.reset': true,
}

export const eventTypes = Object.keys(knownTypes) as readonly EventType[]

/** Whether the journal began anew with an event: what was known of it before is of no use any more. */
export const startsEpoch = ({ type }: Pick<SandboxEvent, 'type'>): boolean =>
  type === 'sandbox.reset' || type === 'sandbox.restored'

/** Whether everything older went with an event that is about the same account. */
export const clearsAccount = ({ type }: Pick<SandboxEvent, 'type'>): boolean =>
  type === 'account.reset' || type === 'account.deleted'

/** Whether requests that tunnels captured went with an event. */
export const clearsRequests = (event: Pick<SandboxEvent, 'type'>): boolean =>
  event.type === 'tunnel.cleared' ||
  event.type === 'listener.overflowed' ||
  clearsAccount(event) ||
  startsEpoch(event)

/** An event with its place in history: `seq` orders, and lets a reconnecting inspector resume. */
export type RecordedEvent<Event extends SandboxEvent = SandboxEvent> = Event & {
  readonly seq: number
  readonly at: Instant
}

/** The record of one attempt to deliver a webhook. */
export type AttemptEvent = Extract<RecordedEvent, { readonly type: 'delivery.attempted' }>
