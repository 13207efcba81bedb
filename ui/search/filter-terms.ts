import { describedEventTypes, type TakenAnswer } from '../../server/contract/format/describe-event.ts'
import type { EventView, LinkView } from '../../server/contract/views.ts'
import { eventKinds, statusText, type EventRow } from '../../server/contract/format/event-row.ts'
import { isStored } from '../../server/domain/webhooks/delivery.ts'
import { formatAmount } from '../../server/contract/format/values.ts'
import type { Finding } from '../data/event-index.ts'
import { parseTerms, type Filter, type FilterTerm, type FilterTerms, type Predicate } from './filter.ts'

export interface FilteredEntry {
  readonly event: EventView
  readonly row: EventRow
  /** The answer of the listener that took the stored webhook of an attempt later. */
  readonly taken?: TakenAnswer
}

/** What a filter knows about an event besides the event itself. */
export interface FilterContext {
  paymentOf(payId: number): Pick<LinkView, 'note' | 'amount'> | undefined
  accountNameOf(id: string): string
  findingsOf(seq: number): readonly Finding[]
  /** Whether a text was found in the bodies of an event. The text is in lower case. */
  hasBody(seq: number, text: string): boolean
}

const states: Readonly<Record<string, Predicate<FilteredEntry>>> = {
  failed: ({ row }) => row.tone === 'err',
  retried: ({ event }) => event.type === 'delivery.attempted' && event.nextAttemptAt !== null,
  held: ({ event }) => event.type === 'delivery.held',
  stored: ({ event, taken }) => event.type === 'delivery.attempted' && isStored(event) && !taken,
  replay: ({ event }) => 'replayOf' in event && event.replayOf !== null,
  assumed: ({ event }) => 'assumed' in event && event.assumed.length > 0,
  fault: ({ event }) => 'fault' in event && event.fault !== undefined,
  different: ({ event }) => 'upstream' in event && event.differences?.[0] !== undefined,
}

export const bodyMeaning = `part of a request or response body${CAN_ACT ? '; asks the server' : ''}`

/** A term that has no other values than these. */
export const choice = <Item>(
  values: readonly string[],
  example: string,
  toPredicate: FilterTerm<Item>['toPredicate'],
): FilterTerm<Item> => ({ values, isClosed: true, example, meaning: values.join(', '), toPredicate })

/** The terms of the timeline's filter. */
export const eventTerms = (context: FilterContext): FilterTerms<FilteredEntry> => ({
  kind: choice(
    eventKinds,
    'kind:webhook',
    (value) =>
      ({ row }) =>
        row.kind === value,
  ),
  is: choice(Object.keys(states), 'is:failed', (value) => states[value] ?? (() => false)),
  status: {
    values: ['>=400', '4xx', '5xx', '200', 'paid', 'held'],
    example: 'status:>=400',
    meaning: 'also 404, 5xx, <300 or a word such as held',
    toPredicate: (value) => {
      const matches = comparison(value)
      return matches
        ? ({ row }) => row.code !== null && matches(row.code)
        : ({ row }) => statusText(row).toLowerCase().includes(value)
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
  note: {
    values: [],
    example: 'note:roses',
    meaning: 'part of the payment’s note',
    toPredicate:
      (value) =>
      ({ row }) =>
        paymentOf(row, context)?.note.toLowerCase().includes(value) ?? false,
  },
  amount: {
    values: ['>100'],
    example: 'amount:>=64',
    meaning: 'amount of the payment in euros',
    toPredicate: (value) => {
      const matches = amountPredicate(value)
      return ({ row }) => {
        const payment = paymentOf(row, context)
        return payment !== undefined && matches(payment.amount)
      }
    },
  },
  host: {
    values: ['localhost', '127.0.0.1'],
    example: 'host:127.0.0.1',
    meaning: 'part of the host that was called',
    toPredicate:
      (value) =>
      ({ event }) =>
        hostsOf(event).some((host) => host.includes(value)),
  },
  path: {
    values: ['/api/v2', '/payment', '/tunnel'],
    example: 'path:/hooks',
    meaning: 'part of the address',
    toPredicate:
      (value) =>
      ({ event }) =>
        addressOf(event).toLowerCase().includes(value),
  },
  body: {
    values: [],
    example: 'body:"order 12"',
    meaning: bodyMeaning,
    toPredicate:
      (value) =>
      ({ event }) =>
        context.hasBody(event.seq, value),
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
    example: 'account:flower',
    meaning: 'part of an account’s name, or the beginning of its id',
    toPredicate:
      (value) =>
      ({ event }) =>
        event.accountId !== null &&
        (event.accountId.toLowerCase().startsWith(value) ||
          context.accountNameOf(event.accountId).toLowerCase().includes(value)),
  },
})

const paymentOf = ({ payId }: EventRow, context: FilterContext) =>
  payId === null ? undefined : context.paymentOf(payId)

/** The texts of an event that free text searches: its row, payment, account, findings and ids. */
export function textsOf({ event, row }: FilteredEntry, context: FilterContext): readonly string[] {
  const payment = paymentOf(row, context)
  return [
    row.lead,
    row.rest,
    statusText(row),
    row.kind,
    addressOf(event),
    String(row.payId ?? ''),
    ...(payment ? [payment.note, formatAmount(payment.amount), String(payment.amount)] : []),
    ...(event.accountId === null ? [] : [context.accountNameOf(event.accountId)]),
    ...('deliveryId' in event ? [`delivery ${event.deliveryId}`] : []),
    ...context.findingsOf(event.seq).flatMap(({ title, seen, fix, code }) => [title, seen, fix, code]),
  ]
}

/** The hosts of an event's addresses. A mapped webhook has two. */
function hostsOf(event: EventView): string[] {
  const urls = [addressOf(event), 'mappedTo' in event ? (event.mappedTo ?? '') : '']
  return urls.flatMap((url) => /^https?:\/\/([^/?]*)/.exec(url)?.[1]?.toLowerCase() ?? [])
}

/** Parses `64`, `€64.00`, `1,250.50` or `>=50`. */
export function amountPredicate(text: string): (amount: number) => boolean {
  const [, sign = '', digits = ''] = /^(>=|<=|>|<|)€?([\d,.]+)$/.exec(text) ?? []
  const wanted = Number(digits.replaceAll(',', ''))
  if (digits === '' || Number.isNaN(wanted)) return () => false
  return compare(sign, wanted)
}

/** The address of a request, `''` if the event has none. */
function addressOf(event: EventView): string {
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
  return compare(sign ?? '', Number(digits))
}

function compare(sign: string, limit: number): (number: number) => boolean {
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

export const NO_CONTEXT: FilterContext = {
  paymentOf: () => undefined,
  accountNameOf: () => '',
  findingsOf: () => [],
  hasBody: () => false,
}

/** Parses the filter of the timeline. The context has what the events themselves do not contain. */
export function parseFilter(text: string, context = NO_CONTEXT): Filter<FilteredEntry> {
  return parseTerms(text, eventTerms(context), (entry) => textsOf(entry, context))
}
