import type { AttemptErrorCode } from '../../domain/webhooks/delivery-values.ts'
import type { Exchange } from '../../domain/http/exchange.ts'
import type { Diagnostic } from '../../domain/diagnostics/diagnostic.ts'
import type {
  CheckOptionValues,
  localReceiverOptions,
  receiverOptions,
  sharedOptions,
} from './check-options.ts'

/** A case's result, in any check. */
export interface CaseResult {
  readonly name: string
  readonly group: string
  /** What was sent. */
  readonly title: string
  readonly why: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  readonly expected: string
  /** What the check observed, or why it skipped the case. */
  readonly seen: string
  /** `null` if the case was not skipped. */
  readonly skipReason: SkipReason | null
  /** What the app did in this case, for a reason that several skipped cases can have. Follows `seen`. */
  readonly example?: string
  /** Whether the case failed only because the app did not answer in time. Missing if the problem says so itself. */
  readonly isLate?: true
  /** What explains the failure. Missing if no fact does. */
  readonly fact?: Fact
}

/**
 * Why a case was skipped: an option of the check is not set, the app created no suitable order, or the result would prove
 * nothing.
 */
export const skipReasons = ['option', 'order', 'inconclusive'] as const

export type SkipReason = (typeof skipReasons)[number]

/** The problems that a receiver can have, in words for people, the most expensive first. A failed case has one of them. */
export const receiverProblems = {
  unreachable: 'Your app stops answering',
  'harmed-by-garbage': 'After a webhook that your app cannot read, other orders are lost or stay unpaid',
  'shared-link': 'Different orders get the same pay link',
  'shared-reference': 'Different orders get the same reference, so their payments are mixed up',
  'pays-another': 'The payment of one order pays another one',
  'paid-without-payment': 'An order becomes paid without a valid payment',
  'fulfilled-without-payment': 'An order is fulfilled without a valid payment',
  'fulfilled-again': 'An order is fulfilled more than once',
  'unpaid-webhook': 'Your app asks the service for the webhook of a payment that nobody has made',
  'leaked-key': 'The API key is visible',
  'leaked-order': 'Strangers can read orders',
  'order-lost': 'Your app has lost an order that a customer can still pay',
  'not-paid': 'A payment does not pay its order',
  'undone-later': 'Some seconds later, a paid order is no longer paid',
  'not-kept': 'A paid order does not stay paid',
  'set-back': 'A paid order gets an earlier state again',
  'changed-after-cancel': 'A repeated cancel acts again',
  'taken-back': 'The fulfillment of a paid order is undone',
  'not-fulfilled': 'A paid order is not fulfilled',
  'unasked-refund': 'Your app refunds a payment, although nobody asked for it',
  'payment-forgotten': 'A second payment is neither refunded nor recorded',
  'wrong-record': 'A payment is recorded wrongly',
  'refund-amount': 'A refund has a wrong amount',
  'wrong-refund': 'A refund is requested or recorded wrongly',
  'refund-call-refused': 'A refund is requested, and the service refuses it',
  'refund-repeated': 'A refund is requested several times',
  'refund-forgotten': 'A refund whose answer is lost is never recorded',
  'changed-after-refund': 'A refunded order changes',
  'cancelled-by-other': 'The cancel of one order changes another one',
  'cancelled-by-forgery': 'A forged cancel changes an order',
  'wrong-link': 'A link does not fit its order',
  'not-cancelled': 'A cancel does not cancel the order',
  'unasked-link': 'The app creates payment links that nobody asked for',
  'webhook-loop': 'The app asks for the same webhook again and again',
  'not-accepted': 'A webhook is not accepted',
  'webhook-waits': 'A webhook gets no answer while your app waits for the service',
  'not-refused': 'Your app fails when it gets a webhook that it may refuse',
  'redirect-loop': 'The page that customers return to redirects in a circle',
  'page-fails': 'The page that customers return to fails',
  'stale-page': 'The page that customers return to shows an old state of the order',
  'no-refund': 'The app requests no refund',
  'order-refused': 'An order gets no payment link, although similar orders got one',
  'unknown-state': 'The state of an order cannot be read',
} as const satisfies Readonly<Record<string, string>>

export type ReceiverProblem = keyof typeof receiverProblems

/** The failed cases that found one problem. */
export interface ProblemCases<Problem extends string> {
  readonly problem: Problem
  readonly title: string
  readonly cases: readonly string[]
}

/** A mistake in an app, with the failed cases that found it. */
export interface Mistake<Problem extends string> {
  /** In words about a shop. */
  readonly title: string
  /** What the mistake leads to. */
  readonly problem: Problem
  /** The name of the case that explains the mistake best. */
  readonly case: string
  /** What the app responded to the last webhook of this case. `null` if the case already says it, or if there was no webhook. */
  readonly answer: string | null
  readonly remedy: string
  /** The names of the other failed cases that found it. */
  readonly others: readonly string[]
  /** Whether the other cases certainly failed for the same reason. */
  readonly isSameCause: boolean
}

/** A fact that explains why a case failed. It names the mistake better than the case. */
export interface Fact {
  /** The mistake, in words about a shop. */
  readonly title: string
  readonly remedy: string
}

/** A case's result in the receiver check. */
export interface CheckResult extends CaseResult {
  /** `null` unless the case failed. */
  readonly problem: ReceiverProblem | null
  /** The earlier case that failed for the same reason. `null` if there is none. */
  readonly sameAs: string | null
  /**
   * Whether the case failed only because of a good webhook for a different order, which was sent after the webhooks of the case.
   */
  readonly isOtherOrder?: true
  /** The response that failed the case, or the last response to one of its webhooks. `null` without a response. */
  readonly exchange: Exchange | null
  /** A command that sends the request again. `null` if the case needs several requests. */
  readonly repeat: string | null
}

export interface CheckReport {
  readonly receiver: string
  /** The account that the app uses. `null` if the check created the links itself. */
  readonly accountId: string | null
  /** What the check could see: only the responses, the state of orders as well, or also how often each order was fulfilled. */
  readonly checked: 'answers' | 'orders' | 'fulfilments'
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** A common cause of several failures, and what to do about it. `null` if none is known. */
  readonly advice: string | null
  /** What was not checked, and the option that would check it. */
  readonly notChecked: readonly string[]
  /** Why the check took long: the app answers slowly, or limits the number of orders. */
  readonly delays: readonly string[]
  /** What the mistakes lead to, each with the cases that found it. */
  readonly problems: readonly ProblemCases<ReceiverProblem>[]
  /** What is wrong with the app, the most expensive mistake first. */
  readonly mistakes: readonly Mistake<ReceiverProblem>[]
  readonly results: readonly CheckResult[]
}

/** How a check finds out whether an order is paid. */
export interface StateOptions extends CheckOptionValues<typeof sharedOptions> {
  /** Returns whether an order is paid. Without this function and without `stateUrl`, only responses are checked. */
  readonly orderState?: ((order: CheckedOrder) => OrderState | Promise<OrderState>) | undefined
}

/** How a receiver is checked. */
export interface CheckOptions
  extends
    StateOptions,
    CheckOptionValues<typeof receiverOptions>,
    CheckOptionValues<typeof localReceiverOptions> {
  /** Creates an order in the app. May return the pay link of the order, or the id of the link. */
  readonly createOrder?: (() => unknown) | undefined
  /** Called with each result as soon as it is known. */
  readonly onResult?: ((result: CheckResult) => void) | undefined
}

/** An order of a check, with its payment link. */
export interface CheckedOrder {
  /** The name of the order, chosen by the check. Missing if the app did not create the order. */
  readonly order?: string | undefined
  readonly id: number
  readonly payId: number
  readonly linkId: string
  readonly payLink?: string
  readonly accountId: string
  /** In euros. */
  readonly amount: number
  readonly note: string
  /** Empty if the link has none. */
  readonly callbackUrl: string
  /** If set, a map sends the browser to this address instead. */
  readonly callbackMappedTo?: string | undefined
  /** The `payment_endpoint` as requested. Empty if the link has none. */
  readonly paymentEndpoint: string
  readonly targets: readonly { readonly url: string }[]
  /** What the recipients of a split link get, in euros. */
  readonly payout?: { readonly recipients: readonly { readonly amount: number }[] }
}

/** Whether an order is paid, and how often it was fulfilled, if the app shows that. */
export interface OrderState {
  readonly paid: boolean
  readonly times?: number | undefined
}

/** One POST of the receiver check, with its response. */
export interface Probe {
  /** `null` without a response. */
  readonly status: number | null
  /** Why there is no response. `null` if there is one. */
  readonly error: string | null
  readonly errorCode?: AttemptErrorCode
  readonly ms: number
  readonly exchange: Exchange
  /** Findings about the response. */
  readonly findings: readonly Diagnostic[]
}
