import type { AssumptionName } from '../../../domain/behaviors/open-points.ts'
import type { Link } from '../../../domain/links/link.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import type { EventOrder } from '../../../domain/webhooks/payment-events.ts'
import type { BrowserRedirect } from '../../../domain/webhooks/redirect.ts'

/** The result of a customer's choice: the changed link, the redirect and the webhooks. */
export interface PaymentResult {
  readonly link: Link
  /** Where the browser is sent. `null` if the link has no callback URL or the browser was closed. */
  readonly redirect: RedirectTarget | null
  /** Where a browser that was closed would have been sent. */
  readonly lost: RedirectTarget | null
  readonly deliveries: readonly Delivery[]
  /** Whether the redirect or the webhooks come first. `null` if neither waits for the other. */
  readonly order: Delivery['order']
  /** The events that `interleave` lists, and the redirect among them. `null`: the behavior is `none`. */
  readonly inTurn: InTurn | null
  /** The assumptions that the result depends on. */
  readonly assumed: readonly AssumptionName[]
}

/** The notifications of a payment in the order that the behavior `interleave` lists. */
interface InTurn {
  readonly events: EventOrder
  readonly planned: PlannedRedirect | null
}

export interface RedirectTarget {
  readonly location: string
  /** The address before a map replaced it. */
  readonly mappedFrom?: string
}

/** A redirect before maps are applied, and whether the browser is closed before it. */
export interface PlannedRedirect {
  readonly redirect: BrowserRedirect
  readonly isLost: boolean
}

/** The customer's browser follows the redirect, or is closed before it. */
export type Browser = 'returns' | 'closes'
