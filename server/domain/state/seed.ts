import type { Account, Billing } from '../accounts/account.ts'
import type { BehaviorChoices } from '../behaviors/behavior.ts'
import type { ClockMode } from '../time/clock.ts'
import type { DisputeState, Link, LinkStatus, PaymentMethod } from '../links/link.ts'
import type { Cents } from '../money/cents.ts'
import type { RefundState } from '../links/refund.ts'
import type { Target } from '../links/targets.ts'
import type { Instant } from '../time/berlin-time.ts'

/** A seed with amounts in cents, as operations load it. Missing values get defaults. */
export interface Seed {
  readonly accounts: readonly SeedAccount[]
  readonly links: readonly SeedLink[]
  readonly invoices: readonly SeedInvoice[]
  /** The behaviors for accounts that do not set their own. */
  readonly behaviors: BehaviorChoices
  readonly clock?: SeedClock | undefined
}

type Optional<Shape> = { readonly [Key in keyof Shape]?: Shape[Key] | undefined }

export interface SeedAccount extends Optional<Omit<Account, 'name' | 'billing'>> {
  readonly name: string
  readonly billing?: Optional<Billing> | undefined
  readonly behaviors?: BehaviorChoices | undefined
}

export interface SeedLink extends Optional<
  Pick<
    Link,
    | 'id'
    | 'payId'
    | 'kind'
    | 'splitType'
    | 'note'
    | 'cancellable'
    | 'isQrLink'
    | 'bankTransfer'
    | 'bankStatementDescription'
    | 'serviceFee'
    | 'callbackUrl'
    | 'paymentEndpoint'
    | 'createdAt'
  >
> {
  /** The name or id of its owner. */
  readonly account: string
  readonly amount: Cents
  readonly recipients: readonly SeedRecipient[]
  /** The targets of the link, if `paymentEndpoint` would resolve to different ones with the account's current lists. */
  readonly targets?: readonly Target[] | undefined
  readonly status: LinkStatus
  readonly paidBy?: PaymentMethod | undefined
  readonly paidAt?: Instant | undefined
  readonly dispute?: DisputeState | undefined
  readonly refund?: SeedRefund | undefined
}

/** A recipient: the name of an account, its token, or both. A link keeps the token that it was created with. */
export interface SeedRecipient {
  readonly account?: string | undefined
  readonly token?: string | undefined
  readonly share: number
}

export interface SeedRefund {
  /** Default: the whole amount. */
  readonly amount?: Cents | undefined
  readonly full?: boolean | undefined
  readonly state: RefundState
  readonly requestedAt?: Instant | undefined
  readonly decidedAt?: Instant | undefined
}

export interface SeedInvoice {
  /** The name or the id of the billed account. */
  readonly account: string
  readonly serviceMonth: string
  readonly platformFee: Cents
  readonly pspFee: Cents
  readonly vat?: Cents | undefined
  readonly sfId?: string | undefined
  readonly invoiceId?: string | undefined
  readonly invoiceDate?: string | undefined
  readonly createdAt?: Instant | undefined
  /** The address on the invoice, if the account's address has changed since. */
  readonly billing?: Optional<Omit<Billing, 'reverseCharge'>> | undefined
}

/** The time of the clock, or its offset from the system clock. */
export interface SeedClock {
  readonly now?: Instant | undefined
  readonly mode: ClockMode
  readonly offsetMs?: number | undefined
}
