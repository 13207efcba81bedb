import { expect, test } from 'vitest'
import { encodeLinkId, decodeLinkId } from '../../server/domain/links/link-id.ts'

test.each([1, 1001, 700001, 999_999_999])(
  'pay_id %d is read back from its link_id, percent-encoded or not',
  (payId) => {
    const linkId = encodeLinkId(payId)
    expect([decodeLinkId(linkId), decodeLinkId(encodeURIComponent(linkId))]).toEqual([payId, payId])
  },
)

test.each(['', '1001', 'abc', 'MTAwMQ===', '%%%', 'LTE=', 'MC41', 'MDE='])('%j is not a link_id', (text) => {
  expect(decodeLinkId(text)).toBeUndefined()
})
