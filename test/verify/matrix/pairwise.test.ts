import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  differences,
  baselineOf,
  type Combination,
  type Factor,
} from '../../../server/verify/matrix/factor.ts'
import { pairwise } from '../../../server/verify/matrix/pairwise.ts'
import { factorsWith } from '../../support/factors.ts'

const pairsIn = (combination: Combination): string[] => {
  const options = Object.entries(combination).map(([name, value]) => `${name}=${value}`)
  return options.flatMap((one) => options.map((other) => `${one} ${other}`))
}

const allPairs = (factors: readonly Factor[]): Set<string> =>
  new Set(
    factors.flatMap((one) =>
      factors.flatMap((other) =>
        one.values.flatMap((value) =>
          other.values
            .filter((another) => one !== other || value === another)
            .map((another) => `${one.name}=${value} ${other.name}=${another}`),
        ),
      ),
    ),
  )

const sizes = fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 1, maxLength: 7 })

test('every pair of values occurs in a combination', () => {
  fc.assert(
    fc.property(sizes, (given) => {
      const factors = factorsWith(...given)
      const start = baselineOf(factors)
      const rows = pairwise(factors, [start])
      const covered = new Set([start, ...rows].flatMap(pairsIn))
      expect([...allPairs(factors)].filter((pair) => !covered.has(pair))).toEqual([])
      expect(rows).not.toContainEqual(start)
      expect(pairwise(factors, [start])).toEqual(rows)
    }),
    { numRuns: 50 },
  )
})

test('pairs that occurred already are not repeated', () => {
  const factors = factorsWith(2, 2, 3)
  const rows = pairwise(factors, [baselineOf(factors)])
  expect(pairwise(factors, [baselineOf(factors), ...rows])).toEqual([])
})

test.each([
  [[2], 1],
  [[3], 2],
  [[2, 2], 3],
  [[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3], 8],
])('%j needs %i combinations beside the first one', (given, count) => {
  const factors = factorsWith(...given)
  const rows = pairwise(factors, [baselineOf(factors)])
  expect(rows).toHaveLength(count)
  expect(rows.every((row) => differences(row, baselineOf(factors)).length > 0)).toBe(true)
})
