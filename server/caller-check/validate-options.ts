import { CheckError } from '../receiver-check/check-error.ts'
import { placeholders } from '../receiver-check/read-order-state.ts'
import {
  selectCases,
  validateAppUrl,
  validatePointer,
  validateUrl,
} from '../receiver-check/validate-options.ts'
import type { CallerCase } from './caller-case.ts'
import type { CallerRunOptions } from './caller-run-options.ts'
import { callerCases, LATE_SECONDS } from './cases.ts'

/** The customer must give up before the service answers. */
const MAX_TIMEOUT_MS = (LATE_SECONDS - 5) * 1_000

/** Rejects wrong options before anything is sent. Returns the cases to run. */
export function validateCallerOptions(orderUrl: string, options: CallerRunOptions): readonly CallerCase[] {
  const { stateUrl, statePointer, countPointer, paidValue, orderState, timeoutMs } = options
  validateUrl('The order URL', orderUrl)
  if (stateUrl !== undefined) validateAppUrl('The state URL', stateUrl, ['order', ...placeholders])
  validatePointer('The state pointer', statePointer)
  validatePointer('The count pointer', countPointer)
  if (stateUrl !== undefined && orderState !== undefined) {
    throw new CheckError('Both a state URL and a function read the state of orders. Give only one of them.')
  }
  if (stateUrl === undefined && (statePointer ?? countPointer ?? paidValue) !== undefined) {
    throw new CheckError(
      'The pointers and the paid value apply to the answer of the state URL, and there is none. Give the state URL too.',
    )
  }
  if (timeoutMs !== undefined && timeoutMs > MAX_TIMEOUT_MS) {
    throw new CheckError(
      `The timeout is ${timeoutMs / 1000} s. Give at most ${MAX_TIMEOUT_MS / 1000} s, because a late service answers after ${LATE_SECONDS} s.`,
    )
  }
  return selectCases<CallerCase>(callerCases, options)
}
