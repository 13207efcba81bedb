import type { LinkView } from '../../server/contract/views.ts'
import { api } from '../data/api.ts'
import type { PaymentAction } from '../data/possible-actions.ts'

const wait = 'accepted'

/** Sends the request of an action. The result arrives by the stream. */
export function runAction(action: PaymentAction, { id, payId }: LinkView): Promise<unknown> {
  const link = api.links[':ref']
  const refund = api.refunds[':payId']
  const linkParam = { param: { ref: String(id) } }
  const refundParam = { param: { payId: String(payId) } }

  switch (action) {
    case 'Pay by card':
      return link.pay.$post({ ...linkParam, json: { method: 'card', browser: 'returns', wait } })
    case 'Bank transfer':
      return link.pay.$post({ ...linkParam, json: { method: 'bank-transfer', browser: 'returns', wait } })
    case 'Pay and close browser':
      return link.pay.$post({ ...linkParam, json: { method: 'card', browser: 'closes', wait } })
    case 'Decline card':
      return link.decline.$post(linkParam)
    case 'Cancel payment':
      return link.cancel.$post({ ...linkParam, json: { browser: 'returns', wait } })
    case 'Approve transfer':
      return link['approve-transfer'].$post({ ...linkParam, json: { wait } })
    case 'Reject transfer':
      return link['reject-transfer'].$post(linkParam)
    case 'Approve refund':
      return refund.approve.$post(refundParam)
    case 'Reject refund':
      return refund.reject.$post(refundParam)
    case 'Open dispute':
      return link.dispute.$put(linkParam)
    case 'Close dispute in our favour':
      return link.dispute.$delete({ ...linkParam, query: { outcome: 'lost' } })
    case 'Lose dispute to the customer':
      return link.dispute.$delete({ ...linkParam, query: { outcome: 'won' } })
    case 'Delete link':
      return link.$delete(linkParam)
  }
}
