import type { CallerCheckOptions } from '../../contract/checks/caller-check.ts'
import type { CheckRunOptions } from '../app/run/check-run-options.ts'

/** Options of a caller check, including those that are not part of the package's types. */
export type CallerRunOptions = CallerCheckOptions &
  Pick<CheckRunOptions, 'signal' | 'fetchApp' | 'onNotice' | 'totalTimeoutMs' | 'unknownTimeoutMs'>
