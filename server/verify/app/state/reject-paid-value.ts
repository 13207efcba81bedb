import { quoteIfNeeded } from '../../../domain/http/curl.ts'
import { CheckError } from '../run/check-error.ts'
import type { ObservedState } from './watch-order.ts'

/** Ends the check if a payment changes the state to a value that the options do not list as paid. */
export function rejectPaidValue(before: ObservedState, after: ObservedState): void {
  if ('unknown' in before || 'unknown' in after || after.paid) return
  if (before.value === undefined || after.value === undefined || before.value === after.value) return
  const value = JSON.stringify(after.value)
  throw new CheckError(
    `Nothing was checked, because the state is ${value} after a payment, and ${JSON.stringify(before.value)} before. If ${value} means paid, pass --paid-value ${quoteIfNeeded(after.value)}.`,
  )
}
