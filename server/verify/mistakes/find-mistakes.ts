import type {
  CaseResult,
  CheckResult,
  Mistake,
  ProblemCases,
  ReceiverProblem,
} from '../../contract/checks/check.ts'
import { quoteText } from '../../domain/text/quote-text.ts'
import { decodeBody, type Exchange } from '../../domain/http/exchange.ts'
import { shortResponseText } from '../../domain/webhooks/response-facts.ts'
import { mistakeTitles, SINGLE_PAYMENTS } from './mistake-titles.ts'
import { remedyFor } from './remedies.ts'

type FailedResult = Pick<CaseResult, 'name' | 'why' | 'isLate' | 'fact'> &
  Partial<Pick<CheckResult, 'seen' | 'sameAs' | 'isOtherOrder' | 'exchange'>>

interface CheckFindings<Problem extends string> {
  readonly problems: readonly ProblemCases<Problem>[]
  readonly results: readonly FailedResult[]
}

/** The common cause of several failures, and what to do. */
export interface Advice {
  /** The cause in the words of a shop. If it is missing, the mistake keeps its own title. */
  readonly title?: string
  readonly text: string
  /** True if the app handles no good webhook at all, so that no failed payment needs another explanation. */
  readonly isForAll: boolean
  /** True if the app fails for good webhooks now and then, whatever the case. */
  readonly isUnreliable?: true
}

interface Remedies {
  /** What to do about a problem. If a problem has no entry, its case says what to do. */
  readonly remedies: Readonly<Record<string, string>>
  readonly advice?: Advice | null
}

/** A mistake, with the results of its cases. */
interface Group<Problem extends string> {
  readonly title: string
  readonly problem: Problem
  readonly first: FailedResult
  readonly others: readonly FailedResult[]
}

/** What is wrong with the app, the most expensive mistake first. Each failed case belongs to one mistake. */
export function findMistakes<Problem extends string>(
  { problems, results }: CheckFindings<Problem>,
  { remedies, advice = null }: Remedies,
): readonly Mistake<Problem>[] {
  const facts = factsOf(problems, results)
  const unnamed = results.filter(({ fact }) => fact === undefined)
  const byCause = problemsByCause(problems, unnamed)
  const named = advice?.isUnreliable ? byCause : problemsOfCrowd(byCause, unnamed)
  const slow = slowAnswers(named, unnamed)
  const groups = withConsequences([
    ...facts,
    ...named.flatMap((problem) => [
      ...mistakesOf(problem, unnamed),
      ...slow.filter((group) => group.problem === problem.problem),
    ]),
  ])
  const explained = advice === null ? undefined : explainedOf(groups, advice)
  const unexplained = groups.filter(
    ({ first }) => !explained || ![explained.first, ...explained.others].includes(first),
  )
  return [...(explained === undefined ? [] : [explained]), ...unexplained].map((group) => {
    const { title, problem, first, others } = group
    return {
      title,
      problem,
      case: first.name,
      answer: answerOf(group),
      remedy:
        group === explained ? advice!.text : (first.fact?.remedy ?? remedyFor(remedies, problem, first)),
      others: others.map(({ name }) => name),
      isSameCause: others.every(({ sameAs }) => sameAs === first.name),
    }
  })
}

/** The failures that a fact explains, one mistake for each fact. A fact is certain, so these come before the others. */
function factsOf<Problem extends string>(
  problems: readonly ProblemCases<Problem>[],
  results: readonly FailedResult[],
): readonly Group<Problem>[] {
  const groups = new Map<string, Group<Problem>>()
  for (const { problem, cases } of problems) {
    for (const result of results) {
      if (result.fact === undefined || !cases.includes(result.name)) continue
      const { title } = result.fact
      const group = groups.get(title)
      groups.set(
        title,
        group === undefined
          ? { title, problem, first: result, others: [] }
          : { ...group, others: [...group.others, result] },
      )
    }
  }
  return [...groups.values()]
}

/** Cases that prove that a payment pays another order, if they have found an order that is paid without a payment. */
const PAYS_ANOTHER = new Set(['unknown-pay-id', 'note-shared', 'note-similar', 'two-orders-of-one-customer'])

/** The case that shows whether an app handles webhooks only after it has answered them. */
const RESTART = 'killed-after-answer'

/** Cases in which an app that handles webhooks later does not notice one webhook when it gets another one. */
const AT_ONCE = new Set(['repeated-at-once', 'second-payment-at-once', 'both-links-paid-at-once'])

/** Cases that are about the return page alone. */
const VISITS = new Set([
  'visit-alone',
  'redirect-alone',
  'cancel-redirect-alone',
  'redirect-after-cancel',
  'returned-often',
])

/** Cases in which the customer also returns. */
const WITH_VISITS = new Set([
  ...VISITS,
  'redirect-of-another-payment',
  'cancelled-twice',
  'cancel-redirect-after-success',
  'success-after-cancel-redirect',
  'redirect-before-webhook',
  'webhook-during-redirect',
  'return-after-refund',
  'late-cancel',
])

/** Cases that do with the orders of other cases what earlier cases have done with their own. */
const AT_END = new Set(['closing-look', 'late-repetition', 'late-cancel'])

const ACTS_ON_VISITS: ReadonlySet<string> = new Set<ReceiverProblem>([
  'paid-without-payment',
  'fulfilled-without-payment',
  'fulfilled-again',
])

type AnyGroup = Group<string>

/** Whether a group has only cases of these names, or cases that have seen something with this text. */
const isOnly = ({ first, others }: AnyGroup, names: ReadonlySet<string>, text?: string): boolean =>
  [first, ...others].every(
    ({ name, seen = '' }) => names.has(name) || (text !== undefined && seen.includes(text)),
  )

const isFact = ({ first: { fact } }: AnyGroup): boolean => fact !== undefined

/** Cases of refunded orders. Other cases do the same after a refund of a part, or with two links. */
const AFTER_REFUND = new Set(['success-after-refund', 'cancel-after-refund', 'refund-clicked-twice'])

/** Cases whose orders cost 19.99, because floating-point arithmetic makes this amount inexact. */
const WITH_ODD_AMOUNTS = new Set([
  'older-link-cancelled-again',
  'newer-link-cancelled',
  'older-link-paid',
  'newer-link-paid',
  'old-price-paid',
  'both-links-paid',
  'both-links-paid-at-once',
  'payment-after-refund',
  'refund-clicked-twice',
  'refund-of-right-payment',
  'refund-of-a-part',
  'refund-refused',
])

const ONCE: ReadonlySet<string> = new Set(SINGLE_PAYMENTS)

/** One of the cases with an unusual note or amount may fail because of that. */
const SEVERAL = 3

/** Cases that only repeat a webhook. */
const REPEATED = new Set(['repeated', 'resent-later'])

/** Cases in which an order is paid twice. */
const PAID_TWICE = new Set(['second-payment', 'both-links-paid'])

/** Cases that repeat a webhook among other things. */
const WITH_REPETITION = new Set([
  ...AT_END,
  'repeated-at-once',
  'repeated-differently',
  'connection-lost',
  'success-after-late-cancel',
  'second-payment',
  'both-links-paid',
  'refund-of-a-part',
  'repeated-after-refund',
  'success-after-refund',
  'killed-after-answer',
])

/** What a refund that nobody asked for looks like. */
const REFUNDED: ReadonlySet<string> = new Set<ReceiverProblem>([
  'not-paid',
  'undone-later',
  'not-kept',
  'wrong-refund',
  'refund-repeated',
  'changed-after-refund',
])

/** Cases that cancel an order, and then do what must not pay it. */
const AFTER_CANCEL = new Set([
  'cancelled-state',
  'cancelled-twice',
  'redirect-after-cancel',
  'newer-link-paid',
])

/** Cases in which a cancelled order is paid. */
const PAID_AFTER_CANCEL = new Set([
  'success-after-cancel-redirect',
  'success-with-cancel',
  'newer-link-cancelled',
  'older-link-paid',
  'older-link-paid-during-order',
])

/** What `late-payment` says about the cancelled one of its orders. */
export const PLACED_AND_CANCELLED = 'placed and cancelled'

/** What other cases say about a webhook if they have cancelled its order. */
export const FOR_CANCELLED_ORDER = 'for a cancelled order'

const WITHOUT_PAYMENT: ReadonlySet<string> = new Set<ReceiverProblem>([
  'paid-without-payment',
  'fulfilled-without-payment',
])

/** Mistakes with consequences that look like mistakes of their own. */
const CAUSES: readonly {
  readonly isCause: (group: AnyGroup) => boolean
  readonly isConsequence: (group: AnyGroup, cause: AnyGroup) => boolean
  /** Whether the cause also explains what a fact says. */
  readonly explainsFacts?: true
}[] = [
  {
    // If payments pay other orders, any case may fail for this reason.
    isCause: ({ problem, first: { name, isLate } }) =>
      !isLate &&
      (problem === 'shared-reference' ||
        problem === 'pays-another' ||
        (problem === 'paid-without-payment' && PAYS_ANOTHER.has(name))),
    isConsequence: ({ problem, first: { isLate } }) => CROWDED.has(problem) && !isLate,
  },
  {
    // An app that handles webhooks after its answer fulfills an order twice when two webhooks come at once.
    isCause: ({ problem, first }) => problem === 'not-paid' && first.name === RESTART,
    isConsequence: (group) => group.problem === 'fulfilled-again' && isOnly(group, AT_ONCE),
  },
  {
    // An app that takes the id of a link for the pay_id finds no order before it knows the link.
    isCause: ({ problem, first }) => problem === 'not-paid' && first.name === 'pay-id-is-not-id',
    isConsequence: (group) => isOnly(group, new Set(['webhook-before-order'])),
  },
  {
    // If a single payment ships several times, nothing proves that anything else does.
    isCause: ({ problem, first, others }) =>
      problem === 'fulfilled-again' &&
      (first.name === PLAIN || [first, ...others].filter(({ name }) => ONCE.has(name)).length >= SEVERAL),
    isConsequence: (group) => group.problem === 'fulfilled-again',
  },
  {
    // If each visit pays or ships, the cases with visits fail in many ways.
    isCause: (group) => ACTS_ON_VISITS.has(group.problem) && VISITS.has(group.first.name),
    isConsequence: (group) => isOnly(group, WITH_VISITS),
  },
  {
    isCause: ({ problem, first }) => problem === 'not-paid' && first.name === 'refused-first',
    isConsequence: ({ problem, first: { isLate } }) =>
      !isLate && (problem === 'not-paid' || problem === 'payment-forgotten'),
  },
  {
    isCause: ({ first: { name } }) => AFTER_REFUND.has(name),
    isConsequence: (group) => isOnly(group, new Set(['refund-of-a-part', 'payment-after-refund'])),
  },
  {
    // A cancel that always wins also does so at the same moment, and after a refund.
    isCause: ({ problem, first }) => problem === 'not-kept' && first.name === 'cancel-after-success',
    isConsequence: (group) =>
      isOnly(group, new Set(['success-with-cancel', 'cancel-after-refund', 'refund-of-a-part'])),
  },
  {
    // A refund that names the wrong payment may name a payment that was sent back already, or none that exists.
    isCause: ({ problem, first }) => problem === 'wrong-refund' && first.name === 'refund-of-right-payment',
    isConsequence: (group) => isOnly(group, new Set(['both-links-paid', 'payment-after-refund'])),
    explainsFacts: true,
  },
  {
    isCause: ({ problem, first }) => EXPLAINED.includes(problem) && first.name === 'amount-odd',
    isConsequence: (group) => CROWDED.has(group.problem) && isOnly(group, WITH_ODD_AMOUNTS),
  },
  {
    // A cancel that pays has paid each order that was cancelled before anything else came.
    isCause: ({ problem, first }) => WITHOUT_PAYMENT.has(problem) && first.name === 'cancelled',
    isConsequence: (group) =>
      (WITHOUT_PAYMENT.has(group.problem) || group.problem === 'not-cancelled') &&
      isOnly(group, AFTER_CANCEL, FOR_CANCELLED_ORDER),
  },
  {
    isCause: ({ first: { name } }) => name === 'success-after-cancel',
    isConsequence: (group, cause) =>
      isOnly(group, new Set(['success-after-cancel-redirect'])) ||
      (group.problem === cause.problem && isOnly(group, PAID_AFTER_CANCEL, `was ${PLACED_AND_CANCELLED}`)),
  },
  {
    // The same case sends emoji in JSON and in pieces.
    isCause: ({ first: { name } }) => name === 'note-four-bytes',
    isConsequence: (group, { problem }) => group.problem === problem && isOnly(group, new Set(['slow-json'])),
  },
  {
    // An app that only records refunds also does so while the service is down.
    isCause: ({ problem, first: { isLate } }) => problem === 'no-refund' && !isLate,
    isConsequence: (group) =>
      group.problem === 'wrong-refund' && isOnly(group, new Set(['service-down', 'refund-refused'])),
  },
  {
    // An app that refunds each repeated webhook also does so where a case repeats one for another reason.
    isCause: ({ problem, first }) => problem === 'unasked-refund' && REPEATED.has(first.name),
    isConsequence: (group) =>
      REFUNDED.has(group.problem) &&
      isOnly(group, group.problem === 'wrong-refund' ? PAID_TWICE : WITH_REPETITION),
  },
  {
    // A page that stays as it was at its first view also keeps the link of a cancelled order.
    isCause: ({ problem, first }) => problem === 'stale-page' && first.name === 'return-before-webhook',
    isConsequence: (group) => group.problem === 'dead-link' && isOnly(group, new Set(['return-cancelled'])),
  },
  {
    isCause: (group) => !isOnly(group, AT_END),
    isConsequence: (group, { problem }) => group.problem === problem && isOnly(group, AT_END),
  },
]

/** Adds what is only a consequence to its cause. */
function withConsequences<Problem extends string>(
  groups: readonly Group<Problem>[],
): readonly Group<Problem>[] {
  let merged = groups
  for (const { isCause, isConsequence, explainsFacts = false } of CAUSES)
    for (const cause of merged.filter((group) => !isFact(group) && isCause(group)))
      if (merged.includes(cause))
        merged = mergeInto(
          cause,
          merged,
          (group) => (explainsFacts || !isFact(group)) && isConsequence(group, cause),
        )
  return merged
}

/** Adds the cases of consequences to their cause, which takes the place of the first one. */
function mergeInto<Problem extends string>(
  cause: Group<Problem>,
  groups: readonly Group<Problem>[],
  isConsequence: (group: Group<Problem>) => boolean,
): readonly Group<Problem>[] {
  const isMerged = (group: Group<Problem>): boolean => group === cause || isConsequence(group)
  const further = groups.flatMap((group) =>
    group !== cause && isConsequence(group) ? [group.first, ...group.others] : [],
  )
  const whole = { ...cause, others: [...cause.others, ...further] }
  const place = groups.findIndex(isMerged)
  return groups.flatMap((group, index) => (index === place ? [whole] : isMerged(group) ? [] : [group]))
}

/** The problems that the advice of a report explains: the app handles no good webhook. */
const EXPLAINED: readonly string[] = ['not-paid', 'not-accepted'] satisfies readonly ReceiverProblem[]

/** What happens if the app fails for a webhook that it would accept at another time, the plainest first. */
const UNRELIABLE: readonly ReceiverProblem[] = [
  'not-accepted',
  'not-paid',
  'harmed-by-garbage',
  'not-fulfilled',
  'payment-forgotten',
  'not-cancelled',
  'not-refused',
  'no-refund',
]

/** The mistake that the advice of the report is about: that the app handles no form, or no good webhook, or fails now and then. */
function explainedOf<Problem extends string>(
  groups: readonly Group<Problem>[],
  { title, isForAll, isUnreliable }: Advice,
): Group<Problem> | undefined {
  const problems: readonly string[] = isUnreliable ? UNRELIABLE : EXPLAINED
  const explained = problems.flatMap((one) =>
    groups.filter(({ problem, first }) => problem === one && !(isUnreliable && first.isLate)),
  )
  const isForm = ({ first, others }: Group<Problem>): boolean =>
    [first, ...others].some(({ name }) => name === 'form-encoded-brackets')
  const main = explained.find(isForm) ?? explained[0]
  if (main === undefined) return undefined
  const further = isForAll ? explained.filter((group) => group !== main) : []
  return {
    ...main,
    title: title ?? main.title,
    others: [...main.others, ...further.flatMap(({ first, others }) => [first, ...others])],
  }
}

/** Moves cases that failed for the same reason as an earlier case to the problem of that case. */
function problemsByCause<Problem extends string>(
  problems: readonly ProblemCases<Problem>[],
  results: readonly FailedResult[],
): readonly ProblemCases<Problem>[] {
  const problemOf = (name: string): string | undefined =>
    problems.find(({ cases }) => cases.includes(name))?.problem
  return problems.map((one) => ({
    ...one,
    cases: results
      .filter(({ name, sameAs }) => problemOf(name) && problemOf(sameAs ?? name) === one.problem)
      .map(({ name }) => name),
  }))
}

/** The case in which many customers pay at once, and the case of a single plain payment. */
const MANY_AT_ONCE = 'many-at-once'
const PLAIN = 'form-encoded-brackets'

/** What happens to orders and webhooks if too many come at once, or if payments pay other orders. */
const CROWDED: ReadonlySet<string> = new Set<ReceiverProblem>([
  'not-paid',
  'undone-later',
  'not-kept',
  'order-lost',
  'not-fulfilled',
  'not-cancelled',
  'not-accepted',
  'no-refund',
  'order-refused',
  'unknown-state',
])

/**
 * Cases run side by side. If many webhooks at once are too many for the app, any case may fail for this reason, in different ways.
 * Then moves these cases to the problem of the case in which many customers pay at once.
 */
function problemsOfCrowd<Problem extends string>(
  problems: readonly ProblemCases<Problem>[],
  results: readonly FailedResult[],
): readonly ProblemCases<Problem>[] {
  const crowded = problems.filter(({ problem }) => CROWDED.has(problem))
  const crowd = crowded.find(({ cases }) => cases.includes(MANY_AT_ONCE))
  const { isLate, isOtherOrder } = results.find(({ name }) => name === MANY_AT_ONCE) ?? {}
  if (crowd === undefined || isLate || isOtherOrder) return problems
  // A payment that fulfills its order more than once has paid it.
  if (problems.some(({ problem, cases }) => problem !== 'fulfilled-again' && cases.includes(PLAIN)))
    return problems
  const lost = crowded.find(({ problem, cases }) => problem === 'order-lost' && cases.includes(MANY_AT_ONCE))
  const merged = { ...(lost ?? crowd), cases: crowded.flatMap(({ cases }) => cases) }
  return problems.flatMap((one) => (one === crowded[0] ? [merged] : crowded.includes(one) ? [] : [one]))
}

/**
 * The mistakes behind a problem. A case without a title of its own may have failed for any of them, so it is added to the first one. If
 * no failed case has one, the problem names the mistake.
 */
function mistakesOf<Problem extends string>(
  { problem, title, cases }: ProblemCases<Problem>,
  results: readonly FailedResult[],
): readonly Group<Problem>[] {
  const failed = results.filter(({ name, isLate }) => cases.includes(name) && !isLate)
  // The title of a case says nothing about a webhook that was sent after it.
  const direct = failed.filter((result) => !result.isOtherOrder && !isShownByPlainerCase(result, failed))
  const titled = Object.entries(mistakeTitles).find(([name]) => name === problem)?.[1] ?? []
  const named = titled.flatMap((titles): Group<Problem>[] => {
    const ofMistake = direct.filter(({ name }) => Object.hasOwn(titles, name))
    const [first] = Object.keys(titles).flatMap((name) => ofMistake.find((one) => one.name === name) ?? [])
    if (first === undefined) return []
    const text = fillIn(titles[first.name]!, first)
    return [{ title: text, problem, first, others: ofMistake.filter((one) => one !== first) }]
  })
  const mistakes = mergeSameCause(named)
  const crowd = mistakes.find(({ first }) => first.name === MANY_AT_ONCE)
  if (crowd !== undefined && !direct.some(({ name }) => name === PLAIN))
    return [{ ...crowd, others: failed.filter((result) => result !== crowd.first) }]
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

/** How cases say what is special about the order or the webhook that failed, and what it usually is. */
const IN_SEEN: Readonly<Record<string, { readonly pattern: RegExp; readonly usual: string }>> = {
  amount: { pattern: /(€\d[\d.,]*\d)/, usual: 'an odd amount' },
  note: { pattern: /^with (.+? in the note), /, usual: 'an unusual note' },
  field: { pattern: /^after a webhook in JSON with (.+?), /, usual: 'good fields' },
  refused: { pattern: /^when the real payment came after (.+?), /, usual: 'a forged webhook' },
  'wrong amount': { pattern: /^after (a webhook .+?), /, usual: 'a webhook with a wrong amount' },
  'wrong account': {
    pattern: /^after (a webhook .+?), /,
    usual: 'a webhook with the user_id of another account',
  },
}

/** Names what has failed, because other amounts, notes and webhooks may work. */
function fillIn(title: string, { seen = '' }: FailedResult): string {
  const text = title.replace(/\{(.+?)\}/, (_, name: string) => {
    const { pattern, usual } = IN_SEEN[name]!
    return pattern.exec(seen)?.[1] ?? usual
  })
  return `${text[0]!.toUpperCase()}${text.slice(1)}`
}

/**
 * Whether a plainer case has shown the same: `forged-user` for the first link of an order, or `missing-user-id` for an app that does not
 * read data[user_id][$ne].
 */
function isShownByPlainerCase({ name, seen = '' }: FailedResult, failed: readonly FailedResult[]): boolean {
  const hasFailed = (other: string): boolean => failed.some((one) => one.name === other)
  return (
    (name === 'newer-link-paid' && hasFailed('forged-user')) ||
    (name === 'forged-user' && seen.includes('[$ne]') && hasFailed('missing-user-id'))
  )
}

/** If two mistakes have the same cause, the first one explains it better. */
function mergeSameCause<Problem extends string>(
  groups: readonly Group<Problem>[],
): readonly Group<Problem>[] {
  const byCause = new Map<string, Group<Problem>>()
  for (const group of groups) {
    const { first, others } = group
    const cause = first.sameAs ?? first.name
    const earlier = byCause.get(cause)
    byCause.set(
      cause,
      earlier === undefined ? group : { ...earlier, others: [...earlier.others, first, ...others] },
    )
  }
  return [...byCause.values()]
}

/** The cases that got no answer in time, as a mistake of its own, with the first of their problems. */
function slowAnswers<Problem extends string>(
  problems: readonly ProblemCases<Problem>[],
  results: readonly FailedResult[],
): readonly Group<Problem>[] {
  const late = problems.flatMap(({ problem, cases }) =>
    results.flatMap((result) => (result.isLate && cases.includes(result.name) ? [{ problem, result }] : [])),
  )
  const [first, ...others] = late.map(({ result }) => result)
  if (first === undefined) return []
  const what = late.every(({ problem }) => problem === 'page-fails') ? 'The return page' : 'Your app'
  return [{ title: `${what} does not answer in time`, problem: late[0]!.problem, first, others }]
}

/** The text of an answer in one line. Empty if there is none. */
export const answerText = (exchange: CheckResult['exchange']): string =>
  exchange?.response == null ? '' : shortResponseText({ responseBody: decodeBody(exchange.response.body) })

/** The status of an answer, and its text if it has one: `503 "Locked"`. */
export function statusAndText(exchange: Exchange): string {
  const text = answerText(exchange)
  const status = String(exchange.response?.status)
  return text === '' ? status : `${status} ${quoteText(text)}`
}

/** The answer of the app to the last webhook of a case that has looked at the state of the order. */
function answerOf({ problem, first: { exchange, isOtherOrder } }: Group<string>): string | null {
  if (!SHOWN_BY_STATE.has(problem) || isOtherOrder || exchange?.response == null) return null
  const answer = statusAndText(exchange)
  return answerText(exchange) === '' ? `${answer}, without a text` : answer
}

/** Problems that only the state of the order shows. */
const SHOWN_BY_STATE: ReadonlySet<string> = new Set<ReceiverProblem>([
  'pays-another',
  'paid-without-payment',
  'fulfilled-without-payment',
  'fulfilled-again',
  'not-paid',
  'undone-later',
  'not-kept',
  'taken-back',
  'not-fulfilled',
])
