import type { TaxInvoice } from '../accounts/tax-invoice.ts'
import type { AssumptionName } from '../behaviors/open-points.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { FaultMark, FaultPoint } from '../faults/fault.ts'
import type { DisputeState, Link, PaymentMethod } from '../links/link.ts'
import type { Cents } from '../money/cents.ts'
import type { HostScope } from '../network/egress-rules.ts'
import type { OriginMap } from '../network/origin-map.ts'
import type { ClockMode } from '../time/clock.ts'
import type { Instant } from '../time/berlin-time.ts'
import type { AttemptErrorCode, DeliveryCause, DeliveryState } from '../webhooks/delivery-values.ts'
import type { StatusText } from '../webhooks/webhook.ts'

/** The part of the sandbox through which something was done. */
export type EntryPoint = 'api' | 'checkout' | 'control' | 'tunnel'

/** The types that a field of an event can have. `contract/schemas/event.ts` has a zod schema for each. */
export interface FieldTypes {
  text: string
  texts: readonly string[]
  textByName: Readonly<Record<string, string>>
  integer: number
  number: number
  boolean: boolean
  instant: Instant
  /** Cents in the journal, euros in views. */
  amount: Cents
  /** A URL, or a path on the sandbox, which views turn into a URL. */
  address: string
  /** The address that a webhook is sent to. */
  target: string
  /** The address that a browser is sent to. */
  location: string
  link: Link
  invoice: TaxInvoice
  maps: readonly OriginMap[]
  assumptions: readonly AssumptionName[]
  diagnosticCode: Diagnostic['code']
  severity: Diagnostic['severity']
  faultMark: FaultMark
  faultPoint: FaultPoint
  entryPoint: EntryPoint
  responseCode: 0 | 1
  paymentMethod: PaymentMethod
  disputeOutcome: Exclude<DisputeState, 'open'>
  statusText: StatusText
  deliveryCause: DeliveryCause
  attemptErrorCode: AttemptErrorCode
  hostScope: HostScope
  /** Views show `underway` as `pending`. */
  deliveryState: DeliveryState
  clockMode: ClockMode
  resetTo: 'seed' | 'empty'
}

/** A field: only its type, or its type with further properties. */
export type EventField =
  | keyof FieldTypes
  | {
      readonly type: keyof FieldTypes
      readonly nullable?: true
      /** True for a field that some events of the type lack. */
      readonly optional?: true
      readonly description?: string
    }

type FieldTable = Readonly<Record<string, EventField>>

type TypeOf<Field> = Field extends { readonly type: infer Type } ? Type : Field

type ValueOf<Field, Types> =
  | Types[TypeOf<Field> & keyof Types]
  | (Field extends { readonly nullable: true } ? null : never)

type OptionalKeys<Table> = {
  [Key in keyof Table]: Table[Key] extends { readonly optional: true } ? Key : never
}[keyof Table]

/** The type of an object with the fields of a table. */
export type FieldsOf<Table, Types = FieldTypes> = {
  readonly [Key in Exclude<keyof Table, OptionalKeys<Table>>]: ValueOf<Table[Key], Types>
} & {
  readonly [Key in OptionalKeys<Table>]?: ValueOf<Table[Key], Types>
}

const assumed = { type: 'assumptions', description: 'The open points that it depends on.' } as const
const fault = { type: 'faultMark', optional: true } as const
const mappedTo = {
  type: 'address',
  optional: true,
  description: 'The address that a map put instead of the target. Missing if no map applies.',
} as const
const httpStatus = {
  type: 'integer',
  nullable: true,
  description: 'The HTTP status. Null if no answer came.',
} as const
const error = { type: 'text', nullable: true, description: 'Why no answer came.' } as const
const attemptErrorCode = {
  type: 'attemptErrorCode',
  optional: true,
  description: 'The kind of the error. Missing without an error.',
} as const
const possibleDuplicate = {
  type: 'boolean',
  description: 'Whether the receiver may already have received the same request.',
} as const

const storedIn = {
  type: 'text',
  optional: true,
  description:
    'The tunnel that stored the webhook and answered, because no listener was connected. No app has seen the webhook. Missing if it reached a receiver or a listener.',
} as const

const callFields = {
  operation: { type: 'text', description: 'The operation in the path, even if there is none of that name.' },
  method: 'text',
  path: 'text',
  status: 'integer',
  code: {
    type: 'responseCode',
    description: 'The `ResponseCode`: 1 for success, 0 for an error. It does not depend on the HTTP status.',
  },
  message: 'text',
  errorCode: {
    type: 'text',
    optional: true,
    description:
      'The code of the error that the sandbox answered. Missing on success, and if a fault answered.',
  },
  ms: { type: 'number', description: 'How long the caller waited, including the delay of a fault.' },
  processingMs: {
    type: 'number',
    optional: true,
    description: 'How long the sandbox took to make the answer. Missing if the real service answered.',
  },
  assumed,
  fault,
  upstream: {
    type: 'text',
    optional: true,
    description:
      'The origin of the real service that the call was sent to. Missing if the sandbox answered by itself.',
  },
  upstreamError: {
    type: 'text',
    optional: true,
    description: 'Why that environment gave no complete answer. The sandbox then answered 502 or 504.',
  },
  differences: {
    type: 'texts',
    optional: true,
    description:
      "How that answer differs from the sandbox's own, by shape. Missing if the two answers were not compared.",
  },
  comparisonSkipped: {
    type: 'text',
    optional: true,
    description: "Why that answer was not compared with the sandbox's own.",
  },
  imported: {
    type: 'text',
    optional: true,
    description: 'The HTTP Archive that the call was imported from. `at` is the time in that file.',
  },
} as const

/** The fields of a redirect, both in its event and while it waits for a webhook. */
export const redirectFields = {
  location: 'location',
  mappedFrom: { type: 'address', optional: true, description: 'The address before a map replaced it.' },
  status: 'statusText',
  assumed,
  fault,
} as const

/** The fields of a webhook, in all events of its delivery. */
export const deliveryFields = {
  deliveryId: 'integer',
  target: 'target',
  reason: { type: 'text', description: 'Why it goes to this target.' },
  status: 'statusText',
  cause: 'deliveryCause',
  replayOf: { type: 'integer', nullable: true, description: 'The delivery whose bytes are sent again.' },
  fault,
} as const

const entryPointFields = { entryPoint: 'entryPoint' } as const
const refundFields = { amount: 'amount', full: 'boolean' } as const
const listenerFields = { tunnel: 'text', listener: 'text' } as const
const nameFields = { name: 'text' } as const
const faultFields = { faultId: 'integer', on: 'faultPoint', script: 'texts' } as const

/**
 * The definition of every event: its type and its fields. The type `SandboxEvent`, the OpenAPI schema, the views, the check of
 * uploaded snapshots and the keys of waits are generated from this table. `contract/schemas/fields.ts` has the fields that all
 * events share.
 */
export const eventFields = {
  'api.request': callFields,
  'api.limited': callFields,
  'checkout.viewed': { page: 'text', method: 'text', path: 'text', status: 'integer', ms: 'number' },
  'link.created': { link: 'link' },
  'link.paid': { ...entryPointFields, method: 'paymentMethod', amount: 'amount' },
  'link.cancelled': entryPointFields,
  'link.declined': entryPointFields,
  'link.deleted': entryPointFields,
  'bank_transfer.initiated': entryPointFields,
  'bank_transfer.rejected': entryPointFields,
  'dispute.opened': {},
  'dispute.closed': { outcome: 'disputeOutcome' },
  'redirect.sent': redirectFields,
  'redirect.lost': redirectFields,
  'delivery.queued': { ...deliveryFields, assumed },
  'delivery.held': {
    ...deliveryFields,
    mappedTo,
    host: { type: 'text', description: 'The host that the egress policy does not allow.' },
    hostScope: {
      type: 'hostScope',
      description:
        '`public`: all its addresses are beyond this machine and private networks. `mixed`: only some are.',
    },
    similarMap: {
      type: 'text',
      optional: true,
      description: 'The origin of a map that was perhaps meant for this target.',
    },
  },
  'delivery.allowed': deliveryFields,
  'delivery.delayed': {
    ...deliveryFields,
    nextAttemptAt: { type: 'instant', description: 'When it is sent.' },
  },
  'delivery.attempted': {
    ...deliveryFields,
    mappedTo,
    attempt: { type: 'integer', description: 'The number of the attempt, from 1.' },
    startedAt: { type: 'instant', description: 'When the attempt began.' },
    httpStatus,
    error,
    errorCode: attemptErrorCode,
    via: {
      type: 'text',
      optional: true,
      description:
        "The address it went to instead of the target. Only if the target is localhost and that is the container's own.",
    },
    storedIn,
    redirectedTo: {
      type: 'text',
      optional: true,
      description: 'The `Location` of an answer with a 3xx status. Redirects are not followed.',
    },
    responseText: {
      type: 'text',
      optional: true,
      description: 'The beginning of the text of an answer that was neither 2xx nor 3xx, in one line.',
    },
    errorName: {
      type: 'text',
      optional: true,
      description: 'The name of an error in such an answer, such as `TypeError`.',
    },
    errorPlace: {
      type: 'text',
      optional: true,
      description:
        'The first line of the app in a stack trace in such an answer, such as `/app/webhook.js:12`.',
    },
    ms: 'number',
    state: 'deliveryState',
    nextAttemptAt: {
      type: 'instant',
      nullable: true,
      description: 'When the next attempt is due. Null if none follows.',
    },
    possibleDuplicate,
  },
  'refund.requested': refundFields,
  'refund.approved': refundFields,
  'refund.rejected': refundFields,
  'diagnostic.found': {
    code: 'diagnosticCode',
    severity: 'severity',
    title: 'text',
    expected: { type: 'text', description: 'What the sandbox expected.' },
    seen: { type: 'text', description: 'What it found instead.' },
    fix: { type: 'text', description: 'What to do.' },
    eventSeq: { type: 'integer', description: 'The `seq` of the event that the finding is about.' },
  },
  'tunnel.captured': {
    tunnel: 'text',
    capturedDeliveryId: {
      type: 'integer',
      nullable: true,
      description: "The delivery, if the request is one of the sandbox's own webhooks.",
    },
    method: 'text',
    path: 'text',
    status: {
      type: 'integer',
      nullable: true,
      description:
        'The status that the tunnel answered at once. Null if it asked a listener: `tunnel.answered` has the answer.',
    },
    size: { type: 'integer', description: 'The size of the body in bytes.' },
  },
  /** A POST of the receiver check. It belongs to no payment. */
  'check.sent': {
    target: 'address',
    mappedTo,
    check: {
      type: 'text',
      nullable: true,
      description: 'The test case that it belongs to. Null if it belongs to none.',
    },
    run: {
      type: 'text',
      optional: true,
      description: 'All events of one check have the same value. Missing if no check sent the request.',
    },
    hungUp: {
      type: 'boolean',
      optional: true,
      description: 'True if the check itself closed the connection before the answer.',
    },
    httpStatus,
    error,
    errorCode: attemptErrorCode,
    ms: 'number',
  },
  'tunnel.answered': {
    tunnel: 'text',
    capturedDeliveryId: {
      type: 'integer',
      nullable: true,
      description: "The delivery, if the request is one of the sandbox's own webhooks.",
    },
    eventSeq: { type: 'integer', description: 'The `seq` of the event of the request.' },
    listener: {
      type: 'text',
      nullable: true,
      description: 'The listener that answered. Null if none did and the sandbox answered.',
    },
    first: { type: 'boolean', description: 'Whether the caller got this answer.' },
    method: 'text',
    path: 'text',
    status: httpStatus,
    error,
    ms: {
      type: 'number',
      description: 'How long the listener took, or how long the caller waited if the sandbox answered.',
    },
    possibleDuplicate,
  },
  'tunnel.changed': { tunnel: 'text', status: 'integer', delayMs: 'integer' },
  'tunnel.cleared': { tunnel: 'text', count: 'integer' },
  'listener.connected': {
    ...listenerFields,
    to: { type: 'text', description: 'The local address that it posts to.' },
    waiting: { type: 'integer', description: 'How many requests waited for it.' },
  },
  'listener.lost': {
    ...listenerFields,
    reason: 'text',
    isEnded: { type: 'boolean', description: 'Whether the listener ended by itself, such as after Ctrl-C.' },
  },
  'listener.forgotten': { ...listenerFields, reason: 'text' },
  'listener.overflowed': {
    ...listenerFields,
    count: { type: 'integer', description: 'How many waiting requests were dropped for newer ones.' },
  },
  'account.created': nameFields,
  'account.changed': {
    ...nameFields,
    fields: {
      type: 'texts',
      description: 'The names of the fields that changed. Their values are left out, as keys are among them.',
    },
  },
  'account.deleted': nameFields,
  'account.reset': nameFields,
  'behaviors.changed': { values: 'textByName' },
  'maps.changed': { maps: 'maps' },
  'hosts.changed': { allowedHosts: 'texts' },
  'fault.added': faultFields,
  'fault.removed': faultFields,
  'invoice.issued': { invoice: 'invoice' },
  'clock.changed': {
    from: 'instant',
    to: 'instant',
    mode: 'clockMode',
    offsetMs: {
      type: 'number',
      description: "How far the sandbox's clock is ahead of the machine's clock, in milliseconds.",
    },
  },
  'snapshot.taken': nameFields,
  'sandbox.restored': { snapshot: 'text', undo: 'boolean' },
  'sandbox.rewound': {
    lostEvents: {
      type: 'integer',
      nullable: true,
      description:
        'How many of the newest events are lost. `null` if that is not known, such as after a restart.',
    },
  },
  'sandbox.started': { version: 'text' },
  'sandbox.reset': { to: 'resetTo' },
} as const satisfies Readonly<Record<string, FieldTable>>

export type EventType = keyof typeof eventFields

export const eventTypes = Object.keys(eventFields) as readonly EventType[]

const commonKeys = ['seq', 'at', 'type', 'accountId', 'linkId', 'payId']

/** The keys of events of a type. Without a type, the keys of all events. */
export function listEventKeys(type: EventType | undefined): readonly string[] {
  const tables = type === undefined ? Object.values(eventFields) : [eventFields[type]]
  return [...new Set([...commonKeys, ...tables.flatMap((fields) => Object.keys(fields))])]
}
