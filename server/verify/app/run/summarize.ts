import type { CaseResult, CheckReport, ProblemCases } from '../../../contract/checks/check.ts'
import { groupBy } from '../../../contract/format/group-by.ts'
import { whySkipped } from '../../../contract/format/why-skipped.ts'
import { listNames } from '../../../contract/format/list-names.ts'
import { OWN_NOTES } from './not-possible.ts'
import type { OrderWatch } from '../state/watch-order.ts'

export const whatWasChecked = (watch: OrderWatch | undefined): CheckReport['checked'] =>
  watch === undefined ? 'answers' : watch.hasCounts() ? 'fulfilments' : 'orders'

export function countOutcomes(
  results: readonly Pick<CaseResult, 'outcome'>[],
): Pick<CheckReport, 'passed' | 'failed' | 'skipped'> {
  const count = (outcomeToCount: CaseResult['outcome']) =>
    results.filter(({ outcome }) => outcome === outcomeToCount).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** Groups the failed cases by their problem, in the sequence of the table. */
export const groupProblems = <Problem extends string>(
  titles: Readonly<Record<Problem, string>>,
  results: readonly (Pick<CaseResult, 'name'> & { readonly problem: Problem | null })[],
): ProblemCases<Problem>[] =>
  (Object.keys(titles) as Problem[])
    .map((problem) => ({
      problem,
      title: titles[problem],
      cases: results.filter((result) => result.problem === problem).map(({ name }) => name),
    }))
    .filter(({ cases }) => cases.length > 0)

/** What a check did not cover, and which option would cover it. One line for each reason why cases were skipped. `gravest` is the reason that comes first. */
export function listNotChecked(
  results: readonly Pick<CaseResult, 'name' | 'skipReason' | 'seen' | 'example'>[],
  watch: OrderWatch | undefined,
  gravest?: string,
): string[] {
  const skipped = groupBy(
    results.filter(({ skipReason, seen }) => skipReason !== null && seen !== OWN_NOTES),
    ({ seen }) => seen,
  )
  const reasons = [...skipped].toSorted(
    ([one], [other]) => Number(other === gravest) - Number(one === gravest),
  )
  const lines = reasons.map(
    ([, cases]) => `${describeCases(cases.map(({ name }) => name))}, because ${whySkipped(cases[0]!)}.`,
  )
  return [
    ...(watch === undefined ? ['Whether orders are paid: pass --state-url.'] : []),
    ...(watch?.hasCounts() === false ? ['How often an order is fulfilled: pass --count-pointer.'] : []),
    ...lines,
  ]
}

/** `cancelled`, or `8 cases (note-empty, note-utf8, note-long and 5 more)` */
const describeCases = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.length} cases (${listNames(names)})`
