import type { BehaviorName } from '../../../server/domain/behaviors/open-points.ts'
import type { FaultPoint } from '../../../server/domain/faults/fault.ts'
import type { Screen } from '../../browser/screens.ts'

/** A failure as in production, and how to cause it here. */
export interface FailureScenario {
  readonly name: string
  /** What happens, and what an app must do. */
  readonly description: string
  readonly instructions: string
  /** The screen with the instructions, if no fault causes the failure. */
  readonly screen?: Screen
  readonly fault?: { readonly on: FaultPoint; readonly script: string }
  readonly behavior?: BehaviorName
  /** The timeline filter that finds the events of the scenario. */
  readonly query: string
}

export const failureScenarios: readonly FailureScenario[] = [
  {
    name: 'Card declined',
    description: 'The customer tries again or cancels. No webhook is sent.',
    instructions: 'Select a payment, then Decline card.',
    screen: 'payments',
    query: 'type:link.declined',
  },
  {
    name: 'Lost redirect',
    description: 'The browser never returns. Only the webhook reports the payment.',
    instructions: 'Select a payment, then Pay and close browser.',
    screen: 'payments',
    query: 'type:redirect.lost',
  },
  {
    name: 'Duplicate webhook',
    description: 'A payment is reported twice. Fulfill the order once.',
    instructions: 'Sends the next webhook twice. Replay and sendWebhookViaPayId repeat a webhook later.',
    fault: { on: 'webhook', script: 'duplicate' },
    query: 'kind:webhook is:replay -is:forged',
  },
  {
    name: 'Forged webhook',
    description: 'Webhooks are not signed. Check the amount, the account and the payment.',
    instructions: 'Select a payment, then Forge a webhook. Or select a webhook, then Edit and replay.',
    screen: 'payments',
    query: 'is:forged',
  },
  {
    name: 'Lost webhook',
    description: 'The webhook never arrives. If an order stays open, call sendWebhookViaPayId.',
    instructions: 'Drops the next webhook.',
    fault: { on: 'webhook', script: 'drop' },
    query: 'fault:drop',
  },
  {
    name: 'Webhooks out of sequence',
    description: 'A later event is reported first. Keep the order in its later state.',
    instructions: 'Sends the next webhook only after the webhook that follows it.',
    fault: { on: 'webhook', script: 'reorder' },
    query: 'type:delivery.delayed',
  },
  {
    name: 'Forged redirect',
    description: 'The customer cancels and returns with status Success. Ship nothing.',
    instructions: 'Sets status Success in the next redirect.',
    fault: { on: 'redirect', script: 'status:Success' },
    query: 'fault:status',
  },
  {
    name: 'Lost API response',
    description: 'The link was created, but no response arrived. Trying again creates a second link.',
    instructions: 'Executes the next call and resets its connection.',
    fault: { on: 'api', script: 'reset' },
    query: 'fault:reset',
  },
  {
    name: 'Service unavailable',
    description: 'The response is an error page, not JSON. Ask the customer to try again.',
    instructions: 'Answers the next three calls with HTTP 503.',
    fault: { on: 'api', script: '503,503,503' },
    query: 'kind:api status:5xx',
  },
  {
    name: 'Failed webhook',
    description:
      'Your endpoint was down or returned an error. Ask for missed webhooks with sendWebhookViaPayId.',
    instructions: 'Stop your receiver, or make it return 500. Then pay.',
    screen: 'payments',
    query: 'kind:webhook is:failed,retried',
  },
  {
    name: 'Rejected bank transfer',
    description: 'A bank transfer is rejected later. The link can be paid again.',
    instructions: 'Pay by bank transfer, then reject it.',
    screen: 'payments',
    query: 'type:bank_transfer.rejected',
  },
  {
    name: 'Rejected call',
    description: 'The answer has ResponseCode 0, possibly with HTTP 200.',
    instructions: 'Send an invalid call, or set errorStatus to http.',
    screen: 'sandbox',
    behavior: 'errorStatus',
    query: 'kind:api is:failed',
  },
  {
    name: 'Too many calls',
    description: 'HTTP 429 with Retry-After. Repeat the call later.',
    instructions: 'Set a limit for rateLimit.',
    screen: 'sandbox',
    behavior: 'rateLimit',
    query: 'status:429',
  },
  {
    name: 'Cancelled without a webhook',
    description: 'Nothing reports the cancellation. Expire open orders after some time.',
    instructions: 'Set cancelWebhook to skip, then cancel a payment.',
    screen: 'sandbox',
    behavior: 'cancelWebhook',
    query: 'type:link.cancelled',
  },
]
