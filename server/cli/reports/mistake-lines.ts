import type { CaseResult, CheckResult, ProblemCases, ReceiverProblem } from '../../contract/checks/check.ts'
import { listNames } from '../../contract/format/list-names.ts'
import { explainedProblems, remedyFor } from '../../contract/format/problem-lines.ts'
import { quoteText } from '../../domain/text/quote-text.ts'
import { decodeBody } from '../../domain/http/exchange.ts'
import { shortResponseText } from '../../domain/webhooks/response-facts.ts'
import { mistakeTitles } from './mistake-titles.ts'

type FoundResult = Pick<CaseResult, 'name' | 'title' | 'seen' | 'isLate' | 'why'> &
  Partial<Pick<CheckResult, 'sameAs' | 'isOtherOrder' | 'exchange'>>

interface Found {
  readonly problems: readonly ProblemCases<string>[]
  readonly results: readonly FoundResult[]
  /** Only the report of a receiver check has an address of the receiver. */
  readonly receiver?: string
  /** The common cause of several failures, and what to do. */
  readonly advice?: string | null
}

/** A mistake of the app, with the failed cases that found it. */
interface Mistake {
  readonly title: string
  readonly problem: string
  /** The case that explains the mistake best. */
  readonly first: FoundResult
  readonly others: readonly FoundResult[]
}

/**
 * What is wrong with the app, the most expensive mistake first. For each mistake: its name, the case that explains it best, what this
 * case has seen, what to do about it, and the other cases that found it. May contain text of the app. Empty if no case failed.
 */
export function mistakeLines(found: Found): string[] {
  const mistakes = problemsByCause(found).flatMap((problem) => [
    ...mistakesOf(problem, found.results),
    ...slowAnswers(problem, found.results),
  ])
  const { advice = null } = found
  const explained = advice === null ? undefined : explainedOf(mistakes)
  const sorted = explained === undefined ? mistakes : [...new Set([explained, ...mistakes])]
  const lines = sorted.flatMap((mistake) => {
    const { title, problem, first, others } = mistake
    const remedy = mistake === explained ? advice! : remedyFor(found, problem, first)
    return [
      `${title}.`,
      `  ${first.name}: ${first.title}.`,
      `  Seen: ${first.seen}.`,
      ...answerLine(mistake),
      `  What to do: ${remedy}`,
      ...otherCasesLine(first, others),
    ]
  })
  return advice === null || explained !== undefined ? lines : [...lines, advice]
}

/** The mistake that the advice of the report is about: that the app handles no form, or else no good webhook. */
function explainedOf(mistakes: readonly Mistake[]): Mistake | undefined {
  const explained = mistakes.filter(({ problem }) => explainedProblems.has(problem))
  const isForm = ({ first, others }: Mistake): boolean =>
    [first, ...others].some(({ name }) => name === 'form-encoded-brackets')
  return explained.find(isForm) ?? explained[0]
}

/** Moves cases that failed for the same reason as an earlier case to the problem of that case. */
function problemsByCause({ problems, results }: Found): readonly ProblemCases<string>[] {
  const problemOf = (name: string): string | undefined =>
    problems.find(({ cases }) => cases.includes(name))?.problem
  return problems.map((one) => ({
    ...one,
    cases: results
      .filter(({ name, sameAs }) => problemOf(name) && problemOf(sameAs ?? name) === one.problem)
      .map(({ name }) => name),
  }))
}

/**
 * The mistakes behind a problem. A case without a title of its own may have failed for any of them, so it is added to the first one. If
 * no failed case has one, the problem names the mistake.
 */
function mistakesOf(
  { problem, title, cases }: ProblemCases<string>,
  results: readonly FoundResult[],
): readonly Mistake[] {
  const failed = results.filter(({ name, isLate }) => cases.includes(name) && !isLate)
  // The title of a case says nothing about a webhook that was sent after it.
  const direct = failed.filter(({ isOtherOrder }) => !isOtherOrder)
  const groups = Object.entries(mistakeTitles).find(([name]) => name === problem)?.[1] ?? []
  const mistakes = groups.flatMap((titles): Mistake[] => {
    const named = direct.filter(({ name }) => Object.hasOwn(titles, name))
    const first = Object.keys(titles).flatMap((name) => named.find((result) => result.name === name) ?? [])[0]
    if (first === undefined) return []
    return [{ title: titles[first.name]!, problem, first, others: named.filter((one) => one !== first) }]
  })
  const [main, ...further] = mistakes
  if (main !== undefined) {
    const listed = new Set([main.first, ...further.flatMap((one) => [one.first, ...one.others])])
    return [{ ...main, others: failed.filter((result) => !listed.has(result)) }, ...further]
  }
  const first = direct.find(({ sameAs = null }) => sameAs === null) ?? direct[0] ?? failed[0]
  return first === undefined
    ? []
    : [{ title, problem, first, others: failed.filter((result) => result !== first) }]
}

/** The cases of a problem that got no answer in time, as a mistake of its own. */
function slowAnswers(
  { problem, cases }: ProblemCases<string>,
  results: readonly FoundResult[],
): readonly Mistake[] {
  const [first, ...others] = results.filter(({ name, isLate }) => isLate && cases.includes(name))
  return first === undefined ? [] : [{ title: 'Your app does not answer in time', problem, first, others }]
}

/** The answer of the app to the last webhook of a case that has looked at the state of the order. */
function answerLine({ problem, first: { exchange, isOtherOrder } }: Mistake): string[] {
  if (!SHOWN_BY_STATE.has(problem) || isOtherOrder || exchange?.response == null) return []
  const { status, body } = exchange.response
  const text = shortResponseText({ responseBody: decodeBody(body) })
  const answer = text === '' ? `${status}, without a text` : `${status} ${quoteText(text)}`
  return [`  Your app answered the webhook with ${answer}.`]
}

/** Problems that only the state of the order shows. */
const SHOWN_BY_STATE: ReadonlySet<string> = new Set<ReceiverProblem>([
  'paid-without-payment',
  'fulfilled-without-payment',
  'fulfilled-again',
  'not-paid',
  'not-kept',
  'not-fulfilled',
])

const MAX_NAMES = 5

function otherCasesLine({ name }: FoundResult, others: readonly FoundResult[]): string[] {
  if (others.length === 0) return []
  const isSameCause = others.every(({ sameAs }) => sameAs === name)
  const reason = isSameCause ? 'for the same reason' : 'probably for the same reason'
  const names = listNames(
    others.map((other) => other.name),
    MAX_NAMES,
  )
  return [`  Also failed, ${reason}: ${names}.`]
}
