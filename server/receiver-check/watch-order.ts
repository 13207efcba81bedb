import { setTimeout as pause } from 'node:timers/promises'
import type { CheckRun } from './check-run.ts'
import { CheckProblem } from './check-error.ts'
import type { CheckedOrder, OrderState } from '../contract/check.ts'
import { readState, stateUrlOf } from './read-order-state.ts'
import { NowhereError } from './http-get.ts'

const PATIENCE_MS = 5_000
const GLANCE_MS = 50

/** What was last seen of an order: its state, or why that could not be told. */
export type Seen = OrderState | { readonly unknown: string }

/** Who tells of an order. */
export interface Teller {
  readonly patienceMs: number
  /** As the end of a sentence. */
  readonly told: string
}

export const isPaid = (seen: Seen): boolean => 'paid' in seen && seen.paid

/** Watches orders by state url or oracle. `undefined` where nobody tells of them. */
export function createWatch(options: CheckRun) {
  const { oracle, stateUrl, patienceMs = PATIENCE_MS, signal } = options
  if (oracle === undefined && stateUrl === undefined) return undefined

  let counts = false
  /** Whether the state url has ever told of an order. */
  let hasTold = false

  async function ask(order: CheckedOrder): Promise<OrderState> {
    if (oracle) return oracle(order)
    try {
      const state = await readState(order, options)
      hasTold ||= state !== undefined
      return state ?? { paid: false }
    } catch (error) {
      if (hasTold || !(error instanceof NowhereError)) throw error
      throw new CheckProblem(
        `The check ended early, as the state url tells of no order: ${error.message}. Name where your app answers with the JSON of an order.`,
      )
    }
  }

  async function look(order: CheckedOrder): Promise<Seen> {
    try {
      const state = accept(await ask(order))
      counts ||= state.times !== undefined
      return state
    } catch (error) {
      if (error instanceof CheckProblem || signal?.aborted) throw error
      return { unknown: error instanceof Error ? error.message : String(error) }
    }
  }

  /** Looks until the order is paid, for as long as the app may take. Gives what was seen last. */
  async function untilPaid(order: CheckedOrder): Promise<Seen> {
    const end = performance.now() + patienceMs
    for (;;) {
      const seen = await look(order)
      if (isPaid(seen)) return seen
      if (performance.now() >= end) return acceptKnown(seen, order)
      await pause(GLANCE_MS, undefined, signal ? { signal } : {})
    }
  }

  /** Where no order was ever known, each case would take all the patience there is. */
  function acceptKnown(seen: Seen, order: CheckedOrder): Seen {
    if (stateUrl === undefined || hasTold || 'unknown' in seen) return seen
    throw new CheckProblem(
      `The check ended early, as the state url tells of no order: ${stateUrlOf(stateUrl, order)} answered 404 for ${patienceMs / 1000} s. Name where your app tells of its orders. If it knows only those that it makes, give an order url too.`,
    )
  }

  return {
    look,
    untilPaid,
    patienceMs,
    teller: (order: CheckedOrder): Teller => ({
      patienceMs,
      told: stateUrl === undefined ? '' : `, says ${stateUrlOf(stateUrl, order)}`,
    }),
    /** Whether it was told how often an order was fulfilled. */
    counts: (): boolean => counts,
  }
}

export type Watch = NonNullable<ReturnType<typeof createWatch>>

/** An oracle that says something else would pass for one that says no. */
function accept(state: OrderState): OrderState {
  const { paid, times }: Partial<Record<keyof OrderState, unknown>> = state ?? {}
  if (typeof paid === 'boolean' && (times === undefined || typeof times === 'number')) return state
  throw new CheckProblem(
    `The oracle gave ${JSON.stringify(state)}. It gives { paid: true } or { paid: false }, and where it knows how often the order was fulfilled, { paid, times }.`,
  )
}
