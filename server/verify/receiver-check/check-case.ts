import type { PaymentOutcome } from '../../domain/webhooks/webhook.ts'
import type { CaseTools } from './case-tools.ts'
import type { Encoding, ExpectedAnswer, FinalOrder, WebhookVariant } from '../app/webhooks/webhook-variant.ts'

export type CaseStep =
  /** `answer` overrides the expected response of the case. `isIfRead` leaves the step out if the app does not accept the encoding. */
  | { readonly send: WebhookVariant; readonly answer?: ExpectedAnswer; readonly isIfRead?: true }
  /** The customer returns to the shop, with or without a status. With `send`, a webhook arrives at the same time. */
  | {
      readonly browser: PaymentOutcome | 'none'
      readonly send?: WebhookVariant
      /** Whether several tabs load the page at once. */
      readonly isOpenedOften?: true
    }
  /** A GET with the fields of a `Success` is sent to the address of the webhook. */
  | { readonly get: 'webhook' }
  /** Two different webhooks arrive at the same moment. */
  | { readonly together: readonly [WebhookVariant, WebhookVariant] }
  /** The customer pays the link, and the sandbox sends the webhook itself. */
  | { readonly pay: 'sandbox' }
  /** Like `sandbox`. If the link cannot be paid in this way, only sends a webhook. */
  | { readonly pay: 'if possible' }
  /** `sendWebhookViaPayId` is called, and the sandbox sends the webhook of the payment again. */
  | { readonly resend: 'sandbox' }
  /** The app requests a refund, and the operator approves it. Afterwards, the state of the order must not change. */
  | { readonly refund: 'app' }
  /** The app is killed, and starts again. */
  | { readonly restart: 'app' }
  /** Fails the case if the order has a different state. Does nothing if states cannot be read. */
  | { readonly expect: 'unpaid' | 'paid-once' }
  /** Waits until the order is paid. Does nothing if states cannot be read. */
  | { readonly until: 'paid' }

export interface CheckCase {
  readonly name: string
  /** The name in notes and in the journal, if the name itself is too long for them. */
  readonly shortName?: string
  readonly group: string
  readonly title: string
  readonly why: string
  /** The order that the check creates for the case. If the app creates its orders itself, it may choose other values. */
  readonly wantedOrder?: { readonly amount?: number; readonly note?: string }
  readonly steps?: readonly CaseStep[]
  /** Runs instead of the steps. Throws `CaseFailure` if something is wrong. */
  readonly run?: (tools: CaseTools) => Promise<void>
  /**
   * What `run` needs in addition to states: for example, that the customer can order the same again, that the app can refund,
   * or that the app creates the orders.
   */
  readonly needs?: readonly (
    | 'state'
    | 'again'
    | 'refund'
    | 'partial-refund'
    | 'notes'
    | 'amounts'
    | 'account'
  )[]
  /** Runs the case once for each of these changes, with a new order each time. */
  readonly variants?: readonly { readonly amount?: number; readonly send?: WebhookVariant }[]
  /** How many times the case runs, with a new order each time, because a race does not occur every time. */
  readonly times?: number
  /** True if the case also runs with `quick`, because it finds more mistakes than others. */
  readonly isQuick?: true
  /**
   * True if the case sends what no app can read or assign to an order, or breaks a connection. It runs before the others, and alone, so that nothing else explains
   * why orders of other customers fail afterwards.
   */
  readonly isGarbage?: true
  /** True if the case takes so long that it begins before the others, so that none of them waits for it at the end. */
  readonly isLong?: true
  /** True if nothing else may happen in the account during the case. */
  readonly isAlone?: true
  /** True if the case examines the orders of the other cases. */
  readonly isLast?: true
  /** True if the app may refund the payment instead of paying the order, because the payment came too late. */
  readonly orRefunded?: true
  /** The expected answer to each webhook. `accepted` if missing. */
  readonly answer?: ExpectedAnswer
  /** The state of the order after the steps. Missing if the state proves nothing. */
  readonly finalOrder?: FinalOrder | undefined
  /** If the case passes, it is proved that the receiver accepts good webhooks in this encoding. */
  readonly provesEncoding?: Encoding
  /**
   * True if the first webhook arrives while the app is still waiting for the response that contains the link. If the app does not
   * accept it, it is sent again afterwards.
   */
  readonly isBeforeLink?: true
  /** Gives the links of the account a `pay_id` that differs from their `id`. */
  readonly payIds?: 'distinct'
}
