import type { PaymentOutcome } from '../../domain/webhooks/webhook.ts'

export type Encoding = 'form' | 'json'

/** How a webhook of a case differs from a plain `Success` for the order of the case. */
export interface WebhookVariant {
  /** By default the encoding that the receiver accepts. */
  readonly encoding?: Encoding
  readonly brackets?: 'literal'
  readonly charset?: 'utf-8'
  readonly amount?: 'two-decimals' | 'forged'
  readonly payId?: 'unknown'
  readonly note?: 'unknown'
  readonly user?: 'forged'
  readonly status?: string
  readonly extraFields?: true
  readonly omit?: 'pay_id' | 'amount' | 'status'
  /** Replaces the whole body. */
  readonly body?: string
  /** How long the body takes to send, in milliseconds. */
  readonly slowMs?: number
  /** How many copies are sent at once. */
  readonly copies?: number
  /** Sends the webhook to the receiver, not to the targets that the order's link names. */
  readonly to?: 'receiver'
  /** Sends it to one target after another, to the last one first. By default all targets get it at once. */
  readonly oneByOne?: true
}

export type Step =
  /** `answer` replaces that of the case. */
  | { readonly send: WebhookVariant; readonly answer?: CheckCase['answer'] }
  /** The customer returns to the shop with a status. With `send`, a webhook arrives meanwhile. */
  | { readonly browser: PaymentOutcome; readonly send?: WebhookVariant }
  /** The customer pays the link, and the sandbox sends the webhook itself. */
  | { readonly pay: 'sandbox' }
  /** The API is asked to send the webhook of the payment again, and the sandbox sends it. */
  | { readonly resend: 'sandbox' }
  /** The app requests a refund, and the operator approves it. The state of the order must not change afterwards. */
  | { readonly refund: 'app' }
  /** The customer's bank opens a dispute about the payment. */
  | { readonly dispute: 'open' }
  /** The clock of the sandbox is moved forward, and back at the end of the case. */
  | { readonly advance: 'hour' }
  /** The app is killed, and starts again. */
  | { readonly restart: 'app' }
  /** Fails the case if the order is in another state. Does nothing if the state of orders is not known. */
  | { readonly expect: 'unpaid' | 'paid-once' }
  /** Waits until the order is paid. Does nothing if the state of orders is not known. */
  | { readonly until: 'paid' }

/** One test case for a webhook receiver. */
export interface CheckCase {
  readonly name: string
  readonly group: string
  /** What is sent. */
  readonly title: string
  /** Why it matters. */
  readonly why: string
  /** The order that the check creates for the case. An app that makes its own orders chooses other values. */
  readonly wantedOrder?: { readonly amount?: number; readonly note?: string }
  readonly steps: readonly Step[]
  /** `accepted` requires a 2xx answer. `tolerated` allows any answer but a server error. */
  readonly answer: 'accepted' | 'tolerated'
  /**
   * The state of the order after the steps. `paid-once`: a further webhook must not fulfil it again. `unchanged`: as after
   * the refund. Left out if the state proves nothing.
   */
  readonly finalOrder?: 'paid' | 'paid-once' | 'unpaid' | 'unchanged'
  /** If the case passes, the receiver accepts good webhooks in this encoding. */
  readonly provesEncoding?: Encoding
  /**
   * The first webhook arrives while the app waits for the answer that contains the link. If the app does not accept it, it
   * arrives again afterwards.
   */
  readonly isBeforeLink?: true
  /** Gives the links of the account a `pay_id` that differs from their `id`. */
  readonly payIds?: 'distinct'
}
