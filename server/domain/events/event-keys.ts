import type { EventOf, EventType } from './event.ts'

type KeysByType = { readonly [Type in EventType]: Readonly<Record<keyof EventOf<Type> | 'seq' | 'at', true>> }

const commonKeys = { seq: true, at: true, type: true, accountId: true, linkId: true, payId: true } as const

const callKeys = {
  ...commonKeys,
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

const entryPointKeys = { ...commonKeys, door: true } as const
const redirectKeys = {
  ...commonKeys,
  location: true,
  mappedFrom: true,
  status: true,
  assumed: true,
  fault: true,
} as const
const faultKeys = { ...commonKeys, faultId: true, on: true, script: true } as const
const refundKeys = { ...commonKeys, amount: true, full: true } as const
const listenerKeys = { ...commonKeys, tunnel: true, listener: true } as const
const nameKeys = { ...commonKeys, name: true } as const

const deliveryKeys = {
  ...commonKeys,
  deliveryId: true,
  target: true,
  reason: true,
  status: true,
  cause: true,
  replayOf: true,
  fault: true,
} as const

/** What every type of event says; the compiler misses none and nothing of it. */
const keysByType: KeysByType = {
  'api.request': callKeys,
  'api.limited': callKeys,
  'checkout.viewed': { ...commonKeys, page: true, method: true, path: true, status: true, ms: true },
  'link.created': { ...commonKeys, link: true },
  'link.paid': { ...entryPointKeys, method: true, amount: true },
  'link.cancelled': entryPointKeys,
  'link.declined': entryPointKeys,
  'link.deleted': entryPointKeys,
  'bank_transfer.initiated': entryPointKeys,
  'bank_transfer.rejected': entryPointKeys,
  'dispute.opened': commonKeys,
  'dispute.closed': { ...commonKeys, outcome: true },
  'redirect.sent': redirectKeys,
  'redirect.lost': redirectKeys,
  'delivery.queued': { ...deliveryKeys, assumed: true },
  'delivery.held': { ...deliveryKeys, mappedTo: true, heldReason: true },
  'delivery.released': deliveryKeys,
  'delivery.delayed': { ...deliveryKeys, nextAttemptAt: true },
  'delivery.attempted': {
    ...deliveryKeys,
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
  'refund.requested': refundKeys,
  'refund.approved': refundKeys,
  'refund.rejected': refundKeys,
  'diagnostic.found': {
    ...commonKeys,
    code: true,
    severity: true,
    title: true,
    expected: true,
    seen: true,
    fix: true,
    of: true,
  },
  'tunnel.captured': {
    ...commonKeys,
    tunnel: true,
    carried: true,
    method: true,
    path: true,
    status: true,
    size: true,
  },
  'check.sent': {
    ...commonKeys,
    target: true,
    mappedTo: true,
    check: true,
    httpStatus: true,
    error: true,
    ms: true,
  },
  'tunnel.answered': {
    ...commonKeys,
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
  'tunnel.changed': { ...commonKeys, tunnel: true, status: true, delayMs: true },
  'tunnel.cleared': { ...commonKeys, tunnel: true, count: true },
  'listener.connected': { ...listenerKeys, to: true, waiting: true },
  'listener.lost': { ...listenerKeys, reason: true },
  'listener.forgotten': { ...listenerKeys, reason: true },
  'listener.overflowed': { ...listenerKeys, count: true },
  'account.created': nameKeys,
  'account.changed': { ...nameKeys, fields: true },
  'account.deleted': nameKeys,
  'account.reset': nameKeys,
  'behaviors.changed': { ...commonKeys, values: true },
  'maps.changed': { ...commonKeys, maps: true },
  'hosts.changed': { ...commonKeys, allowedHosts: true },
  'fault.added': faultKeys,
  'fault.removed': faultKeys,
  'invoice.issued': { ...commonKeys, invoice: true },
  'clock.changed': { ...commonKeys, from: true, to: true, mode: true, offsetMs: true },
  'snapshot.taken': nameKeys,
  'sandbox.restored': { ...commonKeys, snapshot: true, undo: true },
  'sandbox.started': { ...commonKeys, version: true },
  'sandbox.reset': { ...commonKeys, to: true },
}

/** The keys that events of a type have, or all that any event has. */
export const listEventKeys = (type: EventType | undefined): readonly string[] =>
  type === undefined
    ? [...new Set(Object.values(keysByType).flatMap((known) => Object.keys(known)))]
    : Object.keys(keysByType[type])
