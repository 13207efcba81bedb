import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonInTurns } from '../../server/platform/system/json-in-turns.ts'
import { mapInTurns, sortInTurns } from '../../server/platform/system/turns.ts'

test('a list is sorted like toSorted, and equal items keep their sequence', async () => {
  for (const size of [0, 1, 1_999, 2_000, 2_001, 4_000, 13_337]) {
    const items = Array.from({ length: size }, (_none, index) => ({ key: (index * 7_919) % 101, index }))
    const compare = (one: { key: number }, other: { key: number }) => one.key - other.key
    expect(await sortInTurns(items, compare)).toEqual(items.toSorted(compare))
  }
})

test('other work runs while a long list is mapped', async () => {
  let others = 0
  const count = setInterval(() => others++, 0)
  const squares = await mapInTurns(
    Array.from({ length: 300 }, (_none, index) => index),
    (index) => {
      for (const began = performance.now(); performance.now() - began < 0.1;);
      return index ** 2
    },
  )
  clearInterval(count)
  expect(squares.slice(0, 4)).toEqual([0, 1, 4, 9])
  expect(squares).toHaveLength(300)
  expect(others).toBeGreaterThan(0)
})

test('JSON that is written in turns equals that of JSON.stringify', async () => {
  const value = fc.dictionary(
    fc.string(),
    fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue(), fc.constant(undefined)),
  )
  await fc.assert(
    fc.asyncProperty(value, fc.constantFrom(0, 2, 4), async (object, indent) => {
      expect(await jsonInTurns(object, indent)).toBe(JSON.stringify(object, null, indent))
    }),
  )
})
