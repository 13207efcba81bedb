import { expect, test } from 'vitest'
import { linkIdOf, payIdOf } from '../../server/domain/links/link-id.ts'

test.each([1, 1001, 700001, 999_999_999])(
  'pay_id %d reads back from its link_id, percent-encoded or not',
  (payId) => {
    const linkId = linkIdOf(payId)
    expect([payIdOf(linkId), payIdOf(encodeURIComponent(linkId))]).toEqual([payId, payId])
  },
)

test.each(['', '1001', 'abc', 'MTAwMQ===', '%%%', 'LTE=', 'MC41', 'MDE='])('%j is no link_id', (text) => {
  expect(payIdOf(text)).toBeUndefined()
})
