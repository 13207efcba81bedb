import { expect, test } from 'vitest'
import {
  blockIdRange,
  FIRST_BLOCK,
  nextId,
  LAST_BLOCK,
  payIdFor,
  sharedIdRange,
  type IdRange,
} from '../../server/domain/links/id-range.ts'

test.each<[title: string, range: IdRange, newest: number | undefined, next: number | undefined]>([
  ['the first shared id', sharedIdRange, undefined, 1001],
  ['the next shared id', sharedIdRange, 1001, 1002],
  ['the last shared id before the first pay_ids', sharedIdRange, 699_999, 700_000],
  ['the numbers of pay_ids are skipped', sharedIdRange, 700_000, 1_399_001],
  ['they are also skipped after an id among them', sharedIdRange, 700_017, 1_399_001],
  ['the next span of pay_ids is also skipped', sharedIdRange, 2_098_000, 2_797_001],
  ['the last shared id whose pay_id has room', sharedIdRange, 9_087_999, 9_088_000],
  ['no shared id reaches the first block', sharedIdRange, 9_088_000, undefined],
  ['the first id of a block', blockIdRange(1_000), undefined, 10_000_001],
  ['the last id of a block', blockIdRange(1_000), 10_004_999, 10_005_000],
  ['an exhausted block has no next id', blockIdRange(1_000), 10_005_000, undefined],
])('the next free id is found: %s', (_title, range, newest, next) => {
  expect(nextId(range, newest)).toBe(next)
})

test('no two links share an id or a pay_id, whatever payId is', () => {
  const [first, second] = [blockIdRange(FIRST_BLOCK), blockIdRange(FIRST_BLOCK + 1)]
  const ids = [
    ...[1001, 700_000, 1_399_001].map((id) => [id, sharedIdRange] as const),
    ...[first.first, first.first + 4_999].map((id) => [id, first] as const),
    ...[second.first, second.first + 4_999].map((id) => [id, second] as const),
  ]
  const numbers = ids.flatMap(([id, range]) => [id, payIdFor(id, 'distinct', range)])

  expect(ids.map(([id, range]) => payIdFor(id, 'same', range))).toEqual(ids.map(([id]) => id))
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('every id fits into 32 bits', () => {
  expect(blockIdRange(LAST_BLOCK).last).toBeLessThan(2 ** 31)
})
