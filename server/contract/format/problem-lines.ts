import type { CallerProblem } from '../checks/caller-check.ts'
import type { CaseResult, CheckResult, ProblemCases, ReceiverProblem } from '../checks/check.ts'
import { listNames } from './list-names.ts'

interface Found {
  readonly problems: readonly ProblemCases<string>[]
  readonly results: readonly (Pick<CaseResult, 'name' | 'isLate' | 'why'> &
    Partial<Pick<CheckResult, 'sameAs' | 'isOtherOrder'>>)[]
  /** Only the report of a receiver check has an address of the receiver. */
  readonly receiver?: string
  readonly advice?: string | null
}

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
  'leaked-order':
    'Show an order only at an address that nobody can guess. A pay_id in an address or in a webhook proves nothing, because anybody can guess it.',
  'wrong-record': 'Record each pay_id once, however often its webhook comes.',
  'not-accepted':
    'Answer each webhook of the service with a 2xx status, even if there is nothing left to do.',
  'not-refused': 'Answer it with a 4xx status, or with a 2xx status and do nothing.',
  'unasked-refund':
    'Call refundPayment only if your staff asks for the refund, or if another pay_id pays the order a second time.',
  'no-refund':
    'Look at the log of your app: it must call refundPayment with the pay_id and the amount of the payment. If the request for a refund does not reach it, correct --refund-url.',
  'redirect-loop':
    'Send the customer to a page that answers with 200. Two rules of your app, such as one that adds the language to an address and one that removes it, must not redirect to each other.',
  'page-fails': 'Open this page yourself, and look at the log of your app.',
  'order-refused': 'Look at the log of your app. Shops must be able to take many orders at the same moment.',
  'unknown-state':
    'Look at the log of your app, or correct --state-url, --state-pointer, --count-pointer, --received-pointer or --refunded-pointer.',
} as const satisfies Partial<Record<ReceiverProblem, string>>

const callerAdvice = {
  'redirect-loop': receiverAdvice['redirect-loop'],
} as const satisfies Partial<Record<CallerProblem, string>>

/** Problems whose advice says only how to answer, or when to refund. The case says what to do with the webhook. */
const WITH_REASON: ReadonlySet<string> = new Set<ReceiverProblem>([
  'not-accepted',
  'not-refused',
  'unasked-refund',
])

/** The problems that the advice of a report explains: the app handles no good webhook. */
export const explainedProblems: ReadonlySet<string> = new Set<ReceiverProblem>(['not-accepted', 'not-paid'])

const LATER_WEBHOOK = 'Look at the log of your app. A webhook must not change what later webhooks do.'

const ANSWER_SOONER =
  'Answer first, and do slow work afterwards. If your app is slow only during the check, repeat the check while the machine does less.'

/** What to do about a problem that a case has found: the advice on the problem, the reason for the case, or both. */
export function remedyFor(
  { receiver }: Pick<Found, 'receiver'>,
  problem: string,
  result: Found['results'][number],
): string {
  const { isOtherOrder, isLate, why } = result
  if (isLate) return ANSWER_SOONER
  const adviceOn: Readonly<Record<string, string>> = receiver === undefined ? callerAdvice : receiverAdvice
  const advice = adviceOn[problem]
  if (advice === undefined) return isOtherOrder ? LATER_WEBHOOK : why
  return WITH_REASON.has(problem) && !isOtherOrder ? `${advice} ${why}` : advice
}

/**
 * One line for each problem, with the first cases that found it, and what to do about it unless the advice of the report says it. The
 * most expensive problem comes first. Cases that failed for the same reason as an earlier case are left out.
 */
export function problemLines(found: Found): string[] {
  const own = found.results.filter(({ sameAs = null }) => sameAs === null)
  return found.problems.flatMap(({ problem, title, cases }) => {
    const results = own.filter(({ name }) => cases.includes(name))
    // The reason for a case says nothing about a webhook that was sent after it.
    const direct = results.filter(({ isOtherOrder }) => !isOtherOrder)
    const plain = plainCases[problem]?.find((name) => direct.some((result) => result.name === name))
    const first = direct.find(({ name }) => name === plain) ?? direct[0] ?? results[0]
    if (first === undefined) return []
    const names = cases.filter((name) => results.some((result) => result.name === name))
    const line = `${title}: ${listNames(names)}`
    const isExplained = typeof found.advice === 'string' && explainedProblems.has(problem)
    return isExplained ? [line] : [`${line}. ${remedyFor(found, problem, first)}`]
  })
}
