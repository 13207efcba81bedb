import { expect, test } from 'vitest'
import { computeFees, type MonthlyRevenue } from '../../server/domain/money/fees.ts'

const at = (serviceFee: string, volume: number, payments = 1): MonthlyRevenue => ({
  serviceFee,
  volume,
  payments,
})

test.each<[what: string, revenue: MonthlyRevenue[], reverseCharge: boolean, fees: [number, number, number]]>([
  ['one payment of €100', [at('1.0', 10_000)], false, [100, 25, 24]],
  ['three payments', [at('1.0', 30_000, 3)], false, [300, 75, 71]],
  ['a reverse-charge account', [at('1.5', 10_000)], true, [150, 25, 0]],
  ['half a cent, rounded up', [at('1.0', 50)], false, [1, 25, 5]],
  ['less than half a cent, rounded down', [at('1.0', 49)], false, [0, 25, 5]],
  ['a fee that changed in the middle, rounded once', [at('1.0', 40), at('1.1', 40)], false, [1, 50, 10]],
  ['a percentage that no binary fraction is', [at('1.15', 100)], false, [1, 25, 5]],
  [
    'a large month, to the cent',
    [at('1.0', 9_999_999_999_999, 7)],
    false,
    [100_000_000_000, 175, 19_000_000_033],
  ],
])('fees are exact to the cent: %s', (_what, revenue, reverseCharge, [platformFee, pspFee, vat]) => {
  expect(computeFees(revenue, reverseCharge)).toEqual({ platformFee, pspFee, vat })
})
