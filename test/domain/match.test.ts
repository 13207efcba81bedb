import { expect, test } from 'vitest'
import { findDifferences } from '../../server/domain/events/differences.ts'

const event = {
  type: 'link.paid',
  payId: 7,
  link: { amount: 10, note: null, status: 'unused' },
  tags: ['a', 'b'],
  status: 'success',
}

test.each<[what: string, pattern: object, differences: object[]]>([
  ['an empty pattern matches', {}, []],
  ['equal keys match', { type: 'link.paid', link: { amount: 10 } }, []],
  ['null matches null', { link: { note: null } }, []],
  ['another value', { payId: 8 }, [{ key: 'payId', wanted: 8, found: 7 }]],
  ['another nested value', { link: { amount: 11 } }, [{ key: 'link.amount', wanted: 11, found: 10 }]],
  ['a list that is longer', { tags: ['a'] }, [{ key: 'tags', wanted: ['a'], found: ['a', 'b'] }]],
  ['an empty list', { tags: [] }, [{ key: 'tags', wanted: [], found: ['a', 'b'] }]],
  ['a list that is the same', { tags: ['a', 'b'] }, []],
  ['a missing key', { nothing: 1 }, [{ key: 'nothing', wanted: 1, found: undefined }]],
  ['an outcome in another spelling', { status: 'Success' }, []],
  ['another outcome', { status: 'cancel' }, [{ key: 'status', wanted: 'cancel', found: 'success' }]],
  [
    'a nested status in other capitals',
    { link: { status: 'Unused' } },
    [{ key: 'link.status', wanted: 'Unused', found: 'unused' }],
  ],
  ['an inherited name', { toString: 1 }, [{ key: 'toString', wanted: 1, found: undefined }]],
])('an event is found by its values: %s', (_what, pattern, found) => {
  expect(findDifferences(event, pattern)).toEqual(found)
})
