import type { AssumptionName } from '../../domain/behaviors/open-points.ts'
import type { PaymentResult } from '../operations/webhooks/payment-result.ts'
import type { OrderedNotifications } from './notification-order.ts'
import { resultPath } from './paths.ts'
import type { RenderedPage } from './pages/pages.tsx'

export type PageOrRedirect = RenderedPage | Redirect

export interface Redirect {
  readonly location: string
  readonly status: 302 | 303
  readonly assumed: readonly AssumptionName[]
  /** The notifications, if one waits for the other. */
  readonly ordered?: OrderedNotifications | undefined
  /** The payment, if the behavior `interleave` sends its notifications before the answer. */
  readonly paid?: PaymentResult
}

/** Redirects to a page that can be reloaded without repeating the action. */
export const redirectTo = (path: string): Redirect => ({ location: path, status: 303, assumed: [] })

/**
 * Redirects to the shop. Without a callback URL it redirects to the sandbox's own page, and for a lost redirect
 * to the page of a closed browser.
 */
export const redirectToShop = (
  { link, redirect, lost, assumed }: Pick<PaymentResult, 'link' | 'redirect' | 'lost' | 'assumed'>,
  page: 'success' | 'cancelled',
  ordered?: OrderedNotifications,
): Redirect =>
  redirect
    ? { location: redirect.location, status: 302, assumed, ordered }
    : { location: resultPath(link, lost ? 'closed' : page), status: 303, assumed }
