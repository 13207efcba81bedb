import type { AttemptErrorCode } from '../domain/webhooks/delivery.ts'
import type { Exchange } from '../domain/http/exchange.ts'
import type { Diagnostic } from '../domain/diagnostics/diagnostic.ts'

/** What came of one case. */
export interface CheckResult {
  readonly name: string
  readonly group: string
  /** What was sent. */
  readonly title: string
  /** Why it matters. */
  readonly why: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  readonly expected: string
  /** What was there, or why it was skipped. */
  readonly seen: string
  /** The case that failed before for the same cause. `null` where none did, or where that is not known. */
  readonly sameAs: string | null
  /** The answer that the verdict rests on. `null` where it rests on the order. */
  readonly exchange: Exchange | null
  /** A command that sends the same once more. `null` where one request is not enough. */
  readonly repeat: string | null
}

export interface CheckReport {
  readonly receiver: string
  /** What was judged: answers alone, whether orders were paid too, or even how often they were fulfilled. */
  readonly judged: 'answers' | 'orders' | 'fulfilments'
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What is behind several failures, and what to do. `null` where nothing is known to be. */
  readonly advice: string | null
  readonly results: readonly CheckResult[]
}

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

/** An order whose payment is tried, by its payment link. */
export interface CheckedOrder {
  readonly id: number
  readonly payId: number
  readonly linkId: string
  readonly accountId: string
  /** In euros. */
  readonly amount: number
  readonly note: string
  /** Empty where the link names none. */
  readonly callbackUrl: string
  /** Where a map leads in place of that. */
  readonly callbackMappedTo?: string | undefined
  /** As it was named. Empty where the link names none. */
  readonly paymentEndpoint: string
  readonly targets: readonly { readonly url: string }[]
}

/** Whether an order is paid, and how often it was fulfilled, where that is known. */
export interface OrderState {
  readonly paid: boolean
  readonly times?: number | undefined
}

/** One POST of the battery, and what came of it. */
export interface Probe {
  /** `null` where no answer came. */
  readonly status: number | null
  /** Why no answer came. */
  readonly error: string | null
  /** The kind of `error`. */
  readonly errorCode?: AttemptErrorCode
  readonly ms: number
  readonly exchange: Exchange
  /** What the answer says about its receiver. */
  readonly findings: readonly Diagnostic[]
}
