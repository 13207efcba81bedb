import type { AssumptionName } from '../domain/behaviors/behavior.ts'
import type { PaymentResult } from '../operations/webhooks/payment-result.ts'
import type { InOrder } from './notification-order.ts'
import { resultPath } from './paths.ts'
import type { Shown } from './pages/pages.tsx'

/** What a browser gets: a page, or an address to go on to. */
export type PageOrRedirect = Shown | GoTo

export interface GoTo {
  readonly goTo: string
  readonly status: 302 | 303
  readonly assumed: readonly AssumptionName[]
  /** The notifications, where one of them waits for the other. */
  readonly inOrder?: InOrder | undefined
}

/** Leads on to a page that can be loaded again without doing anything again. */
export const redirectTo = (path: string): GoTo => ({ goTo: path, status: 303, assumed: [] })

/** To the shop where it said where, else to the default page. A browser that does not get there is as good as closed. */
export const goBack = (
  { link, redirect, lost, assumed }: Pick<PaymentResult, 'link' | 'redirect' | 'lost' | 'assumed'>,
  page: 'success' | 'cancelled',
  inOrder?: InOrder,
): GoTo =>
  redirect
    ? { goTo: redirect.location, status: 302, assumed, inOrder }
    : { goTo: resultPath(link, lost ? 'closed' : page), status: 303, assumed }
