import type { ShownEvent } from '../server/control/present.ts'
import type { Row } from './describe.ts'

interface Filtered {
  readonly event: ShownEvent
  readonly row: Row
}

type Test = (entry: Filtered) => boolean

/**
 * Reads what stands in the filter field: `kind:webhook status:>=400 -path:/payment` and free text.
 * Every term must hold; `-` turns one around.
 */
export function parseFilter(text: string): Test {
  const tests = words(text).map(parseTerm)
  return (entry) => tests.every((test) => test(entry))
}

/** Splits at spaces, except between double quotes. */
const words = (text: string): string[] => text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []

function parseTerm(term: string): Test {
  if (term.length > 1 && term.startsWith('-')) {
    const test = parseTerm(term.slice(1))
    return (entry) => !test(entry)
  }
  const [, key = '', value = ''] = /^([a-z]+):(.+)$/i.exec(term) ?? []
  const make = tests[key.toLowerCase()]
  return make ? make(unquoted(value)) : freeText(unquoted(term))
}

const unquoted = (text: string): string => text.replaceAll('"', '').toLowerCase()

const tests: Readonly<Record<string, (value: string) => Test>> = {
  kind:
    (value) =>
    ({ row }) =>
      row.kind === value,
  pay:
    (value) =>
    ({ row }) =>
      String(row.payId) === value,
  path:
    (value) =>
    ({ event, row }) =>
      addressOf(event).toLowerCase().includes(value) || row.request.toLowerCase().includes(value),
  status: (value) => {
    const matches = comparison(value)
    return matches
      ? ({ row }) => row.code !== null && matches(row.code)
      : ({ row }) => row.status.toLowerCase().includes(value)
  },
  dur: (value) => {
    const matches = comparison(value) ?? (() => false)
    return ({ row }) => row.took !== null && matches(row.took)
  },
  is:
    (value) =>
    ({ event, row }) => {
      if (value === 'failed') return row.tone === 'err'
      if (value === 'held') return event.type === 'delivery.held'
      return value === 'replay' && 'replayOf' in event && event.replayOf !== null
    },
}

const freeText =
  (wanted: string): Test =>
  ({ event, row }) =>
    [row.request, row.message, row.status, row.kind, addressOf(event), String(row.payId ?? '')].some((text) =>
      text.toLowerCase().includes(wanted),
    )

function addressOf(event: ShownEvent): string {
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
