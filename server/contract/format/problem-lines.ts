import type { CaseResult, CheckReport, ProblemCases } from '../checks/check.ts'

interface Found {
  readonly problems: readonly ProblemCases<string>[]
  readonly results: readonly (Pick<CaseResult, 'name' | 'title' | 'seen'> & {
    readonly sameAs?: string | null
  })[]
}

const MAX_NAMES = 3

/** Leaves out cases that failed for the same reason as an earlier case. */
const ownCause = ({ results }: Found): ReadonlySet<string> =>
  new Set(results.filter(({ sameAs = null }) => sameAs === null).map(({ name }) => name))

/**
 * One line for each problem, with the first cases that found it. The most expensive problem comes first. Cases that failed for
 * the same reason as an earlier case are left out.
 */
export function problemLines(found: Found): string[] {
  const own = ownCause(found)
  return found.problems.flatMap(({ title, cases }) => {
    const names = cases.filter((name) => own.has(name))
    const others = names.length - MAX_NAMES
    const more = others > 0 ? ` and ${others} more` : ''
    return names.length === 0 ? [] : [`${title}: ${names.slice(0, MAX_NAMES).join(', ')}${more}`]
  })
}

/** What happened in the case of the most expensive problem. May contain text of the app. Empty if there is no problem. */
export function worstProblemLines(found: Found): string[] {
  const [worst] = found.problems
  const own = ownCause(found)
  const name = worst?.cases.find((one) => own.has(one))
  const first = found.results.find((result) => result.name === name)
  return worst === undefined || first === undefined ? [] : [`${worst.title}. ${first.title}: ${first.seen}.`]
}

/** What was not checked, and which flag would check it. */
export const notCheckedLines = ({ notChecked }: Pick<CheckReport, 'notChecked'>): string[] =>
  notChecked.map((line) => `Not checked: ${line}`)
