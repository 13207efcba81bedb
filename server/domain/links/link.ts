import type { BehaviorSettings } from '../behaviors/behavior.ts'
import { encodeLinkId, linkQuery } from './link-id.ts'
import { sum, type Cents } from '../money/cents.ts'
import type { SplitType } from '../money/split.ts'
import type { Target } from './targets.ts'
import type { Instant } from '../time/berlin-time.ts'

export const linkStatuses = ['unused', 'awaiting-transfer', 'paid', 'cancelled', 'deleted'] as const
export type LinkStatus = (typeof linkStatuses)[number]

export const linkKinds = ['split', 'basic'] as const

export const paymentMethods = ['card', 'bank-transfer'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** What the customer's browser does after a payment: return to the shop, or get closed before. */
export const browserActions = ['returns', 'closes'] as const
export type BrowserAction = (typeof browserActions)[number]

/**
 * `won` and `lost` are the result for the customer. If the customer won, the money was returned, so there is nothing to refund.
 */
export const disputeStates = ['open', 'won', 'lost'] as const
export type DisputeState = (typeof disputeStates)[number]

/** Whether a dispute prevents requesting or approving a refund. */
export const blocksRefund = (
  dispute: DisputeState | null,
  wonDispute: BehaviorSettings['wonDispute'],
): boolean => dispute === 'open' || (dispute === 'won' && wonDispute === 'blocks')

/** Whether webhooks are sent when a link is cancelled. */
export const sendsCancelWebhook = (
  { targets }: Pick<Link, 'targets'>,
  choice: BehaviorSettings['cancelWebhook'],
): boolean => choice === 'send' || (choice === 'own-endpoint' && targets.length > 0)

/** A recipient of a split, with the requested share and its amount. */
export interface Recipient {
  readonly accountId: string
  readonly token: string
  /** In percent or euros. */
  readonly share: number
  readonly amount: Cents
}

export interface Link {
  readonly id: number
  readonly payId: number
  readonly accountId: string
  readonly amount: Cents
  readonly note: string
  readonly status: LinkStatus
  readonly kind: (typeof linkKinds)[number]
  readonly splitType: SplitType
  readonly recipients: readonly Recipient[]
  readonly cancellable: boolean
  readonly isQrLink: boolean
  readonly bankTransfer: boolean
  readonly bankStatementDescription: string
  readonly serviceFee: string
  /** Where the customer returns after the payment. If empty, the default result page is shown. */
  readonly callbackUrl: string
  /** `payment_endpoint` as requested. If empty, the account's default applies. */
  readonly paymentEndpoint: string
  /** The URLs of `paymentEndpoint`, resolved when the link was created. */
  readonly targets: readonly Target[]
  readonly paidBy: PaymentMethod | null
  readonly paidAt: Instant | null
  readonly dispute: DisputeState | null
  readonly createdAt: Instant
}

/** A link that has no ids yet. */
export type DraftedLink = Omit<Link, 'id' | 'payId'>

/**
 * A new link. Fields that are left out get default values. Every field is written out, because every call creates a link, and in
 * V8 a spread copies fields much more slowly.
 */
export const draftLink = (
  owner: { readonly id: string; readonly serviceFee: string },
  {
    amount,
    note = '',
    status = 'unused',
    kind = 'basic',
    splitType = 'normal',
    recipients = [],
    cancellable = true,
    isQrLink = false,
    bankTransfer = false,
    bankStatementDescription = '',
    serviceFee = owner.serviceFee,
    callbackUrl = '',
    paymentEndpoint = '',
    targets = [],
    paidBy = null,
    paidAt = null,
    dispute = null,
    createdAt,
  }: Pick<Link, 'amount' | 'createdAt'> & Partial<Omit<DraftedLink, 'accountId'>>,
): DraftedLink => ({
  accountId: owner.id,
  amount,
  note,
  status,
  kind,
  splitType,
  recipients,
  cancellable,
  isQrLink,
  bankTransfer,
  bankStatementDescription,
  serviceFee,
  callbackUrl,
  paymentEndpoint,
  targets,
  paidBy,
  paidAt,
  dispute,
  createdAt,
})

/** The amount that the link's owner gets: the payment minus the amounts of the recipients. */
export const ownerPayout = (link: Pick<Link, 'amount' | 'recipients'>): Cents =>
  link.amount - sum(link.recipients.map(({ amount }) => amount))

/** The address that a customer opens to pay. */
export const payLinkUrl = (payId: number, baseUrl: string): string => `${baseUrl}/payment?${linkQuery(payId)}`

/** The QR code of the pay link, a PNG of 300 by 300 pixels. */
export const qrImageUrl = (payId: number, baseUrl: string): string =>
  `${baseUrl}/qr/${encodeURIComponent(encodeLinkId(payId))}.png`
