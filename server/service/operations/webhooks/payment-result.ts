import type { AssumptionName } from '../../../domain/behaviors/open-points.ts'
import type { Link } from '../../../domain/links/link.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import type { NotificationPlan } from '../../../domain/webhooks/notification-plan.ts'

/** The result of a customer's action: the changed link, and its notifications. */
export interface PaymentResult extends Notifications {
  readonly link: Link
  /** The assumptions that the result depends on. */
  readonly assumed: readonly AssumptionName[]
}

export interface Notifications {
  readonly redirect: RedirectResult
  /** The webhooks of the outcome, one for each target. */
  readonly deliveries: readonly Delivery[]
  /** The notifications that must wait. `null` if everything was sent at once. */
  readonly plan: NotificationPlan | null
}

/** Where the browser is sent. `null` if there is no callback URL, `lost` if the browser is closed. */
export type RedirectResult = RedirectTarget | 'lost' | null

interface RedirectTarget {
  readonly location: string
  /** The original address, if a map replaced it. */
  readonly mappedFrom?: string
}
