import type { EventView } from '../../server/contract/views.ts'

/** For each operation, the event that a successful call causes. A journey shows the call and the event as one step. */
export const eventOfCall: Readonly<Record<string, EventView['type']>> = {
  createLink: 'link.created',
  createSplitLink: 'link.created',
  refundPayment: 'refund.requested',
}
