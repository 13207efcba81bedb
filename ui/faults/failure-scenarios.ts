import type { BehaviorName } from '../../server/domain/behaviors/behavior.ts'
import type { FaultPoint } from '../../server/domain/faults/fault.ts'
import type { Screen } from '../hash-route.ts'

/** Something that goes wrong in real life, and how to make it go wrong here. */
export interface FailureScenario {
  readonly name: string
  /** What the integrator's code has to get right. */
  readonly survive: string
  readonly make: string
  /** Where it is made, unless a fault makes it. */
  readonly screen?: Screen
  /** The fault that makes it. */
  readonly fault?: { readonly on: FaultPoint; readonly script: string }
  readonly behavior?: BehaviorName
  /** The filter of the timeline that finds where it happened. */
  readonly query: string
}

export const failureScenarios: readonly FailureScenario[] = [
  {
    name: 'Card declined',
    survive: 'The customer tries again or cancels. No webhook comes.',
    make: 'Select a payment, then Decline card.',
    screen: 'payments',
    query: 'type:link.declined',
  },
  {
    name: 'Lost redirect',
    survive: 'The browser never comes back. Only the webhook tells that the money is there.',
    make: 'Select a payment, then Pay and close browser.',
    screen: 'payments',
    query: 'type:redirect.lost',
  },
  {
    name: 'Webhook arrives again',
    survive: 'The same payment is announced twice. The order is fulfilled once.',
    make: 'The next webhook comes twice. Replay and sendWebhookViaPayId send one again later.',
    fault: { on: 'webhook', script: 'duplicate' },
    query: 'kind:webhook is:replay -"with other bytes"',
  },
  {
    name: 'Altered or forged webhook',
    survive: 'Webhooks are unsigned: the amount, the account and the payment are to be checked.',
    make: 'Select a payment, then Forge a webhook; or select a webhook, then Replay with changes.',
    screen: 'payments',
    query: 'forged',
  },
  {
    name: 'Lost webhook',
    survive: 'It never comes. sendWebhookViaPayId asks for it, where the order has waited for long.',
    make: 'The next webhook is dropped on the way.',
    fault: { on: 'webhook', script: 'drop' },
    query: '"fault drop"',
  },
  {
    name: 'Webhooks out of order',
    survive: 'What happened later is told earlier. The order does not go back.',
    make: 'The next webhook lets the one after it go first.',
    fault: { on: 'webhook', script: 'reorder' },
    query: 'type:delivery.delayed',
  },
  {
    name: 'Altered redirect',
    survive: 'The customer cancels and comes back with Success. Nothing is shipped.',
    make: 'The next redirect says Success, whatever happened.',
    fault: { on: 'redirect', script: 'status:Success' },
    query: '"fault status:"',
  },
  {
    name: 'Lost answer',
    survive: 'The link was created, and the answer never came. Trying again makes a second one.',
    make: 'The next call is carried out, and its connection reset.',
    fault: { on: 'api', script: 'reset' },
    query: '"fault reset"',
  },
  {
    name: 'Service is down',
    survive: 'An error page instead of JSON. The customer is told, and can try again.',
    make: 'The next three calls get HTTP 503.',
    fault: { on: 'api', script: '503,503,503' },
    query: 'kind:api status:5xx',
  },
  {
    name: 'Webhook that fails',
    survive: 'Your endpoint was down or answered with an error. What was missed is fetched later.',
    make: 'Stop your receiver or let it answer 500, then pay.',
    screen: 'payments',
    query: 'kind:webhook is:failed',
  },
  {
    name: 'Transfer that never comes',
    survive: 'A bank transfer is rejected after a while. The link can be paid again.',
    make: 'Pay by bank transfer, then reject it.',
    screen: 'payments',
    query: 'type:bank_transfer.rejected',
  },
  {
    name: 'Refused call',
    survive: 'A refusal has ResponseCode 0 and may well be HTTP 200.',
    make: 'Send a call that is wrong, or choose http for errorStatus.',
    screen: 'account',
    behavior: 'errorStatus',
    query: 'kind:api is:failed',
  },
  {
    name: 'Too many calls',
    survive: 'HTTP 429 with Retry-After. The call is made again later.',
    make: 'Choose a limit for rateLimit.',
    screen: 'account',
    behavior: 'rateLimit',
    query: 'status:429',
  },
  {
    name: 'Cancelled without a webhook',
    survive: 'An open order ends by itself after some time.',
    make: 'Choose skip for cancelWebhook, then cancel a payment.',
    screen: 'account',
    behavior: 'cancelWebhook',
    query: 'type:link.cancelled',
  },
]
