import type { LinkView } from '../../server/contract/views.ts'
import { request } from '../data/api.ts'
import type { PaymentAction } from '../data/possible-actions.ts'

const wait = 'accepted'

/** Sends the request of an action. The result arrives over the stream. */
export function runAction(action: PaymentAction, { id, payId }: LinkView): Promise<unknown> {
  const link = { param: { ref: id } }
  const refund = { param: { payId } }

  switch (action) {
    case 'Pay by card':
      return request('POST /links/:ref/pay', { ...link, json: { method: 'card', browser: 'returns', wait } })
    case 'Bank transfer':
      return request('POST /links/:ref/pay', {
        ...link,
        json: { method: 'bank-transfer', browser: 'returns', wait },
      })
    case 'Pay and close browser':
      return request('POST /links/:ref/pay', { ...link, json: { method: 'card', browser: 'closes', wait } })
    case 'Decline card':
      return request('POST /links/:ref/decline', link)
    case 'Cancel payment':
      return request('POST /links/:ref/cancel', { ...link, json: { browser: 'returns', wait } })
    case 'Approve transfer':
      return request('POST /links/:ref/approve-transfer', { ...link, json: { wait } })
    case 'Reject transfer':
      return request('POST /links/:ref/reject-transfer', link)
    case 'Approve refund':
      return request('POST /refunds/:payId/approve', refund)
    case 'Reject refund':
      return request('POST /refunds/:payId/reject', refund)
    case 'Open dispute':
      return request('PUT /links/:ref/dispute', link)
    case 'Close dispute, shop wins':
      return request('DELETE /links/:ref/dispute', { ...link, query: { outcome: 'lost' } })
    case 'Close dispute, customer wins':
      return request('DELETE /links/:ref/dispute', { ...link, query: { outcome: 'won' } })
    case 'Delete link':
      return request('DELETE /links/:ref', link)
  }
}
