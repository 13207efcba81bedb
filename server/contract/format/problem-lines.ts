import type { CaseResult, CheckReport, CheckResult, ProblemCases, ReceiverProblem } from '../checks/check.ts'

interface Found {
  readonly problems: readonly ProblemCases<string>[]
  readonly results: readonly (Pick<CaseResult, 'name' | 'title' | 'seen' | 'why'> &
    Partial<Pick<CheckResult, 'sameAs' | 'isOtherOrder'>>)[]
  /** Only the report of a receiver check has an address of the receiver. */
  readonly receiver?: string
  readonly advice?: string | null
}

const MAX_NAMES = 3

/** Leaves out cases that failed for the same reason as an earlier case. */
const ownCause = ({ results }: Found): ReadonlySet<string> =>
  new Set(results.filter(({ sameAs = null }) => sameAs === null).map(({ name }) => name))

const WITHOUT_PAYMENT = ['cancelled', 'forged-amount', 'redirect-alone', 'note-shared']

/** The cases that explain a problem best, the best first. Earlier cases of the check may fail for the same mistake. */
export const plainCases: Readonly<Record<string, readonly string[]>> = {
  'paid-without-payment': WITHOUT_PAYMENT,
  'fulfilled-without-payment': WITHOUT_PAYMENT,
  'fulfilled-again': ['repeated', 'returned-often'],
  'page-fails': ['redirect-before-webhook', 'visit-alone'],
} satisfies Partial<Record<ReceiverProblem, readonly string[]>>

/** What to do about problems that can appear in any case. For other problems, the case says it. */
export const receiverAdvice = {
  unreachable: 'Look at the log of your app. No request, and no broken connection, may stop it.',
  'shared-link': 'Give each order a reference that no other order gets, even at the same moment.',
  'leaked-key':
    'Show no settings and no messages of errors. Whoever has the API key can use the whole account.',
  'wrong-record': 'Record each pay_id once, however often its webhook comes.',
  'not-accepted':
    'Answer each webhook of the service with a 2xx status, even if there is nothing left to do.',
  'not-refused': 'Answer it with a 4xx status, or with a 2xx status and do nothing.',
  'page-fails': 'Open this page yourself, and look at the log of your app.',
  'order-refused': 'Look at the log of your app. Shops must be able to take many orders at the same moment.',
  'unknown-state': 'Look at the log of your app, or correct --state-url.',
} as const satisfies Partial<Record<ReceiverProblem, string>>

interface ExplainedProblem {
  /** The problem, and the first cases that found it. */
  readonly line: string
  /** What happened in the case that explains the problem best. May contain text of the app. */
  readonly example: string
  /** What to do: the advice on the problem, or else the reason for the case. Empty if the advice of the report says it. */
  readonly remedy: string
}

/** The problems of a report, the most expensive first. Cases that failed for the same reason as an earlier case are left out. */
function explainProblems(found: Found): ExplainedProblem[] {
  const own = ownCause(found)
  const adviceOn: Readonly<Record<string, string>> = found.receiver === undefined ? {} : receiverAdvice
  return found.problems.flatMap(({ problem, title, cases }) => {
    const results = found.results.filter(({ name }) => cases.includes(name) && own.has(name))
    // The title of a case says nothing about a webhook that was sent after it.
    const direct = results.filter(({ isOtherOrder }) => !isOtherOrder)
    const plain = plainCases[problem]?.find((name) => direct.some((result) => result.name === name))
    const first = direct.find(({ name }) => name === plain) ?? direct[0] ?? results[0]
    if (first === undefined) return []
    const others = results.length - MAX_NAMES
    const names = cases.filter((name) => own.has(name)).slice(0, MAX_NAMES)
    const isExplained = typeof found.advice === 'string' && EXPLAINED.has(problem)
    return {
      line: `${title}: ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`,
      example: `${title}. ${first.title}: ${first.seen}.`,
      remedy: isExplained ? '' : (adviceOn[problem] ?? (first.isOtherOrder ? LATER_WEBHOOK : first.why)),
    }
  })
}

/** One line for each problem, with what to do about it. */
export const problemLines = (found: Found): string[] =>
  explainProblems(found).map(({ line, remedy }) => (remedy === '' ? line : `${line}. ${remedy}`))

/**
 * What happened in the problem that costs the merchant most, what to do about it, and a line for each problem. May contain text
 * of the app. Empty if there is no problem.
 */
export function explainWorst(found: Found): string[] {
  const [worst, ...others] = explainProblems(found)
  if (worst === undefined) return []
  const { advice = null } = found
  return [
    worst.example,
    ...(worst.remedy === '' ? [] : [worst.remedy]),
    ...(advice === null ? [] : [advice]),
    worst.line,
    ...others.map(({ line, remedy }) => (remedy === '' ? line : `${line}. ${remedy}`)),
  ]
}

/** The problems that the advice of a report explains: the app handles no good webhook. */
const EXPLAINED: ReadonlySet<string> = new Set<ReceiverProblem>(['not-accepted', 'not-paid'])

const LATER_WEBHOOK = 'Look at the log of your app. A webhook must not change what later webhooks do.'

/** What was not checked, and which flag would check it. */
export const notCheckedLines = ({ notChecked }: Pick<CheckReport, 'notChecked'>): string[] =>
  notChecked.map((line) => `Not checked: ${line}`)
