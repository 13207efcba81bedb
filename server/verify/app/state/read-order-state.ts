import type { CheckedOrder, StateOptions } from '../../../contract/checks/check.ts'
import { truncate } from '../../../domain/text/truncate.ts'
import type { HttpResponse } from '../../../domain/http/http-fetch.ts'
import type { CheckRunOptions } from '../run/check-run-options.ts'
import { valueAt } from './json-pointer.ts'
import { readMoney } from './read-money.ts'
import { requestPatiently, WrongAddressError } from '../orders/request-app.ts'

const PLACEHOLDER = /\{(\w+)\}/g

export const placeholders = ['note', 'payId', 'id', 'linkId', 'amount'] as const

export const placeholdersIn = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!)

export const stateUrlOf = (template: string, order: CheckedOrder): string =>
  template.replace(PLACEHOLDER, (_all, name: (typeof placeholders)[number] | 'order') =>
    encodeURIComponent(String(order[name])),
  )

export interface ReadState {
  readonly paid: boolean
  /** The app's own word for the state. `undefined` if the state comes from the user's function `orderState`. */
  readonly value?: string | undefined
  /** The numbers that a payment raises by one. */
  readonly counts: readonly Count[]
  /** In euros, or in cents if the app uses cents. */
  readonly received?: number
  /** Like `received`. Never negative. */
  readonly refunded?: number
  /** Whether the state of the order contains an amount in euros or cents, apart from what was received and refunded. */
  readonly names?: (euros: number) => boolean
}

/** The name of a count that stands alone in the state of an order. */
export const SOLE_COUNT = 'times'

/** A number that a payment raises by one. */
export interface Count {
  /** The JSON pointer of the number, if there are several numbers. */
  readonly name: string
  readonly value: number
  /** The highest value of the order that the check has read. */
  readonly highest?: number
}

/** The address responds, but the response lacks something that the options refer to. */
export class WrongOptionError extends Error {
  override readonly name = 'WrongOptionError'
}

const DEFAULT_POINTER = '/status'

const paidValuesOf = ({ paidValue = 'paid' }: Pick<StateOptions, 'paidValue'>): readonly string[] =>
  paidValue.split(',').map((value) => value.trim())

export type AddedFields = Readonly<Record<string, string | boolean>>

/** Fields that call an order paid. One has the name that the app shows. */
export function fieldsOfPaidOrder(options: StateOptions): AddedFields {
  const { statePointer = DEFAULT_POINTER } = options
  const [value = ''] = paidValuesOf(options)
  const name = statePointer.slice(statePointer.lastIndexOf('/') + 1)
  return { paid: true, status: value, [name]: value === 'true' ? true : value }
}

/** Splits pointers at commas. A pointer begins with a slash. */
export const pointersIn = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : text.split(/\s*,\s*(?=\/)/)

/** Some apps answer with a page unless the request asks for JSON only. Others refuse such a request. */
async function requestJson(url: string, options: CheckRunOptions): Promise<HttpResponse> {
  const answer = await requestPatiently(url, undefined, options, { headers: { accept: 'application/json' } })
  return answer.status === NOT_ACCEPTABLE ? requestPatiently(url, undefined, options) : answer
}

const NOT_ACCEPTABLE = 406

/**
 * Reads the state of an order from the app's state URL. `undefined` if the app does not know the order (404). Throws
 * `WrongAddressError` if the response is not JSON, and `WrongOptionError` if it has nothing at the place of a pointer.
 */
export async function readOrderState(
  order: CheckedOrder,
  options: CheckRunOptions,
): Promise<ReadState | undefined> {
  const {
    stateUrl = '',
    statePointer = DEFAULT_POINTER,
    countPointer,
    receivedPointer,
    refundedPointer,
  } = options
  const url = stateUrlOf(stateUrl, order)
  const { status, text } = await requestJson(url, options)
  if (status === 404) return undefined
  if (status < 200 || status > 299) throw new Error(`${url} answered ${status}`)
  const document = parse(text, url)
  const numberAt = (
    pointer: string,
    flag: string,
    read: (value: unknown) => number | undefined,
    hint = '',
  ): number => {
    const found = valueAt(document, pointer)
    const value = read(found)
    if (value !== undefined) return value
    const isStructured = typeof found === 'object' && found !== null
    throw new WrongOptionError(
      `the answer of ${url} has no number at ${pointer}: ${truncate(text, 120)}. Correct ${flag}${isStructured ? hint : ''}`,
    )
  }
  const isShared = receivedPointer === refundedPointer
  const moneyAt = (pointer: string, kind: 'received' | 'refunded'): number =>
    numberAt(pointer, `--${kind}-pointer`, (value) => readMoney(value, kind, { isShared }), READ_AMOUNTS)
  const value = valueAt(document, statePointer)
  if (value === undefined) {
    throw new WrongOptionError(
      `the answer of ${url} has no value at ${statePointer}: ${truncate(text, 120)}. Use --state-pointer to pass the JSON pointer of the state`,
    )
  }
  const name = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return {
    paid: paidValuesOf(options).includes(name),
    value: name,
    counts: pointersIn(countPointer).map((pointer, _index, { length }) => ({
      name: length === 1 ? SOLE_COUNT : pointer,
      value: numberAt(pointer, '--count-pointer', readCount),
    })),
    names: (euros) => {
      const amounts = numbersIn(document, [receivedPointer, refundedPointer])
      return amounts.includes(euros) || amounts.includes(Math.round(euros * 100))
    },
    ...(receivedPointer === undefined ? {} : { received: moneyAt(receivedPointer, 'received') }),
    ...(refundedPointer === undefined ? {} : { refunded: moneyAt(refundedPointer, 'refunded') }),
  }
}

const READ_AMOUNTS = ', or call the amount of each entry amount, total, value, sum, price or euros'

/** All numbers in a document, except those at some pointers. */
function numbersIn(
  value: unknown,
  without: readonly (string | undefined)[],
  pointer = '',
): readonly number[] {
  if (value === null || value === undefined || without.includes(pointer)) return []
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([name, one]) =>
      numbersIn(one, without, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    )
  const number = readNumber(value)
  return number === undefined ? [] : [number]
}

/** Reads a count. Some apps return a list of what they count. */
const readCount = (value: unknown): number | undefined =>
  Array.isArray(value) ? value.length : readNumber(value)

/** Reads a number. Some apps write numbers as text, or use `null` for a missing number. */
function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (value === null) return 0
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}

function parse(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongAddressError(`${url} did not answer with JSON: ${truncate(text, 120)}`)
  }
}
