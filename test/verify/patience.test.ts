import { expect, test } from 'vitest'
import { createPatience } from '../../server/verify/app/run/patience.ts'

const pay = ({ recordPaid }: ReturnType<typeof createPatience>, times: number, ms: number): void => {
  for (let paid = 0; paid < times; paid += 1) recordPaid(ms)
}

test('after three payments that never came, the check waits four times as long as others usually take', () => {
  const patience = createPatience(5_000)
  pay(patience, 20, 700)
  for (let unpaid = 0; unpaid < 2; unpaid += 1) patience.recordUnpaid()
  expect(patience.forPaymentMs()).toBe(5_000)

  patience.recordUnpaid()

  expect(patience.forPaymentMs()).toBe(2_800)
})

test.each([
  ['is quick', 20, 3, 1_500],
  ['is slow', 20, 2_000, 5_000],
  ['has paid few orders', 9, 3, 5_000],
])('an app that %s', (_what, times, ms, expected) => {
  const patience = createPatience(5_000)
  pay(patience, times, ms)
  for (let unpaid = 0; unpaid < 3; unpaid += 1) patience.recordUnpaid()

  expect(patience.forPaymentMs()).toBe(expected)
})
