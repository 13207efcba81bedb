import type { BehaviorSettings } from '../behaviors/behavior.ts'
import { encodeLinkId, linkQuery } from './link-id.ts'
import { sum, type Cents } from '../money/cents.ts'
import type { SplitType } from '../money/split.ts'
import type { Target } from './targets.ts'
import type { Instant } from '../time/berlin-time.ts'

export type LinkStatus = 'unused' | 'awaiting-transfer' | 'paid' | 'cancelled' | 'deleted'

export type PaymentMethod = 'card' | 'bank-transfer'

/** `won` and `lost` describe the customer's result. A won dispute returned the money, so nothing is left to refund. */
export type DisputeState = 'open' | 'won' | 'lost'

/** Whether a dispute prevents requesting or approving a refund. */
export const blocksRefund = (
  dispute: DisputeState | null,
  wonDispute: BehaviorSettings['wonDispute'],
): boolean => dispute === 'open' || (dispute === 'won' && wonDispute === 'blocks')

/** Whether the cancellation of a link sends webhooks. */
export const sendsCancelWebhook = (
  { targets }: Pick<Link, 'targets'>,
  choice: BehaviorSettings['cancelWebhook'],
): boolean => choice === 'send' || (choice === 'own-endpoint' && targets.length > 0)

/** One recipient of a split, with the requested share and the resulting amount. */
export interface Recipient {
  readonly accountId: string
  readonly token: string
  /** Percent or euros, as requested. */
  readonly share: number
  readonly amount: Cents
}

export interface Link {
  readonly id: number
  /** The `linktopay_id`. */
  readonly payId: number
  readonly accountId: string
  readonly amount: Cents
  readonly note: string
  readonly status: LinkStatus
  readonly kind: 'split' | 'basic'
  readonly splitType: SplitType
  readonly recipients: readonly Recipient[]
  readonly cancellable: boolean
  readonly isQrLink: boolean
  readonly bankTransfer: boolean
  readonly bankStatementDescription: string
  readonly serviceFee: string
  /** Where the customer is sent after the outcome. If empty, the default result page is shown. */
  readonly callbackUrl: string
  /** `payment_endpoint` as requested. If empty, the account's default applies. */
  readonly paymentEndpoint: string
  /** The URLs to which `paymentEndpoint` resolved when the link was created. */
  readonly targets: readonly Target[]
  readonly paidBy: PaymentMethod | null
  readonly paidAt: Instant | null
  readonly dispute: DisputeState | null
  readonly createdAt: Instant
}

/** The share of the link's owner: the amount minus the shares of the recipients. */
export const ownerPayout = (link: Pick<Link, 'amount' | 'recipients'>): Cents =>
  link.amount - sum(link.recipients.map(({ amount }) => amount))

/** The address that a customer opens to pay. */
export const payLinkUrl = (payId: number, baseUrl: string): string => `${baseUrl}/payment?${linkQuery(payId)}`

/** The QR code of the pay link, a PNG of 300 by 300 pixels. */
export const qrImageUrl = (payId: number, baseUrl: string): string =>
  `${baseUrl}/qr/${encodeURIComponent(encodeLinkId(payId))}.png`
