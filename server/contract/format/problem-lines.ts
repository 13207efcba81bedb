import type { CaseResult, ProblemCases } from '../checks/check.ts'

interface Found {
  readonly problems: readonly ProblemCases<string>[]
  readonly results: readonly (Pick<CaseResult, 'name'> & { readonly sameAs?: string | null })[]
}

const MAX_NAMES = 3

/** One line for each problem, with the first cases that found it. A case with the cause of an earlier one is left out. */
export function problemLines({ problems, results }: Found): string[] {
  const known = new Set(results.filter(({ sameAs = null }) => sameAs !== null).map(({ name }) => name))
  return problems.flatMap(({ title, cases }) => {
    const names = cases.filter((name) => !known.has(name))
    const others = names.length - MAX_NAMES
    const more = others > 0 ? ` and ${others} more` : ''
    return names.length === 0 ? [] : [`${title}: ${names.slice(0, MAX_NAMES).join(', ')}${more}`]
  })
}
