import { describedEventTypes } from '../../server/contract/format/describe-event.ts'
import type { LinkView } from '../../server/contract/views.ts'
import { eventKinds, formatStatus, type EventRow } from '../../server/contract/format/event-row.ts'
import { formatAmount, formatTook } from '../../server/contract/format/values.ts'
import { effectName, isForged } from '../../server/domain/faults/fault.ts'
import { isStored } from '../../server/domain/webhooks/delivery.ts'
import { clockTime } from '../browser/time-text.ts'
import { addressOf, findingText, hostsOf, type EntryText } from '../data/entry-text.ts'
import { foldText } from '../data/fold-text.ts'
import type { FindingView } from '../data/event-index.ts'
import type { Entry } from '../data/log.ts'
import {
  parseTerms,
  type Filter,
  type FilterTerm,
  type FilterTerms,
  type Predicate,
  type RankOf,
} from './filter.ts'
import { contains, hasNumber, toPhrase, type Phrase } from './words.ts'

/** What a filter needs to know about an event in addition to the event. */
export interface FilterContext {
  linkOf(payId: number): LinkView | undefined
  readonly accountNames: readonly string[]
  accountNameOf(id: string): string
  findingsOf(seq: number): readonly FindingView[]
  /** Whether a text was found in the bodies of an event. The text is in lower case. */
  hasBody(seq: number, text: string): boolean
}

const states: Readonly<Record<string, Predicate<Entry>>> = {
  failed: ({ row }) => row.tone === 'err',
  retried: ({ event }) => event.type === 'delivery.attempted' && event.nextAttemptAt !== null,
  held: ({ event }) => event.type === 'delivery.held',
  stored: ({ event, listenerAnswer }) =>
    event.type === 'delivery.attempted' && isStored(event) && !listenerAnswer,
  replay: ({ event }) => 'replayOf' in event && event.replayOf !== null,
  forged: ({ event }) => 'fault' in event && isForged(event.fault),
  assumed: ({ event }) => 'assumed' in event && event.assumed.length > 0,
  fault: ({ event }) => 'fault' in event && event.fault !== undefined,
  different: ({ event }) => 'upstream' in event && event.differences?.[0] !== undefined,
}

export const bodyMeaning = 'with this text in a request or response body'

/** A term with a fixed set of values. */
export const choice = <Item>(
  values: readonly string[],
  example: string,
  meaning: string,
  toPredicate: FilterTerm<Item>['toPredicate'],
): FilterTerm<Item> => ({
  values,
  isClosed: true,
  example,
  meaning: `${meaning}. Also ${values.filter((value) => !example.endsWith(value)).join(', ')}`,
  toPredicate,
})

/** The term of the accounts of items. `accountOf` returns `undefined` for an item without an account. */
export const accountTerm = <Item>(
  accountOf: (item: Item) => { readonly id: string; readonly name: string } | undefined,
): FilterTerm<Item> => ({
  values: [],
  example: 'account:flower',
  meaning: 'of accounts with this word in their name, or at the start of their id',
  otherNames: ['shop', 'merchant'],
  toPredicate: (value) => {
    const phrase = toPhrase(value)
    const isNamed = once((name: string) => contains(foldText(name), phrase))
    return (item) => {
      const account = accountOf(item)
      return account !== undefined && (account.id.toLowerCase().startsWith(value) || isNamed(account.name))
    }
  },
})

/** The term of the payments of items, by their number. `payIdOf` returns `null` for an item without a payment. */
export const paymentTerm = <Item>(
  meaning: string,
  payIdOf: (item: Item) => number | null,
): FilterTerm<Item> => ({
  values: [],
  example: 'payment:1001',
  meaning,
  otherNames: ['pay', 'payid', 'id', 'link'],
  toPredicate: (value) => (item) => String(payIdOf(item)) === value,
})

/** The term of the notes of payments. `linkOf` returns `undefined` for an item without a payment. */
export const orderTerm = <Item>(
  meaning: string,
  linkOf: (item: Item) => LinkView | undefined,
): FilterTerm<Item> => ({
  values: [],
  example: 'order:12',
  meaning,
  otherNames: ['note', 'orders'],
  toPredicate: (value) => {
    const phrase = toPhrase(value)
    const isIn = once((link: LinkView) => contains(linkText(link).note, phrase))
    return (item) => {
      const link = linkOf(item)
      return link !== undefined && isIn(link)
    }
  },
})

/** The term `amount`, which compares the amount of a payment. `amountOf` returns `undefined` for an item without a payment. */
export const amountTerm = <Item>(
  meaning: string,
  amountOf: (item: Item) => number | undefined,
): FilterTerm<Item> => ({
  values: ['>100'],
  example: 'amount:>=64',
  meaning,
  otherNames: ['price', 'euros', 'eur'],
  isAmount: true,
  toPredicate: (value) => {
    const matches = amountPredicate(value)
    return (item) => {
      const amount = amountOf(item)
      return amount !== undefined && matches(amount)
    }
  },
})

/**
 * The terms of the timeline's filter. A term has the name of the column that it filters.
 */
export const eventTerms = (context: FilterContext): FilterTerms<Entry> => ({
  time: {
    values: [],
    example: 'time:21:18',
    meaning: 'at 21:18 in the time zone of the list',
    otherNames: ['at', 'date'],
    toPredicate: startsAt,
  },
  kind: choice(
    eventKinds,
    'kind:webhook',
    'webhooks',
    (value) =>
      ({ row }) =>
        row.kind === value,
  ),
  is: choice(Object.keys(states), 'is:failed', 'failed for good', (value) => states[value] ?? (() => false)),
  status: {
    values: ['>=400', '4xx', '5xx', '200', 'paid', 'held'],
    example: 'status:>=400',
    meaning: 'with the status 400 or higher. Also 404, 5xx, <300 or a word such as held',
    otherNames: ['code', 'state'],
    toPredicate: (value) => {
      const matches = comparison(value)
      return matches
        ? ({ row }) => row.code !== null && matches(row.code)
        : ({ row }) => formatStatus(row).toLowerCase().includes(value)
    },
  },
  event: {
    values: [],
    example: 'event:"link has been created"',
    meaning: 'with these words in the text of the event',
    otherNames: ['message', 'text', 'operation'],
    toPredicate: (value) => {
      const phrase = toPhrase(value)
      const isIn = once((text: string) => contains(foldText(text), phrase))
      return ({ row }) => isIn(`${row.lead}\n${row.rest}`)
    },
  },
  order: orderTerm('of payments with 12 in their note, not 127', ({ row }) => paymentOf(row, context)),
  payment: paymentTerm('of the payment with the pay_id 1001', ({ row }) => row.payId),
  took: {
    values: ['>100', '>1000'],
    example: 'took:>100',
    meaning: 'took longer than 100 ms',
    otherNames: ['dur', 'duration', 'ms', 'latency'],
    toPredicate: (value) => {
      const matches = comparison(value.replace(/ ?ms$/, '')) ?? (() => false)
      return ({ row }) => row.took !== null && matches(Math.round(row.took))
    },
  },
  amount: amountTerm('of payments of €64.00 or more', ({ row }) => paymentOf(row, context)?.amount),
  account: accountTerm(({ event: { accountId } }) =>
    accountId === null ? undefined : { id: accountId, name: context.accountNameOf(accountId) },
  ),
  host: {
    values: ['localhost', '127.0.0.1'],
    example: 'host:127.0.0.1',
    meaning: 'sent to a host with this text in its name',
    otherNames: ['domain', 'server'],
    toPredicate:
      (value) =>
      ({ event }) =>
        hostsOf(event).some((host) => host.includes(value)),
  },
  path: {
    values: ['/api/v2', '/payment', '/tunnel'],
    example: 'path:/hooks',
    meaning: 'with this text in the address',
    otherNames: ['url', 'address', 'target'],
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
    meaning: 'affected by fault 1. Also the name of an effect, such as fault:drop',
    toPredicate:
      (value) =>
      ({ event }) =>
        'fault' in event &&
        event.fault !== undefined &&
        (String(event.fault.id) === value || effectName(event.fault.effect) === value),
  },
  type: {
    values: describedEventTypes,
    isClosed: true,
    example: 'type:link.paid',
    meaning: 'of the type link.paid, as in the control API',
    toPredicate:
      (value) =>
      ({ event }) =>
        event.type === value,
  },
})

const paymentOf = ({ payId }: EventRow, context: FilterContext) =>
  payId === null ? undefined : context.linkOf(payId)

/**
 * Looks for a phrase first in the texts of an event's payment, then in its row, then in its account and findings. Tests each
 * payment only once.
 */
const rankInEntry =
  (context: FilterContext): RankOf<Entry> =>
  (phrase) => {
    const isInPayment = once((payId: number) => {
      const link = context.linkOf(payId)
      return isNumberOfPayment(payId, phrase) || (link !== undefined && contains(linkText(link).all, phrase))
    })
    const isInText = onceByText((text) => contains(text, phrase))
    const isDuration = durationTest(phrase)
    const isDelivery = deliveryTest(phrase)
    const isInAnyAccount = context.accountNames.some((name) => contains(foldText(name), phrase))
    const isInAccount = isInAnyAccount
      ? once((id: string) => contains(foldText(context.accountNameOf(id)), phrase))
      : undefined
    const isTime = TIME.test(phrase.typed) ? startsAt(phrase.typed) : undefined
    const isInFinding = (finding: FindingView): boolean => isInText(findingText(finding))
    return (entry) => {
      const { payId, text } = entry
      if (payId !== null && isInPayment(payId)) return 0
      if (isInText(text) || isTime?.(entry)) return 1
      const { event, row } = entry
      if (isDuration && row.took !== null && isDuration(row.took)) return 1
      if (isDelivery && 'deliveryId' in event && isDelivery(event.deliveryId)) return 1
      if (isInAccount && event.accountId !== null && isInAccount(event.accountId)) return 2
      return context.findingsOf(event.seq).some(isInFinding) ? 3 : Infinity
    }
  }

/**
 * Searches a duration as rows show it. `undefined` if a phrase is in none: a duration begins with a digit or `<` and ends with its
 * unit.
 */
function durationTest(phrase: Phrase): ((took: number) => boolean) | undefined {
  if (!/^[<\dms]/.test(phrase.typed)) return undefined
  const isShown = once((took: string) => contains(took, phrase))
  const number = Number.parseFloat(phrase.pieces[0] ?? '')
  // Formatting is slow, and most durations are far from the number.
  return (took) =>
    !(Math.abs(number - took) > 1 && Math.abs(number - took / 1_000) > 1) && isShown(formatTook(took))
}

/** Searches the number of a delivery, as in `delivery 7`, `deliv` and `7`. `undefined` if a phrase is in none. */
function deliveryTest(phrase: Phrase): ((id: number) => boolean) | undefined {
  if (!hasNumber(phrase)) return contains('delivery', phrase) ? () => true : undefined
  const number = Number(phrase.pieces.at(-1))
  return (id) => id === number && contains(`delivery ${id}`, phrase)
}

function once<Key>(test: (key: Key) => boolean): (key: Key) => boolean {
  const results = new Map<Key, boolean>()
  return (key) => {
    let result = results.get(key)
    if (result === undefined) results.set(key, (result = test(key)))
    return result
  }
}

/**
 * Keeps the results for texts. An array of bytes is faster than a map, and short because texts are numbered from 1, unlike
 * payments: those of a created account begin in the millions.
 */
function onceByText(test: (folded: string) => boolean): (text: EntryText) => boolean {
  let results = new Uint8Array(1_024)
  return ({ id, folded }) => {
    if (id >= results.length) {
      const longer = new Uint8Array(2 * id)
      longer.set(results)
      results = longer
    }
    if (results[id] === 0) results[id] = test(folded) ? 1 : 2
    return results[id] === 1
  }
}

/** Whether a phrase is the name of the column and the number of a payment: `payment 1001`. */
export const isNumberOfPayment = (payId: number, { pieces }: Phrase): boolean =>
  pieces.length === 2 && (pieces[0] === 'payment' || pieces[0] === 'pay') && pieces[1] === String(payId)

const linkTexts = new WeakMap<LinkView, { readonly note: string; readonly all: string }>()

/** The folded texts of a payment, for a search of events. */
function linkText(link: LinkView) {
  let texts = linkTexts.get(link)
  if (texts === undefined) {
    const note = foldText(link.note)
    texts = { note, all: `${link.payId}\n${note}\n${amountTexts(link.amount)}` }
    linkTexts.set(link, texts)
  }
  return texts
}

/**
 * An amount as lists show it, and as people type it: `€64.50`, `64.5`. Not `64` for €64.00, because that may be the number of
 * an order.
 */
export function amountTexts(amount: number): string {
  const fixed = amount.toFixed(2)
  const short = Number.isInteger(amount) ? '' : `\n${amount}`
  // The formatter is slow, and adds only commas.
  return `${amount < 1_000 ? '' : `${formatAmount(amount)}\n`}€${fixed}${short}`
}

const TIME = /^\d{1,2}:\d\d/

/** A test of the time as the list shows it. */
function startsAt(text: string): Predicate<Entry> {
  const minutes = new Map<string, string>()
  return ({ event: { at } }) => {
    const minute = at.slice(0, 16)
    const shown = minutes.get(minute) ?? clockTime(at)
    minutes.set(minute, shown)
    return `${shown}${at.slice(16, -1)}`.startsWith(text)
  }
}

/** Parses `64`, `€64.00`, `1,250.50` or `>=50`. */
function amountPredicate(text: string): (amount: number) => boolean {
  const [, sign = '', digits = ''] = /^(>=|<=|>|<|)€?([\d,.]+)$/.exec(text) ?? []
  const amount = Number(digits.replaceAll(',', ''))
  if (digits === '' || Number.isNaN(amount)) return () => false
  return compare(sign, amount)
}

/** Parses `>=400`, `<300`, `404` or `5xx`. `undefined` for any other text. */
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
  linkOf: () => undefined,
  accountNames: [],
  accountNameOf: () => '',
  findingsOf: () => [],
  hasBody: () => false,
}

/** Parses the filter of the timeline. `context` has facts that the events themselves do not contain. */
export function parseFilter(text: string, context = NO_CONTEXT): Filter<Entry> {
  return parseTerms(text, eventTerms(context), rankInEntry(context))
}
