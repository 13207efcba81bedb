import type { CheckedOrder, OrderState } from '../../contract/checks/check.ts'
import { truncate } from '../../domain/text/truncate.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { valueAt } from './json-pointer.ts'
import { requestApp, WrongAddressError } from './request-app.ts'

const PLACEHOLDER = /\{(\w+)\}/g

export const placeholders = ['note', 'payId', 'id', 'linkId', 'amount'] as const

/** Returns the names in braces. */
export const placeholdersIn = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!)

/** Fills in the placeholders of a state URL. */
export const stateUrlOf = (template: string, order: CheckedOrder): string =>
  template.replace(PLACEHOLDER, (_all, name: (typeof placeholders)[number] | 'order') =>
    encodeURIComponent(String(order[name])),
  )

/**
 * Reads the state of an order from the app's state URL. Returns `undefined` if the app does not know the order (404).
 * Throws `WrongAddressError` if the answer is not JSON.
 */
export async function readOrderState(
  order: CheckedOrder,
  { stateUrl = '', statePointer = '/status', paidValue = 'paid', countPointer, ...options }: CheckRunOptions,
): Promise<OrderState | undefined> {
  const url = stateUrlOf(stateUrl, order)
  const { status, text } = await requestApp(url, undefined, options)
  if (status === 404) return undefined
  if (status < 200 || status > 299) throw new Error(`${url} answered ${status}`)
  const document = parse(text, url)
  const value = valueAt(document, statePointer)
  if (value === undefined)
    throw new Error(`the answer of ${url} has no value at ${statePointer}: ${truncate(text, 120)}`)
  if (countPointer === undefined) return { paid: String(value) === paidValue }
  const times = valueAt(document, countPointer)
  if (typeof times !== 'number') {
    throw new Error(`the answer of ${url} has no number at ${countPointer}: ${truncate(text, 120)}`)
  }
  return { paid: String(value) === paidValue, times }
}

function parse(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongAddressError(`${url} did not answer with JSON: ${truncate(text, 120)}`)
  }
}
