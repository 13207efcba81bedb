import type { EventView } from '../server/contract/views.ts'
import { eventTypes } from '../server/domain/events/event.ts'
import { findClosestMatch } from '../server/domain/text/closest-match.ts'
import { eventKinds, type EventRow } from '../server/format/event-row.ts'

interface Filtered {
  readonly event: EventView
  readonly row: EventRow
}

type Test = (entry: Filtered) => boolean

export interface Filter {
  readonly passes: Test
  /** What was probably meant otherwise, in sentences. */
  readonly problems: readonly string[]
}

/**
 * Reads what stands in the filter field: `kind:webhook status:>=400 -path:/payment` and free text.
 * Every term must hold; `-` turns one around.
 */
export function parseFilter(text: string): Filter {
  const terms = words(text)
  const tests = terms.map(toPredicate)
  return { passes: (entry) => tests.every((test) => test(entry)), problems: terms.flatMap(problemsOf) }
}

/** Splits at spaces, except between double quotes. */
const words = (text: string): string[] => text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []

interface Term {
  /** Every value there is, or some to begin with. */
  readonly values: readonly string[]
  readonly isClosed?: boolean
  readonly example: string
  readonly meaning: string
  readonly test: (value: string) => Test
}

const states = ['failed', 'held', 'replay', 'assumed', 'fault'] as const

/** The keys of the filter, for whoever reads one, suggests one or explains one. */
export const filterTerms: Readonly<Record<string, Term>> = {
  kind: {
    values: eventKinds,
    isClosed: true,
    example: 'kind:webhook',
    meaning: eventKinds.join(', '),
    test:
      (value) =>
      ({ row }) =>
        row.kind === value,
  },
  is: {
    values: states,
    isClosed: true,
    example: 'is:failed',
    meaning: states.join(', '),
    test: (value) => {
      switch (value) {
        case 'failed':
          return ({ row, event }) =>
            row.tone === 'err' || (event.type === 'delivery.attempted' && event.nextAttemptAt !== null)
        case 'held':
          return ({ event }) => event.type === 'delivery.held'
        case 'assumed':
          return ({ event }) => 'assumed' in event && event.assumed.length > 0
        case 'fault':
          return ({ event }) => 'fault' in event && event.fault !== undefined
        default:
          return ({ event }) => value === 'replay' && 'replayOf' in event && event.replayOf !== null
      }
    },
  },
  status: {
    values: ['>=400', '4xx', '5xx', '200', 'paid', 'held'],
    example: 'status:>=400',
    meaning: 'also 404, 5xx, <300 or a word such as held',
    test: (value) => {
      const matches = comparison(value)
      return matches
        ? ({ row }) => row.code !== null && matches(row.code)
        : ({ row }) => row.status.toLowerCase().includes(value)
    },
  },
  pay: {
    values: [],
    example: 'pay:1001',
    meaning: 'everything about one payment',
    test:
      (value) =>
      ({ row }) =>
        String(row.payId) === value,
  },
  path: {
    values: ['/api/v2', '/payment', '/tunnel'],
    example: 'path:/hooks',
    meaning: 'a part of the address',
    test:
      (value) =>
      ({ event, row }) =>
        addressOf(event).toLowerCase().includes(value) || row.request.toLowerCase().includes(value),
  },
  fault: {
    values: [],
    example: 'fault:1',
    meaning: 'what one fault did',
    test:
      (value) =>
      ({ event }) =>
        'fault' in event && String(event.fault?.id) === value,
  },
  dur: {
    values: ['>100', '>1000'],
    example: 'dur:>100',
    meaning: 'took longer than 100 ms',
    test: (value) => {
      const matches = comparison(value) ?? (() => false)
      return ({ row }) => row.took !== null && matches(row.took)
    },
  },
  type: {
    values: eventTypes,
    isClosed: true,
    example: 'type:link.paid',
    meaning: 'the type of event, as the control API names it',
    test:
      (value) =>
      ({ event }) =>
        event.type === value,
  },
  account: {
    values: [],
    example: 'account:0000',
    meaning: 'the beginning of an account’s id',
    test:
      (value) =>
      ({ event }) =>
        event.accountId?.toLowerCase().startsWith(value) ?? false,
  },
}

interface Parts {
  readonly key: string
  readonly value: string
  readonly term: Term | undefined
}

const splitTerm = (text: string): Parts | undefined => {
  const [, key, value] = /^([a-z]+):(.+)$/i.exec(text) ?? []
  return key === undefined || value === undefined
    ? undefined
    : { key, value: unquoted(value), term: filterTerms[key.toLowerCase()] }
}

const positive = (text: string): string => (text.length > 1 && text.startsWith('-') ? text.slice(1) : text)

function toPredicate(text: string): Test {
  if (positive(text) !== text) {
    const test = toPredicate(positive(text))
    return (entry) => !test(entry)
  }
  const parts = splitTerm(text)
  return parts?.term ? parts.term.test(parts.value) : freeText(unquoted(text))
}

function problemsOf(text: string): string[] {
  const parts = splitTerm(positive(text))
  // An address is looked for as it stands.
  if (!parts || text.includes('"') || parts.value.startsWith('/')) return []
  const { key, value, term } = parts
  if (!term) return [`There is no ${key}: here.${hint(key, Object.keys(filterTerms))}`]
  if (!term.isClosed || term.values.includes(value)) return []
  return [
    `There is no ${key}:${value}.${hint(value, term.values) || ` There are ${term.values.join(', ')}.`}`,
  ]
}

function hint(name: string, names: readonly string[]): string {
  const match = findClosestMatch(name, names)
  return match === undefined ? '' : ` Did you mean ${match}?`
}

const unquoted = (text: string): string => text.replaceAll('"', '').toLowerCase()

const freeText =
  (wanted: string): Test =>
  ({ event, row }) =>
    [row.request, row.message, row.status, row.kind, addressOf(event), String(row.payId ?? '')].some((text) =>
      text.toLowerCase().includes(wanted),
    )

function addressOf(event: EventView): string {
  if ('path' in event) return event.path
  if ('target' in event) return event.target
  return 'location' in event ? event.location : ''
}

/** `>=400`, `<300`, `404`, `5xx`. `undefined` for anything that compares no numbers. */
function comparison(text: string): ((number: number) => boolean) | undefined {
  const family = /^([1-5])xx$/.exec(text)?.[1]
  if (family) return (number) => Math.floor(number / 100) === Number(family)

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
