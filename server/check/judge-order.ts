import type { CheckCase } from './check-case.ts'
import type { Seen, Teller } from './watch-order.ts'

/** How each kind of case has to leave its order. */
export const expectedOrder = {
  paid: 'the order paid, once',
  once: 'the order paid, and fulfilled once',
  unpaid: 'the order not paid',
} as const satisfies Record<NonNullable<CheckCase['leaves']>, string>

/** What is wrong with how an order was left. `undefined` where nothing is. */
export function judgeOrder(
  leaves: NonNullable<CheckCase['leaves']>,
  seen: Seen,
  { patienceMs, told }: Teller,
): string | undefined {
  if ('unknown' in seen) return `the state of the order could not be read: ${seen.unknown}`
  if (leaves === 'unpaid') return seen.paid ? `the order was paid${told}` : undefined
  if (!seen.paid) return `the order was not paid within ${patienceMs / 1000} s${told}`
  if (seen.times === undefined || seen.times === 1) return undefined
  return `the order was fulfilled ${seen.times} times${told}`
}
