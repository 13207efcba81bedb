import type { CallerCheckOptions } from '../../contract/checks/caller-check.ts'
import type { CheckRunOptions } from '../receiver-check/check-run-options.ts'

/** Options of a caller check, with those that the package's types do not have. */
export type CallerRunOptions = CallerCheckOptions &
  Pick<CheckRunOptions, 'signal' | 'fetchApp' | 'totalTimeoutMs' | 'unknownTimeoutMs'>
