import type { BehaviorName } from '../../server/domain/behavior.ts'
import type { Screen } from '../hash-route.ts'

/** Something that goes wrong in real life, and how to make it go wrong here. */
export interface Mishap {
  readonly name: string
  /** What the integrator's code has to get right. */
  readonly survive: string
  readonly make: string
  /** Where it is made. */
  readonly screen: Screen
  readonly behavior?: BehaviorName
  /** The filter of the timeline that finds where it happened. */
  readonly query: string
}

export const mishaps: readonly Mishap[] = [
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
    make: 'Select a webhook, then Replay, or call sendWebhookViaPayId.',
    screen: 'timeline',
    query: 'kind:webhook is:replay -"with other bytes"',
  },
  {
    name: 'Altered or forged webhook',
    survive: 'Webhooks are unsigned: the amount, the account and the payment are to be checked.',
    make: 'Select a webhook, then Replay with changes.',
    screen: 'timeline',
    query: 'kind:webhook is:replay "with other bytes"',
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
    query: 'type:transfer.rejected',
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
