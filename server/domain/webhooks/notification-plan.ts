import type { EventOrder } from './payment-events.ts'
import type { PlannedRedirect } from './redirect.ts'
import type { PaymentOutcome } from './webhook.ts'

/** Notifications that are sent at once. */
export interface PlanStep {
  /** Whether the browser is redirected to the shop. */
  readonly redirect?: true
  /** The status with which the sandbox opens the shop's page, as a browser would. */
  readonly page?: PaymentOutcome
  /** The ids of the planned deliveries that are started. */
  readonly webhooks?: readonly number[]
}

/** Notifications of an outcome that must wait. The plan is stored together with the outcome, and removed with its last step. */
export interface NotificationPlan {
  readonly id: string
  readonly linkId: number
  /** The steps that are left. A step begins once the webhooks of the steps before it have settled. */
  readonly steps: readonly PlanStep[]
  /** Whether the next step waits until the response to the browser is sent, or its connection is closed. */
  readonly awaitsResponse: boolean
  /** `null` if there is no callback URL, or if the page redirects its browser itself. */
  readonly redirect: PlannedRedirect | null
  /** The events that are planned once a refund is approved. */
  readonly afterRefund: EventOrder
}

/** Whether steps are left, and none of them waits for a browser. */
export const isUnderWay = ({
  steps,
  awaitsResponse,
}: Pick<NotificationPlan, 'steps' | 'awaitsResponse'>): boolean => steps.length > 0 && !awaitsResponse

/** Whether nothing is left. */
export const isOver = ({ steps, afterRefund }: Pick<NotificationPlan, 'steps' | 'afterRefund'>): boolean =>
  steps.length === 0 && afterRefund.length === 0

/** Whether only the customer's browser can follow the redirect of a step. */
export const isForBrowser = ({ redirect, page }: PlanStep): boolean => redirect === true && page === undefined
