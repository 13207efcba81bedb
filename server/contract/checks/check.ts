import type { AttemptErrorCode } from '../../domain/webhooks/delivery-values.ts'
import type { Exchange } from '../../domain/http/exchange.ts'
import type { Diagnostic } from '../../domain/diagnostics/diagnostic.ts'

/** The result of one case of any check. */
export interface CaseResult {
  readonly name: string
  readonly group: string
  /** What was sent. */
  readonly title: string
  /** Why the case matters. */
  readonly why: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  readonly expected: string
  /** What the check observed, or why the case was skipped. */
  readonly seen: string
}

/** What can be wrong with a receiver, for people. A failed case names one of them. What costs most comes first. */
export const receiverProblems = {
  'paid-without-payment': 'An order becomes paid without a valid payment',
  'fulfilled-without-payment': 'An order is fulfilled without a valid payment',
  'fulfilled-again': 'An order is fulfilled more than once',
  'not-paid': 'A payment does not pay its order',
  'not-kept': 'A paid order does not stay paid',
  'not-fulfilled': 'A paid order is not fulfilled',
  'payment-forgotten': 'A second payment is neither refunded nor noted',
  'wrong-refund': 'A refund is requested or recorded wrongly',
  'changed-after-refund': 'A refunded order changes',
  'changed-after-cancel': 'A repeated cancel acts again',
  'not-cancelled': 'A cancel does not cancel the order',
  'unasked-link': 'The app creates payment links that nobody asked for',
  'not-accepted': 'A webhook is not accepted',
  unreachable: 'The receiver stops answering',
  'not-refused': 'A webhook that may be refused makes the receiver fail',
  'page-fails': 'The page that customers return to fails',
  'no-refund': 'The app requests no refund',
  'order-refused': 'The app refuses orders that it took before',
  'unknown-state': 'The state of an order cannot be read',
} as const satisfies Readonly<Record<string, string>>

export type ReceiverProblem = keyof typeof receiverProblems

/** The failed cases that found one problem. */
export interface ProblemCases<Problem extends string> {
  readonly problem: Problem
  readonly title: string
  readonly cases: readonly string[]
}

/** The result of one case of the receiver check. */
export interface CheckResult extends CaseResult {
  /** `null`: the case has not failed. */
  readonly problem: ReceiverProblem | null
  /** The earlier case that failed for the same cause. `null`: none, or unknown. */
  readonly sameAs: string | null
  /** The response on which the verdict is based. `null`: it is based on the order's state. */
  readonly exchange: Exchange | null
  /** A command that repeats the request. `null`: the case needs more than one request. */
  readonly repeat: string | null
}

export interface CheckReport {
  readonly receiver: string
  /** The account that the app uses. `null`: the check created the links itself. */
  readonly accountId: string | null
  /**
   * What the check could judge: responses only, also the state of orders, or also how often each order was
   * fulfilled.
   */
  readonly judged: 'answers' | 'orders' | 'fulfilments'
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The common cause of several failures, and what to do. `null`: no known common cause. */
  readonly advice: string | null
  /** What was not judged, and which option changes that. */
  readonly notJudged: readonly string[]
  /** The problems that were found, with the cases that found them. */
  readonly problems: readonly ProblemCases<ReceiverProblem>[]
  readonly results: readonly CheckResult[]
}

/** How a check reads whether an order is paid. Without any of these, only responses are checked. */
export interface StateOptions {
  /** Returns whether an order is paid. */
  readonly orderState?: ((order: CheckedOrder) => OrderState | Promise<OrderState>) | undefined
  /** The URL of an order's state in the app. Placeholders: `{order}`, `{note}`, `{payId}`, `{id}`, `{linkId}`, `{amount}`. */
  readonly stateUrl?: string | undefined
  /** The JSON Pointer (RFC 6901) of the state in that response: `/status`. */
  readonly statePointer?: string | undefined
  /** The state that means paid, or several with commas between them: `paid`. */
  readonly paidValue?: string | undefined
  /** The state that means cancelled. Left out if a cancel does not change the state. */
  readonly cancelledValue?: string | undefined
  /**
   * The JSON Pointer of the number of fulfilments in that response, or several with commas between them: `/parcels,/mails`. A
   * payment raises each of them by one.
   */
  readonly countPointer?: string | undefined
  /** The JSON Pointer of the amount that the app has received for the order, in euros. */
  readonly receivedPointer?: string | undefined
  /** The JSON Pointer of the amount that the app has refunded, in euros. */
  readonly refundedPointer?: string | undefined
}

/** How a check places orders in an app. */
export interface OrderOptions {
  /** The method with which an order is placed: `POST`. */
  readonly orderMethod?: string | undefined
  /** The page with the form of the order. `{form:name}` in the body is the value of its field `name`, such as a CSRF token. */
  readonly formUrl?: string | undefined
}

/** How a receiver is checked. */
export interface CheckOptions extends StateOptions, OrderOptions {
  /** Creates an order in the app. It may return the pay link of the order, or its id. */
  readonly createOrder?: (() => unknown) | undefined
  /**
   * The URL to which a POST makes the app request the refund of an order. Placeholders as in `stateUrl`, and
   * `{refundAmount}`, which lets the check choose the amount.
   */
  readonly refundUrl?: string | undefined
  /**
   * The command that starts the app. The check runs it, kills the app as soon as it has answered a webhook, and
   * runs the command again. Stop the app before the check.
   */
  readonly restart?: string | undefined
  /** The URL to which a POST creates an order in the app. Placeholders, also in the body: `{order}`, `{amount}`, `{note}`. */
  readonly orderUrl?: string | undefined
  /** The body of that POST: JSON, otherwise a form. */
  readonly orderBody?: string | undefined
  /**
   * Runs no cases, but every order of these events of one payment: `redirect`, `success`, `both`, `targets`, `duplicate`,
   * `resend`, `cancel`, `cancel-redirect`, `forged-cancel`, `refund`. `['all']` stands for `redirect`, two times `success`,
   * `cancel`, and with a refund URL `refund`. One text like `success → cancel` is one order.
   */
  readonly interleave?: readonly string[] | undefined
  /** Runs no cases, but so many random histories of up to three orders. The first that fails is shortened. */
  readonly histories?: number | undefined
  /** Chooses the random histories: 1. */
  readonly seed?: number | undefined
  /** Runs only these cases. */
  readonly only?: readonly string[] | undefined
  /** Runs only the cases that find most, and ends without a closing look. */
  readonly quick?: boolean | undefined
  /** Leaves these cases out, such as `json` for a receiver that deliberately reads forms only. */
  readonly skip?: readonly string[] | undefined
  /** How long the app may take to process a webhook, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number | undefined
  /** Called with every result as it arrives. */
  readonly onResult?: ((result: CheckResult) => void) | undefined
}

/** An order whose payment is tested, by its payment link. */
export interface CheckedOrder {
  /** The name that the check gave an order that the app made. */
  readonly order?: string | undefined
  readonly id: number
  readonly payId: number
  readonly linkId: string
  readonly accountId: string
  /** In euros. */
  readonly amount: number
  readonly note: string
  /** Empty: the link has none. */
  readonly callbackUrl: string
  /** The address that a map uses instead. */
  readonly callbackMappedTo?: string | undefined
  /** The original text. Empty: the link has none. */
  readonly paymentEndpoint: string
  readonly targets: readonly { readonly url: string }[]
}

/** Whether an order is paid, and how often it was fulfilled, if known. */
export interface OrderState {
  readonly paid: boolean
  readonly times?: number | undefined
}

/** One POST of the receiver check, with its result. */
export interface Probe {
  /** `null`: no response arrived. */
  readonly status: number | null
  /** Why no response arrived. */
  readonly error: string | null
  /** The kind of `error`. */
  readonly errorCode?: AttemptErrorCode
  readonly ms: number
  readonly exchange: Exchange
  /** Findings about the receiver, from its response. */
  readonly findings: readonly Diagnostic[]
}
