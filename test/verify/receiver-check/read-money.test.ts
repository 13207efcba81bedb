import { expect, test } from 'vitest'
import { readMoney } from '../../../server/verify/app/state/read-money.ts'

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
  ['42,50 Euro', 42.5, 42.5],
  ['5,00 kr', 5, 5],
  ['5,00 zł', 5, 5],
  ['US$42.50', 42.5, 42.5],
  ['EUR 1’299.50', 1299.5, 1299.5],
  ['5,- €', 5, 5],
  ['1.299 €', 1299, 1299],
  ['EUR 1.299', 1299, 1299],
  ['0.500 €', 0.5, 0.5],
  ['42.5000', 42.5, 42.5],
  [42.499, 42.499, 42.499],
  [{ receivedAt: '2026-11-26T10:00:00Z', refundedBy: 7, amount: 5 }, 5, 5],
  [{ received_at: 1_795_000_000, amount_id: 3, amount_cents: 500 }, 500, 500],
  [{ subtotal: 35.71, total: 42.5 }, 42.5, 42.5],
  [{ value: 'high', sum: '42.50' }, 42.5, 42.5],
  [[{ id: 7, price: 5 }], 5, 5],
  [{ amount: { value: '5.00', currency: 'EUR' } }, 5, 5],
  // Only the amount before the refund says that this list has no refunds.
  [[42.5], 42.5, 42.5],
  [[{ kind: 'payment', amount: 42.5 }], 0, 42.5],
  [[{ type: 'charge.refunded', amount: 42.5, status: 'paid' }], 42.5, 0],
  [[{ transaction: 'payment_1', kind: 'repayment', amount: 5 }], 5, 0],
  [
    [
      { type: 'payment', amount: 42.5 },
      { type: 'payment', amount: -42.5 },
    ],
    42.5,
    42.5,
  ],
  [19.99 * 100, 1999, 1999],
  [`5${' '.repeat(1_000)}x`, undefined, undefined],
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
  ['5,00-', 5],
  ['5,00- €', 5],
  ['\u22125.00', 5],
  [[42.5, -1], 1],
  [[{ amount: 42.5 }, { amount: -1 }, { amount: '-0.50' }], 1.5],
  [
    [
      { kind: 'payment', amount: 42.5 },
      { kind: 'refund', amount: 42.5 },
      { kind: 'refund', amount: 42.5 },
    ],
    85,
  ],
])('the refunds in %j are %j', ([value, refunded]) => {
  expect(readMoney(value, 'refunded')).toBe(refunded)
})

test('payments in a list of movements are its positive amounts', () => {
  expect(readMoney([42.5, -1, { amount: -2 }, 42.5], 'received')).toBe(85)
})

test('an entry of a list of payments may be marked as a refund', () => {
  const movements = [
    { kind: 'payment', amount: 42.5 },
    { kind: 'refund', amount: 42.5 },
  ]
  expect(readMoney(movements, 'received')).toBe(42.5)
})

test('positive amounts are no refunds in a list that is known to have payments', () => {
  expect(readMoney([42.5], 'refunded', { isShared: true })).toBe(0)
  expect(readMoney([42.5, -42.5], 'refunded', { isShared: true })).toBe(42.5)
})
