import type { LinkView } from '../../server/contract/views.ts'
import { api } from '../api.ts'
import type { PaymentAction } from './possible-actions.ts'

const wait = 'accepted'

/** Asks the sandbox for an action. What comes of it arrives by the stream. */
export function runAction(action: PaymentAction, { id, payId }: LinkView): Promise<unknown> {
  const link = api.links[':ref']
  const refund = api.refunds[':payId']
  const of = { param: { ref: String(id) } }
  const ofRefund = { param: { payId: String(payId) } }

  switch (action) {
    case 'Pay by card':
      return link.pay.$post({ ...of, json: { method: 'card', browser: 'returns', wait } })
    case 'Bank transfer':
      return link.pay.$post({ ...of, json: { method: 'bank-transfer', browser: 'returns', wait } })
    case 'Pay and close browser':
      return link.pay.$post({ ...of, json: { method: 'card', browser: 'closes', wait } })
    case 'Decline card':
      return link.decline.$post(of)
    case 'Cancel payment':
      return link.cancel.$post({ ...of, json: { browser: 'returns', wait } })
    case 'Approve transfer':
      return link['approve-transfer'].$post({ ...of, json: { wait } })
    case 'Reject transfer':
      return link['reject-transfer'].$post(of)
    case 'Approve refund':
      return refund.approve.$post(ofRefund)
    case 'Reject refund':
      return refund.reject.$post(ofRefund)
    case 'Open dispute':
      return link.dispute.$put(of)
    case 'Close dispute in our favour':
      return link.dispute.$delete({ ...of, query: { outcome: 'lost' } })
    case 'Lose dispute to the customer':
      return link.dispute.$delete({ ...of, query: { outcome: 'won' } })
    case 'Delete link':
      return link.$delete(of)
  }
}
