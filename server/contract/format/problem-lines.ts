import type { CaseResult, CheckReport, CheckResult, ProblemCases, ReceiverProblem } from '../checks/check.ts'

interface Found {
  readonly problems: readonly ProblemCases<string>[]
  readonly results: readonly (Pick<CaseResult, 'name' | 'title' | 'seen' | 'why'> &
    Partial<Pick<CheckResult, 'sameAs' | 'isOtherOrder'>>)[]
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

const WITHOUT_PAYMENT = ['cancelled', 'forged-amount', 'redirect-alone', 'note-shared']

/** The cases that explain a problem best, the best first. Earlier cases of the check may fail for the same mistake. */
export const plainCases: Readonly<Record<string, readonly string[]>> = {
  'paid-without-payment': WITHOUT_PAYMENT,
  'fulfilled-without-payment': WITHOUT_PAYMENT,
  'fulfilled-again': ['repeated'],
} satisfies Partial<Record<ReceiverProblem, readonly string[]>>

/**
 * What happened in the problem that costs the merchant most, and what to do about it: the advice on the problem, or else the reason
 * for the case. The advice of the report takes its place, or follows it. May contain text of the app. Empty if there is no problem.
 */
export function worstProblemLines(
  found: Found & { readonly advice?: string | null },
  adviceOn: Readonly<Record<string, string>> = {},
): string[] {
  const [worst] = found.problems
  const own = ownCause(found)
  const results = found.results.filter(({ name }) => worst?.cases.includes(name) && own.has(name))
  // The title of a case says nothing about a webhook that was sent after it.
  const direct = results.filter(({ isOtherOrder }) => !isOtherOrder)
  const plain = plainCases[worst?.problem ?? '']?.find((name) =>
    direct.some((result) => result.name === name),
  )
  const first = direct.find(({ name }) => name === plain) ?? direct[0] ?? results[0]
  if (worst === undefined || first === undefined) return []
  const { advice = null } = found
  const remedy = adviceOn[worst.problem] ?? (first.isOtherOrder ? LATER_WEBHOOK : first.why)
  return [
    `${worst.title}. ${first.title}: ${first.seen}.`,
    ...(advice !== null && EXPLAINED.has(worst.problem) ? [] : [remedy]),
    ...(advice === null ? [] : [advice]),
  ]
}

/** The problems that the advice of a report explains: the app handles no good webhook. */
const EXPLAINED: ReadonlySet<string> = new Set<ReceiverProblem>(['not-accepted', 'not-paid'])

const LATER_WEBHOOK = 'Look at the log of your app. A webhook must not change what later webhooks do.'

/** What was not checked, and which flag would check it. */
export const notCheckedLines = ({ notChecked }: Pick<CheckReport, 'notChecked'>): string[] =>
  notChecked.map((line) => `Not checked: ${line}`)
