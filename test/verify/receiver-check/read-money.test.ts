import { expect, test } from 'vitest'
import { readMoney } from '../../../server/verify/receiver-check/read-money.ts'

test.for<[value: unknown, refunded: number | undefined, received: number | undefined]>([
  [0, 0, 0],
  [null, 0, 0],
  [19.99, 19.99, 19.99],
  ['42.50', 42.5, 42.5],
  ['1,299.00 EUR', 1299, 1299],
  ['1.299,50 €', 1299.5, 1299.5],
  ["CHF 1'299.50", 1299.5, 1299.5],
  ['$5', 5, 5],
  [{ amount: '5.00', currency: 'EUR' }, 5, 5],
  [[], 0, 0],
  [[10, { total: 0.1 }, '0.2 EUR'], 10.3, 10.3],
  ['paid', undefined, undefined],
  ['2026-11-26', undefined, undefined],
  [{ currency: 'EUR' }, undefined, undefined],
  [['none'], undefined, undefined],
  [true, undefined, undefined],
])('%j is read as refunded %j and received %j', ([value, refunded, received]) => {
  expect([readMoney(value, 'refunded'), readMoney(value, 'received')]).toEqual([refunded, received])
})

test.for<[value: unknown, refunded: number]>([
  [-19.99, 19.99],
  ['-5.00', 5],
  ['-€5.00', 5],
  ['€ -5,00', 5],
  ['(5.00 EUR)', 5],
  ['\u22125.00', 5],
  [[42.5, -1], 1],
  [[{ amount: 42.5 }, { amount: -1 }, { amount: '-0.50' }], 1.5],
])('the refunds in %j are %j', ([value, refunded]) => {
  expect(readMoney(value, 'refunded')).toBe(refunded)
})

test('payments in a list of movements are its positive amounts', () => {
  expect(readMoney([42.5, -1, { amount: -2 }, 42.5], 'received')).toBe(85)
})
