import type { AssumptionName } from '../domain/behaviors/behavior.ts'
import type { PaymentResult } from '../operations/webhooks/payment-result.ts'
import type { OrderedNotifications } from './notification-order.ts'
import { resultPath } from './paths.ts'
import type { RenderedPage } from './pages/pages.tsx'

/** What a browser gets: a page, or an address to go on to. */
export type PageOrRedirect = RenderedPage | Redirect

export interface Redirect {
  readonly location: string
  readonly status: 302 | 303
  readonly assumed: readonly AssumptionName[]
  /** The notifications, where one of them waits for the other. */
  readonly ordered?: OrderedNotifications | undefined
}

/** Leads on to a page that can be loaded again without doing anything again. */
export const redirectTo = (path: string): Redirect => ({ location: path, status: 303, assumed: [] })

/** To the shop where it said where, else to the default page. A browser that does not get there is as good as closed. */
export const redirectToShop = (
  { link, redirect, lost, assumed }: Pick<PaymentResult, 'link' | 'redirect' | 'lost' | 'assumed'>,
  page: 'success' | 'cancelled',
  ordered?: OrderedNotifications,
): Redirect =>
  redirect
    ? { location: redirect.location, status: 302, assumed, ordered }
    : { location: resultPath(link, lost ? 'closed' : page), status: 303, assumed }
