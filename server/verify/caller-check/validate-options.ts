import { LATE_SECONDS, MAX_CUSTOMER_TIMEOUT_MS } from '../../contract/checks/check-times.ts'
import { CheckError } from '../app/run/check-error.ts'
import { checkCases } from '../receiver-check/cases.ts'
import { placeholders } from '../app/state/read-order-state.ts'
import { selectCases, validateStateOptions, requireHttpUrl } from '../receiver-check/validate-options.ts'
import type { CallerCase } from './caller-case.ts'
import type { CallerRunOptions } from './caller-run-options.ts'
import { callerCases } from './cases.ts'

/** Rejects wrong options before anything is sent. Returns the cases to run. */
export function validateCallerOptions(orderUrl: string, options: CallerRunOptions): readonly CallerCase[] {
  const { timeoutMs } = options
  requireHttpUrl('The order URL', orderUrl)
  validateStateOptions(options, ['order', ...placeholders])
  if (timeoutMs !== undefined && timeoutMs > MAX_CUSTOMER_TIMEOUT_MS) {
    throw new CheckError(
      `The timeout is ${timeoutMs / 1000} s. It must be at most ${MAX_CUSTOMER_TIMEOUT_MS / 1000} s, because in the cases about a slow service, the answer comes only after ${LATE_SECONDS} s.`,
    )
  }
  return selectCases<CallerCase>(callerCases, options, {
    cases: checkCases,
    ofOther: 'check without --caller: leave out --caller, and pass the address of your receiver',
    list: 'check --caller --list',
  })
}
