import type { AssumptionName } from '../../domain/behaviors/open-points.ts'
import type { NotificationPlan } from '../../domain/webhooks/notification-plan.ts'
import type { PaymentResult } from '../operations/webhooks/payment-result.ts'
import { checkoutPath, resultPath } from './paths.ts'
import type { RenderedPage } from './pages/pages.tsx'

export type PageOrRedirect = RenderedPage | ShopRedirect

export interface ShopRedirect {
  readonly location: string
  readonly status: 302 | 303
  readonly assumed: readonly AssumptionName[]
  /** Set if the redirect and the webhooks must be sent in a fixed sequence. */
  readonly plan: NotificationPlan | null
  /** Where the browser goes if its redirect to the shop no longer exists after the wait. */
  readonly otherwise?: string
}

/** Redirects to a page that can be reloaded without repeating the action. */
export const redirectTo = (path: string): ShopRedirect => ({
  location: path,
  status: 303,
  assumed: [],
  plan: null,
})

/**
 * Redirects to the shop. Without a callback URL, redirects to the sandbox's own page. If the redirect is lost, redirects to the
 * page of a closed browser.
 */
export const redirectToShop = (
  { link, redirect, plan, assumed }: Pick<PaymentResult, 'link' | 'redirect' | 'plan' | 'assumed'>,
  page: 'success' | 'cancelled',
): ShopRedirect =>
  redirect === null || redirect === 'lost'
    ? { location: resultPath(link, redirect === 'lost' ? 'closed' : page), status: 303, assumed, plan }
    : { location: redirect.location, status: 302, assumed, plan, otherwise: checkoutPath(link) }
