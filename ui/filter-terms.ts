import { describedEventTypes } from '../server/format/describe-event.ts'
import type { EventView } from '../server/contract/views.ts'
import { eventKinds, type EventRow } from '../server/format/event-row.ts'

export interface FilteredEntry {
  readonly event: EventView
  readonly row: EventRow
}

export type Predicate = (entry: FilteredEntry) => boolean

interface FilterTerm {
  /** Suggested values. */
  readonly values: readonly string[]
  /** Whether there are no other values. */
  readonly isClosed?: boolean
  readonly example: string
  readonly meaning: string
  readonly toPredicate: (value: string) => Predicate
}

const states: Readonly<Record<string, Predicate>> = {
  failed: ({ row, event }) =>
    row.tone === 'err' || (event.type === 'delivery.attempted' && event.nextAttemptAt !== null),
  held: ({ event }) => event.type === 'delivery.held',
  replay: ({ event }) => 'replayOf' in event && event.replayOf !== null,
  assumed: ({ event }) => 'assumed' in event && event.assumed.length > 0,
  fault: ({ event }) => 'fault' in event && event.fault !== undefined,
}

/** The terms of the filter by key, such as `kind` in `kind:webhook`. */
export const filterTerms: Readonly<Record<string, FilterTerm>> = {
  kind: {
    values: eventKinds,
    isClosed: true,
    example: 'kind:webhook',
    meaning: eventKinds.join(', '),
    toPredicate:
      (value) =>
      ({ row }) =>
        row.kind === value,
  },
  is: {
    values: Object.keys(states),
    isClosed: true,
    example: 'is:failed',
    meaning: Object.keys(states).join(', '),
    toPredicate: (value) => states[value] ?? (() => false),
  },
  status: {
    values: ['>=400', '4xx', '5xx', '200', 'paid', 'held'],
    example: 'status:>=400',
    meaning: 'also 404, 5xx, <300 or a word such as held',
    toPredicate: (value) => {
      const matches = comparison(value)
      return matches
        ? ({ row }) => row.code !== null && matches(row.code)
        : ({ row }) => row.status.toLowerCase().includes(value)
    },
  },
  pay: {
    values: [],
    example: 'pay:1001',
    meaning: 'events of one payment',
    toPredicate:
      (value) =>
      ({ row }) =>
        String(row.payId) === value,
  },
  path: {
    values: ['/api/v2', '/payment', '/tunnel'],
    example: 'path:/hooks',
    meaning: 'part of the address',
    toPredicate:
      (value) =>
      ({ event, row }) =>
        addressOf(event).toLowerCase().includes(value) || row.request.toLowerCase().includes(value),
  },
  fault: {
    values: [],
    example: 'fault:1',
    meaning: 'events that one fault affected',
    toPredicate:
      (value) =>
      ({ event }) =>
        'fault' in event && String(event.fault?.id) === value,
  },
  dur: {
    values: ['>100', '>1000'],
    example: 'dur:>100',
    meaning: 'took longer than 100 ms',
    toPredicate: (value) => {
      const matches = comparison(value) ?? (() => false)
      return ({ row }) => row.took !== null && matches(row.took)
    },
  },
  type: {
    values: describedEventTypes,
    isClosed: true,
    example: 'type:link.paid',
    meaning: 'event type as in the control API',
    toPredicate:
      (value) =>
      ({ event }) =>
        event.type === value,
  },
  account: {
    values: [],
    example: 'account:0000',
    meaning: 'beginning of an account’s id',
    toPredicate:
      (value) =>
      ({ event }) =>
        event.accountId?.toLowerCase().startsWith(value) ?? false,
  },
}

/** The address of a request, `''` if the event has none. */
export function addressOf(event: EventView): string {
  if ('path' in event) return event.path
  if ('target' in event) return event.target
  return 'location' in event ? event.location : ''
}

/** Parses `>=400`, `<300`, `404` or `5xx`. Returns `undefined` for anything else. */
function comparison(text: string): ((number: number) => boolean) | undefined {
  const hundreds = /^([1-5])xx$/.exec(text)?.[1]
  if (hundreds) return (number) => Math.floor(number / 100) === Number(hundreds)

  const [, sign, digits] = /^(>=|<=|>|<|)(\d+)$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const limit = Number(digits)
  switch (sign) {
    case '>=':
      return (number) => number >= limit
    case '<=':
      return (number) => number <= limit
    case '>':
      return (number) => number > limit
    case '<':
      return (number) => number < limit
    default:
      return (number) => number === limit
  }
}
