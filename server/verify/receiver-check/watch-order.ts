import { setTimeout as pause } from 'node:timers/promises'
import { ORDER_STATE_TIMEOUT_MS } from '../../contract/checks/check-times.ts'
import type { CheckedOrder, OrderState } from '../../contract/checks/check.ts'
import { CheckError } from './check-error.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { readOrderState, stateUrlOf } from './read-order-state.ts'
import { WrongAddressError } from './request-app.ts'

const POLL_INTERVAL_MS = 50

/** The last known state of an order, or why it is not known. */
export type ObservedState = OrderState | { readonly unknown: string }

/** Where the state of an order comes from, for messages. */
export interface StateSource {
  readonly timeoutMs: number
  /** Names the state URL at the end of a sentence. Empty without one. */
  readonly suffix: string
}

/** Reads the states of orders from the state URL or from the app's function. Returns `undefined` if there is neither. */
export function createOrderWatch(options: CheckRunOptions) {
  const { orderState, stateUrl, countPointer, orderUrl, timeoutMs = ORDER_STATE_TIMEOUT_MS, signal } = options
  if (orderState === undefined && stateUrl === undefined) return undefined

  let hasCounts = countPointer !== undefined
  /** Whether the state URL has known any order so far. */
  let hasKnownOrder = false

  async function readState(order: CheckedOrder): Promise<OrderState> {
    if (orderState) return orderState(order)
    try {
      const state = await readOrderState(order, options)
      hasKnownOrder ||= state !== undefined
      return state ?? { paid: false }
    } catch (error) {
      if (hasKnownOrder || !(error instanceof WrongAddressError)) throw error
      throw new CheckError(
        `The check ended early, because the state URL returns no order: ${error.message}. Give the address where your app returns an order as JSON.`,
      )
    }
  }

  async function read(order: CheckedOrder): Promise<ObservedState> {
    try {
      const state = validateState(await readState(order))
      hasCounts ||= state.times !== undefined
      return state
    } catch (error) {
      if (error instanceof CheckError || signal?.aborted) throw error
      return { unknown: error instanceof Error ? error.message : String(error) }
    }
  }

  /**
   * Polls until the order is paid, for at most `timeoutMs`. Also waits for its fulfilment, because a queue can do it later.
   * Returns the last state.
   */
  async function waitUntilPaid(order: CheckedOrder): Promise<ObservedState> {
    const end = performance.now() + timeoutMs
    for (;;) {
      const seen = await read(order)
      if ('paid' in seen && seen.paid && seen.times !== 0) return seen
      if (performance.now() >= end) return assertKnown(seen, order)
      await pause(POLL_INTERVAL_MS, undefined, signal ? { signal } : {})
    }
  }

  /** Ends the check if the state URL has never known an order. Otherwise every case would wait for the whole timeout. */
  function assertKnown(seen: ObservedState, order: CheckedOrder): ObservedState {
    if (stateUrl === undefined || hasKnownOrder || 'unknown' in seen) return seen
    throw new CheckError(
      `The check ended early, because the state URL returns no order: ${stateUrlOf(stateUrl, order)} answered 404 for ${timeoutMs / 1000} s. Give the address where your app returns its orders.${orderUrl === undefined ? ' If it knows only orders that it made, give an order URL too.' : ''}`,
    )
  }

  return {
    read,
    waitUntilPaid,
    source: (order: CheckedOrder): StateSource => ({
      timeoutMs,
      suffix: stateUrl === undefined ? '' : `, according to ${stateUrlOf(stateUrl, order)}`,
    }),
    /** Whether the states say how often an order was fulfilled. */
    hasCounts: (): boolean => hasCounts,
  }
}

export type OrderWatch = NonNullable<ReturnType<typeof createOrderWatch>>

/** Rejects any other value, which would otherwise count as not paid. */
function validateState(state: OrderState): OrderState {
  const { paid, times }: Partial<Record<keyof OrderState, unknown>> = state ?? {}
  if (typeof paid === 'boolean' && (times === undefined || typeof times === 'number')) return state
  throw new CheckError(
    `The function that reads the state of an order returned ${JSON.stringify(state)}. Return { paid: true } or { paid: false }. To say how often the order was fulfilled, return { paid, times }.`,
  )
}
