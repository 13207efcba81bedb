import { isForged } from '../faults/fault.ts'
import { isStored, isSuccessful } from '../webhooks/delivery.ts'
import type { SandboxEvent } from './event.ts'

/** Possible outcomes of calls, payments and webhooks. Integrators should see once how their app handles each of them. */
const runOutcomes = {
  paidByCard: 'a payment by card',
  paidByTransfer: 'a payment by bank transfer',
  transferAwaited: 'a bank transfer that is still awaited',
  transferRejected: 'a rejected bank transfer',
  cancelled: 'a cancelled payment',
  declined: 'a declined payment',
  browserClosed: 'a browser that was closed before the redirect',
  linkDeleted: 'a deleted link',
  webhookFailed: 'a failed webhook',
  webhookRepeated: 'a repeated webhook',
  webhookForged: 'a forged webhook',
  callFaulted: 'a call with an injected failure',
  refundApproved: 'an approved refund',
  refundRejected: 'a rejected refund',
  disputeOpened: 'a dispute',
  disputeWon: 'a dispute that the customer won',
  disputeLost: 'a dispute that the customer lost',
} as const satisfies Record<string, string>

export type RunOutcome = keyof typeof runOutcomes

export const runOutcomeNames = Object.keys(runOutcomes) as readonly RunOutcome[]

export const describeRunOutcome = (name: RunOutcome): string => runOutcomes[name]

/** The outcomes that this event means for an app. */
export function findRunOutcomes(event: SandboxEvent): readonly RunOutcome[] {
  switch (event.type) {
    case 'link.paid':
      return [event.method === 'card' ? 'paidByCard' : 'paidByTransfer']
    case 'bank_transfer.initiated':
      return ['transferAwaited']
    case 'bank_transfer.rejected':
      return ['transferRejected']
    case 'link.cancelled':
      return ['cancelled']
    case 'link.declined':
      return ['declined']
    case 'redirect.lost':
      return ['browserClosed']
    case 'link.deleted':
      return ['linkDeleted']
    case 'api.request':
      return event.fault === undefined ? [] : ['callFaulted']
    case 'delivery.attempted':
      // No app has seen the webhook.
      if (isStored(event)) return []
      if (isForged(event.fault)) return ['webhookForged']
      if (!isSuccessful({ status: event.httpStatus })) return ['webhookFailed']
      return event.attempt > 1 || event.cause !== 'outcome' ? ['webhookRepeated'] : []
    case 'refund.approved':
      return ['refundApproved']
    case 'refund.rejected':
      return ['refundRejected']
    case 'dispute.opened':
      return ['disputeOpened']
    case 'dispute.closed':
      return [event.outcome === 'won' ? 'disputeWon' : 'disputeLost']
    default:
      return []
  }
}
