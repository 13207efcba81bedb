import type { EventOrder } from './payment-events.ts'
import type { PlannedRedirect } from './redirect.ts'
import type { PaymentOutcome } from './webhook.ts'

/** Notifications of a plan that are sent at the same time. */
export interface PlanStep {
  /** True if the browser is redirected to the shop. */
  readonly redirect?: true
  /** The status in the address of the shop's page, if the sandbox opens this page itself, as a browser would. */
  readonly page?: PaymentOutcome
  /** The ids of the planned deliveries that this step starts. */
  readonly webhooks?: readonly number[]
}

/**
 * Notifications of an outcome that are not sent at once. The plan is stored together with the outcome, and removed after its
 * last step.
 */
export interface NotificationPlan {
  readonly id: string
  readonly linkId: number
  /** The remaining steps. A step begins when the webhooks of the previous steps have settled. */
  readonly steps: readonly PlanStep[]
  /** Whether the next step waits until the browser has received its response or closed the connection. */
  readonly awaitsResponse: boolean
  /** `null` if there is no callback URL, or if the checkout page redirects the browser. */
  readonly redirect: PlannedRedirect | null
  /** The events that are planned when a refund is approved. */
  readonly afterRefund: EventOrder
}

/** Whether there are steps left, and the next one does not wait for a browser. */
export const isUnderway = ({
  steps,
  awaitsResponse,
}: Pick<NotificationPlan, 'steps' | 'awaitsResponse'>): boolean => steps.length > 0 && !awaitsResponse

/** Whether nothing is left to do. */
export const isOver = ({ steps, afterRefund }: Pick<NotificationPlan, 'steps' | 'afterRefund'>): boolean =>
  steps.length === 0 && afterRefund.length === 0

/** Whether the redirect of a step needs the customer's browser. */
export const isForBrowser = ({ redirect, page }: PlanStep): boolean => redirect === true && page === undefined
