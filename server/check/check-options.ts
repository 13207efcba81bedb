import type { CheckResult } from './check-result.ts'
import type { CheckedOrder, OrderState } from './order.ts'

/** How a receiver is checked. */
export interface CheckOptions {
  /** Tells of an order whether it is paid. Without it, and without `stateUrl`, only answers are judged. */
  readonly oracle?: ((order: CheckedOrder) => OrderState | Promise<OrderState>) | undefined
  /** Makes an order in the app. It may give the pay link, or the id, of its link. */
  readonly createOrder?: (() => unknown) | undefined
  /** Where the app tells of an order, with `{note}`, `{payId}`, `{id}`, `{linkId}` or `{amount}` in it. */
  readonly stateUrl?: string | undefined
  /** Where in that answer the state is, as RFC 6901 says: `/status`. */
  readonly statePointer?: string | undefined
  /** The state that means paid: `paid`. */
  readonly paid?: string | undefined
  /** Where in that answer is how often the order was fulfilled. */
  readonly countPointer?: string | undefined
  /** POSTed to have the app make an order. */
  readonly orderUrl?: string | undefined
  /** What is POSTed: JSON, or else a form. */
  readonly orderBody?: string | undefined
  /** These cases alone. */
  readonly only?: readonly string[] | undefined
  /** How long the app may take to act on a webhook, in milliseconds: 5000. */
  readonly patienceMs?: number | undefined
  /** Told of every result as it comes. */
  readonly onResult?: ((result: CheckResult) => void) | undefined
}
