import { LATE_SECONDS, MAX_CUSTOMER_TIMEOUT_MS } from '../../contract/checks/check-times.ts'
import { CheckError } from '../app/run/check-error.ts'
import { type Named, selectCases } from '../app/run/select-cases.ts'
import { placeholders } from '../app/state/read-order-state.ts'
import { requireHttpUrl, validateStateOptions } from '../app/state/validate-state-options.ts'
import type { CallerCase } from './caller-case.ts'
import type { CallerRunOptions } from './caller-run-options.ts'
import { callerCases } from './cases.ts'

/** Rejects wrong options before anything is sent. Returns the cases to run. A name of `receiverCases` is refused with a hint. */
export function validateCallerOptions(
  orderUrl: string,
  options: CallerRunOptions,
  receiverCases: Named,
): readonly CallerCase[] {
  const { timeoutMs } = options
  requireHttpUrl('The order URL', orderUrl)
  validateStateOptions(options, ['order', ...placeholders])
  if (timeoutMs !== undefined && timeoutMs > MAX_CUSTOMER_TIMEOUT_MS) {
    throw new CheckError(
      `The timeout is ${timeoutMs / 1000} s. It must be at most ${MAX_CUSTOMER_TIMEOUT_MS / 1000} s, because in the cases about a slow service, the answer comes only after ${LATE_SECONDS} s.`,
    )
  }
  return selectCases<CallerCase>(callerCases, options, {
    cases: receiverCases,
    ofOther: 'check without --caller: leave out --caller, and pass the address of your receiver',
    list: 'check --caller --list',
  })
}
