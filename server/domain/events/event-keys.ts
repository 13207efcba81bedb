import type { EventOf, EventType } from './event.ts'

type Keys = { readonly [Type in EventType]: Readonly<Record<keyof EventOf<Type> | 'seq' | 'at', true>> }

const always = { seq: true, at: true, type: true, accountId: true, linkId: true, payId: true } as const

const call = {
  ...always,
  operation: true,
  method: true,
  path: true,
  status: true,
  code: true,
  message: true,
  ms: true,
  processingMs: true,
  assumed: true,
  fault: true,
} as const

const decided = { ...always, door: true } as const
const redirect = {
  ...always,
  location: true,
  mappedFrom: true,
  status: true,
  assumed: true,
  fault: true,
} as const
const fault = { ...always, faultId: true, on: true, script: true } as const
const refund = { ...always, amount: true, full: true } as const
const listener = { ...always, tunnel: true, listener: true } as const
const named = { ...always, name: true } as const

const delivery = {
  ...always,
  deliveryId: true,
  target: true,
  reason: true,
  status: true,
  cause: true,
  replayOf: true,
  fault: true,
} as const

/** What every type of event says; the compiler misses none and nothing of it. */
const keys: Keys = {
  'api.request': call,
  'api.limited': call,
  'checkout.viewed': { ...always, page: true, method: true, path: true, status: true, ms: true },
  'link.created': { ...always, link: true },
  'link.paid': { ...decided, method: true, amount: true },
  'link.cancelled': decided,
  'link.declined': decided,
  'link.deleted': decided,
  'bank_transfer.initiated': decided,
  'bank_transfer.rejected': decided,
  'dispute.opened': always,
  'dispute.closed': { ...always, outcome: true },
  'redirect.sent': redirect,
  'redirect.lost': redirect,
  'delivery.queued': { ...delivery, assumed: true },
  'delivery.held': { ...delivery, mappedTo: true, heldReason: true },
  'delivery.released': delivery,
  'delivery.delayed': { ...delivery, nextAttemptAt: true },
  'delivery.attempted': {
    ...delivery,
    mappedTo: true,
    attempt: true,
    startedAt: true,
    nextAttemptAt: true,
    httpStatus: true,
    error: true,
    via: true,
    ms: true,
    state: true,
    possibleDuplicate: true,
  },
  'refund.requested': refund,
  'refund.approved': refund,
  'refund.rejected': refund,
  'diagnostic.found': {
    ...always,
    code: true,
    severity: true,
    title: true,
    expected: true,
    seen: true,
    fix: true,
    of: true,
  },
  'tunnel.captured': {
    ...always,
    tunnel: true,
    carried: true,
    method: true,
    path: true,
    status: true,
    size: true,
  },
  'check.sent': {
    ...always,
    target: true,
    mappedTo: true,
    check: true,
    httpStatus: true,
    error: true,
    ms: true,
  },
  'tunnel.answered': {
    ...always,
    tunnel: true,
    of: true,
    listener: true,
    first: true,
    method: true,
    path: true,
    status: true,
    error: true,
    ms: true,
    possibleDuplicate: true,
  },
  'tunnel.changed': { ...always, tunnel: true, status: true, delayMs: true },
  'tunnel.cleared': { ...always, tunnel: true, count: true },
  'listener.connected': { ...listener, to: true, waiting: true },
  'listener.lost': { ...listener, reason: true },
  'listener.forgotten': { ...listener, reason: true },
  'listener.overflowed': { ...listener, count: true },
  'account.created': named,
  'account.changed': { ...named, fields: true },
  'account.deleted': named,
  'account.reset': named,
  'behaviors.changed': { ...always, values: true },
  'maps.changed': { ...always, maps: true },
  'hosts.changed': { ...always, allowedHosts: true },
  'fault.added': fault,
  'fault.removed': fault,
  'invoice.issued': { ...always, invoice: true },
  'clock.changed': { ...always, from: true, to: true, mode: true, offsetMs: true },
  'snapshot.taken': named,
  'sandbox.restored': { ...always, snapshot: true, undo: true },
  'sandbox.started': { ...always, version: true },
  'sandbox.reset': { ...always, to: true },
}

/** The keys that events of a type have, or all that any event has. */
export const keysOf = (type: EventType | undefined): readonly string[] =>
  type === undefined
    ? [...new Set(Object.values(keys).flatMap((known) => Object.keys(known)))]
    : Object.keys(keys[type])
