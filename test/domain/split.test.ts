import { Big } from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cents } from '../../server/domain/money/cents.ts'
import { fromEuros, isWholeCents, sum } from '../../server/domain/money/cents.ts'
import { ApiError } from '../../server/domain/api/api-error.ts'
import { splitPayment, type SplitType } from '../../server/domain/money/split.ts'

test.each<[title: string, amount: Cents, percentages: number[], recipients: Cents[], owner: Cents]>([
  ['the documented example', 100_00, [30, 30], [30_00, 30_00], 40_00],
  ['thirds that make up the whole', 100_00, [33.3, 33.3, 33.4], [33_30, 33_30, 33_40], 0],
  ['odd cents stay with the owner', 1, [50, 50], [0, 0], 1],
  ['a percentage that floats would miss by a cent', 100_00, [70.07], [70_07], 29_93],
  ['an owner can give everything away', 99_99, [100], [99_99], 0],
  ['a share too small for a cent', 100_00, [0.001], [0], 100_00],
  ['more decimals than money has', 100_00, [33.333333333333], [33_33], 66_67],
  ['a number that only floats can write', 1_00, [5e-324], [0], 1_00],
  ['thirds as floats, above the whole', 3_00, Array<number>(3).fill(100 / 3), [1_00, 1_00, 1_00], 0],
  ['ninths as floats, below the whole', 9_00, Array<number>(9).fill(100 / 9), Array<Cents>(9).fill(1_00), 0],
  [
    'thirds as floats, of the largest amount',
    999_999_999_99,
    Array<number>(3).fill(100 / 3),
    Array<Cents>(3).fill(333_333_333_33),
    0,
  ],
])('percentages are divided exactly: %s', (_title, amount, percentages, recipients, owner) => {
  expect(splitPayment(amount, 'normal', percentages)).toEqual({ recipients, owner })
})

test.each<[title: string, amount: Cents, euros: number[], recipients: Cents[], owner: Cents]>([
  ['euros become cents', 50_00, [12.34], [12_34], 37_66],
  ['floats that do not add up still do', 30, [0.1, 0.2], [10, 20], 0],
])('fixed shares are divided exactly: %s', (_title, amount, euros, recipients, owner) => {
  expect(splitPayment(amount, 'absolute', euros)).toEqual({ recipients, owner })
})

test.each<[type: SplitType, amount: Cents, shares: number[], says: string]>([
  ['normal', 50_00, [60, 40.01], 'Share should be less than 100'],
  ['normal', 1, [60, 60], 'Share should be less than 100'],
  ['normal', 100_00, [100.0000001], 'Share should be less than 100'],
  ['normal', 100_00, [50, 50.000000000001], 'Share should be less than 100'],
  ['normal', 100_00, [33.34, 33.33, 33.33333], 'Share should be less than 100'],
  ['normal', 100_00, [Number.MAX_VALUE], 'Share should be less than 100'],
  ['absolute', 50_00, [50.01], 'Share should be less than or equal to 50'],
  ['absolute', 50_50, [50.51], 'Share should be less than or equal to 50.5'],
  ['absolute', 50_50, [50.501], 'Share should have at most two decimals at index 0'],
  ['absolute', 10_00, Array<number>(3).fill(10 / 3), 'Share should have at most two decimals at index 0'],
  ['absolute', 10_00, [1, 1.005], 'Share should have at most two decimals at index 1'],
  ['absolute', 10_00, [0.001], 'Share should have at most two decimals at index 0'],
])(
  '%s shares above the total or below a cent are refused: %d cents among %j',
  (type, amount, shares, says) => {
    expect(() => splitPayment(amount, type, shares)).toThrow(says)
  },
)

test('a split is refused, or its parts add up to the total and none is negative', () => {
  const share = fc.oneof(
    fc.double({ min: Number.MIN_VALUE, max: 200, noNaN: true }),
    fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100),
  )
  const amount = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 999_999_999_99 }))

  fc.assert(
    fc.property(
      amount,
      fc.constantFrom<SplitType>('normal', 'absolute'),
      fc.array(share, { maxLength: 12 }),
      (whole, type, shares) => {
        try {
          const { recipients, owner } = splitPayment(whole, type, shares)
          expect(sum(recipients) + owner).toBe(whole)
          for (const part of [...recipients, owner]) {
            expect(Number.isSafeInteger(part)).toBe(true)
            expect(part).toBeGreaterThanOrEqual(0)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('equal shares, computed as floats, divide every amount as evenly as cents allow', () => {
  for (let count = 1; count <= 100; count++) {
    for (const share of [100 / count, (1 / count) * 100, 100 * (1 / count)]) {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 999_999_999_99 }), (amount) => {
          const { recipients, owner } = splitPayment(amount, 'normal', Array<number>(count).fill(share))
          expect(new Set(recipients)).toEqual(new Set([Math.floor(amount / count)]))
          expect(owner).toBe(amount % count)
        }),
        { numRuns: 20 },
      )
    }
  }
})

test('shares by weight, computed as floats, give the same cents as exact fractions', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 999_999_999_99 }), (parts, amount) => {
      const whole = sum(parts)
      const exact = parts.map((part) => Number((BigInt(part) * BigInt(amount)) / BigInt(whole)))
      for (const share of [
        (part: number) => (part / whole) * 100,
        (part: number) => (part * 100) / whole,
        (part: number) => part * (100 / whole),
      ]) {
        const { recipients, owner } = splitPayment(amount, 'normal', parts.map(share))
        expect(recipients).toEqual(exact)
        expect(owner).toBe(amount - sum(exact))
      }
    }),
  )
})

const hundredth = fc.integer({ min: -(10 ** 13), max: 10 ** 13 }).map((hundredths) => hundredths / 100)

test('amounts are converted exactly, like the decimal library does', () => {
  fc.assert(
    fc.property(fc.oneof(hundredth, fc.double({ noNaN: true, noDefaultInfinity: true })), (euros) => {
      const cents = new Big(euros).times(100)
      expect(isWholeCents(euros)).toBe(cents.eq(cents.round(0)))
      expect(fromEuros(euros)).toBe(cents.toNumber())
    }),
  )
})

test('percentages with two decimals are divided exactly, as by the decimal library', () => {
  const percentage = fc.integer({ min: 1, max: 100_00 }).map((hundredths) => hundredths / 100)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_99 }), percentage, (amount, share) => {
      const part = new Big(share).times(amount).div(100).round(0, Big.roundDown).toNumber()
      expect(splitPayment(amount, 'normal', [share]).recipients).toEqual([part])
    }),
  )
})
