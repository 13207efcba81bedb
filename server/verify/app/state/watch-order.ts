import { setTimeout as pause } from 'node:timers/promises'
import { ORDER_STATE_TIMEOUT_MS } from '../../../contract/checks/check-times.ts'
import type { CheckedOrder, OrderState } from '../../../contract/checks/check.ts'
import { reasonOf } from '../../../domain/text/reason-of.ts'
import { CheckError } from '../run/check-error.ts'
import type { CheckRunOptions } from '../run/check-run-options.ts'
import {
  readOrderState,
  type ReadState,
  SOLE_COUNT,
  stateUrlOf,
  WrongOptionError,
} from './read-order-state.ts'
import { LateAnswerError, WrongAddressError } from '../orders/request-app.ts'
import { createLimit } from '../run/run-side-by-side.ts'

const POLL_INTERVAL_MS = 50

/** The last known state of an order, or why it is unknown. Counts start when the order is placed. */
export type ObservedState = ReadState | UnknownState

export interface UnknownState {
  readonly unknown: string
  readonly isLate: boolean
}

/** Where the state of an order comes from, in words for messages. */
export interface StateSource {
  readonly timeoutMs: number
  /** The end of a sentence, which mentions the state URL. Empty if there is no such URL. */
  readonly suffix: string
}

const MAX_AT_ONCE = 16

const MAX_NEWEST = 200

/** Reads the states of orders from the state URL or from the app's function. `undefined` if there is neither. */
export function createOrderWatch(options: CheckRunOptions) {
  const { orderState, stateUrl, countPointer, orderUrl, timeoutMs = ORDER_STATE_TIMEOUT_MS, signal } = options
  const { unknownTimeoutMs = timeoutMs } = options
  if (orderState === undefined && stateUrl === undefined) return undefined

  const atMost = createLimit(MAX_AT_ONCE)
  let hasCounts = countPointer !== undefined
  /** Whether the state URL has known any order so far. */
  let hasKnownOrder = false
  /** The counts of an order before its payment. */
  let initialCounts: ReadonlyMap<string, number> = new Map()

  const seenOrders = new Map<string, SeenOrder>()

  function seenOf(order: CheckedOrder): SeenOrder {
    const seen = seenOrders.get(keyOf(order)) ?? { order, paidValues: [], highest: new Map() }
    seenOrders.set(keyOf(order), seen)
    return seen
  }

  function remember(order: CheckedOrder, state: ReadState): ReadState {
    const { paidValues, highest } = seenOf(order)
    if (state.paid && state.value !== undefined && !paidValues.includes(state.value))
      paidValues.push(state.value)
    const counts = state.counts.map(({ name, value }) => {
      highest.set(name, Math.max(value, highest.get(name) ?? value))
      return { name, value, highest: highest.get(name)! }
    })
    return { ...state, counts }
  }

  async function readState(order: CheckedOrder): Promise<ReadState> {
    if (orderState) {
      const { paid, times } = validateState(await orderState(order))
      return { paid, counts: times === undefined ? [] : [{ name: SOLE_COUNT, value: times }] }
    }
    try {
      const state = await readOrderState(order, options)
      hasKnownOrder ||= state !== undefined
      return state ?? { paid: false, counts: [] }
    } catch (error) {
      if (error instanceof WrongOptionError && !hasKnownOrder) {
        throw new CheckError(`Nothing was checked, because ${error.message}.`)
      }
      if (hasKnownOrder || !(error instanceof WrongAddressError)) throw error
      throw new CheckError(
        `The check ended early, because the state URL returns no order: ${error.message}. Use --state-url to pass the address where your app returns an order as JSON.`,
      )
    }
  }

  async function read(order: CheckedOrder): Promise<ObservedState> {
    try {
      const state = await atMost(() => readState(order))
      hasCounts ||= state.counts.length > 0
      const counts = state.counts.map(({ name, value }) => ({
        name,
        value: value - (initialCounts.get(name) ?? 0),
      }))
      return remember(order, { ...state, counts })
    } catch (error) {
      if (error instanceof CheckError || signal?.aborted) throw error
      return { unknown: reasonOf(error), isLate: error instanceof LateAnswerError }
    }
  }

  /** Polls until a state is as expected, for at most `limitMs`. Returns the last state. */
  async function waitUntil(
    order: CheckedOrder,
    isWanted: (state: ReadState) => boolean | Promise<boolean>,
    limitMs = timeoutMs,
  ): Promise<ObservedState> {
    const start = performance.now()
    for (;;) {
      const seen = await read(order)
      if ('paid' in seen && (await isWanted(seen))) return seen
      const ms = performance.now() - start
      if (ms >= unknownTimeoutMs) assertKnown(seen, order)
      if (ms >= limitMs) return seen
      await pause(POLL_INTERVAL_MS, undefined, { signal })
    }
  }

  /** Ends the check if the state URL has never known an order, because every case would wait for the whole timeout. */
  function assertKnown(seen: ObservedState, order: CheckedOrder): void {
    if (stateUrl === undefined || hasKnownOrder || 'unknown' in seen) return
    throw new CheckError(
      `The check ended early, because the state URL returns no order: ${stateUrlOf(stateUrl, order)} answered 404 for ${unknownTimeoutMs / 1000} s. Use --state-url to pass the address where your app returns its orders.${orderUrl === undefined ? ' If it knows only orders that it made, also pass --order-url.' : ''}`,
    )
  }

  return {
    read,
    /** Whether the state URL answers that it does not know an order, although it has known others. */
    async isLost(order: CheckedOrder): Promise<boolean> {
      if (!hasKnownOrder || stateUrl?.includes('{order}') !== true || order.order === undefined) return false
      return (await readOrderState(order, options).catch(() => NOT_KNOWN)) === undefined
    },
    /** Reads a state, and tries again for a while if it cannot be read. The app may be busy. */
    readPatiently: (order: CheckedOrder): Promise<ObservedState> => waitUntil(order, () => true),
    waitUntil,
    /** Waits until an order is paid and fulfilled. A queue may fulfill it later. */
    waitUntilPaid: (order: CheckedOrder, limitMs?: number): Promise<ObservedState> =>
      waitUntil(order, isPaidAndFulfilled, limitMs),
    /** Like `waitUntilPaid`. Whether the order is paid then, even if it is not fulfilled. */
    async becomesPaid(order: CheckedOrder): Promise<boolean> {
      const seen = await waitUntil(order, isPaidAndFulfilled)
      return 'paid' in seen && seen.paid
    },
    /** Subtracts the counts of this state from all later counts, because an app may also count what happens before the payment. */
    countFrom(state: ObservedState): void {
      if ('counts' in state) initialCounts = new Map(state.counts.map(({ name, value }) => [name, value]))
    },
    source: (order: CheckedOrder, limitMs = timeoutMs): StateSource => ({
      timeoutMs: limitMs,
      suffix: stateUrl === undefined ? '' : ` (from your state URL ${stateUrlOf(stateUrl, order)})`,
    }),
    /** The words for the states of a paid order, in the sequence in which the check first read them. */
    paidValuesOf: (order: CheckedOrder): readonly string[] => seenOf(order).paidValues,
    /** The orders that the check has read, without very old ones. */
    newestOrders: (): readonly CheckedOrder[] =>
      [...seenOrders.values()].slice(-MAX_NEWEST).map(({ order }) => order),
    hasCounts: (): boolean => hasCounts,
  }
}

/** Whether an order is paid, and all its counts have gone up. */
export const isPaidAndFulfilled = ({ paid, counts }: ReadState): boolean =>
  paid && counts.every(({ value }) => value !== 0)

/** Stands for a state that could not be read. */
const NOT_KNOWN = null

/** What the check has read about an order so far. */
interface SeenOrder {
  readonly order: CheckedOrder
  readonly paidValues: string[]
  readonly highest: Map<string, number>
}

/** Two links of an order have the same key. */
const keyOf = ({ order, id }: CheckedOrder): string => order ?? String(id)

export type OrderWatch = NonNullable<ReturnType<typeof createOrderWatch>>

/** Rejects a value that is not a state, because it would count as not paid. */
function validateState(state: OrderState): OrderState {
  const { paid, times }: Partial<Record<keyof OrderState, unknown>> = state ?? {}
  if (typeof paid === 'boolean' && (times === undefined || typeof times === 'number')) return state
  throw new CheckError(
    `The function that reads the state of an order returned ${JSON.stringify(state)}. Return { paid: true } or { paid: false }. To say how often the order was fulfilled, return { paid, times }.`,
  )
}
