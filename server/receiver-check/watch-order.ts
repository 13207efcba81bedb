import { setTimeout as pause } from 'node:timers/promises'
import type { CheckRunOptions } from './check-run-options.ts'
import { CheckError } from './check-error.ts'
import type { CheckedOrder, OrderState } from '../contract/check.ts'
import { readOrderState, stateUrlOf } from './read-order-state.ts'
import { WrongAddressError } from './request-app.ts'

const DEFAULT_TIMEOUT_MS = 5_000
const POLL_INTERVAL_MS = 50

/** What was last seen of an order: its state, or why that could not be told. */
export type ObservedState = OrderState | { readonly unknown: string }

/** Who tells of an order. */
export interface StateSource {
  readonly patienceMs: number
  /** As the end of a sentence. */
  readonly suffix: string
}

export const isPaid = (seen: ObservedState): boolean => 'paid' in seen && seen.paid

/** Watches orders by state url or oracle. `undefined` where nobody tells of them. */
export function createOrderWatch(options: CheckRunOptions) {
  const { oracle, stateUrl, patienceMs = DEFAULT_TIMEOUT_MS, signal } = options
  if (oracle === undefined && stateUrl === undefined) return undefined

  let hasCounts = false
  /** Whether the state url has ever told of an order. */
  let hasKnownOrder = false

  async function readState(order: CheckedOrder): Promise<OrderState> {
    if (oracle) return oracle(order)
    try {
      const state = await readOrderState(order, options)
      hasKnownOrder ||= state !== undefined
      return state ?? { paid: false }
    } catch (error) {
      if (hasKnownOrder || !(error instanceof WrongAddressError)) throw error
      throw new CheckError(
        `The check ended early, as the state url tells of no order: ${error.message}. Name where your app answers with the JSON of an order.`,
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

  /** Looks until the order is paid, for as long as the app may take. Gives what was seen last. */
  async function waitUntilPaid(order: CheckedOrder): Promise<ObservedState> {
    const end = performance.now() + patienceMs
    for (;;) {
      const seen = await read(order)
      if (isPaid(seen)) return seen
      if (performance.now() >= end) return assertKnown(seen, order)
      await pause(POLL_INTERVAL_MS, undefined, signal ? { signal } : {})
    }
  }

  /** Where no order was ever known, each case would take all the patience there is. */
  function assertKnown(seen: ObservedState, order: CheckedOrder): ObservedState {
    if (stateUrl === undefined || hasKnownOrder || 'unknown' in seen) return seen
    throw new CheckError(
      `The check ended early, as the state url tells of no order: ${stateUrlOf(stateUrl, order)} answered 404 for ${patienceMs / 1000} s. Name where your app tells of its orders. If it knows only those that it makes, give an order url too.`,
    )
  }

  return {
    look: read,
    untilPaid: waitUntilPaid,
    patienceMs,
    source: (order: CheckedOrder): StateSource => ({
      patienceMs,
      suffix: stateUrl === undefined ? '' : `, says ${stateUrlOf(stateUrl, order)}`,
    }),
    /** Whether it was told how often an order was fulfilled. */
    counts: (): boolean => hasCounts,
  }
}

export type OrderWatch = NonNullable<ReturnType<typeof createOrderWatch>>

/** An oracle that says something else would pass for one that says no. */
function validateState(state: OrderState): OrderState {
  const { paid, times }: Partial<Record<keyof OrderState, unknown>> = state ?? {}
  if (typeof paid === 'boolean' && (times === undefined || typeof times === 'number')) return state
  throw new CheckError(
    `The oracle gave ${JSON.stringify(state)}. It gives { paid: true } or { paid: false }, and where it knows how often the order was fulfilled, { paid, times }.`,
  )
}
