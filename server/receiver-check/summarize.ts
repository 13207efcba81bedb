import type { CaseResult, CheckReport } from '../contract/check.ts'
import type { OrderWatch } from './watch-order.ts'

/** What a check could judge, and how many cases passed, failed and were skipped. */
export function summarize(
  results: readonly Pick<CaseResult, 'outcome'>[],
  watch: OrderWatch | undefined,
): Pick<CheckReport, 'judged' | 'passed' | 'failed' | 'skipped'> {
  const count = (wanted: CaseResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  return {
    judged: watch === undefined ? 'answers' : watch.hasCounts() ? 'fulfilments' : 'orders',
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
  }
}
