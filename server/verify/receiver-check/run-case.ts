import type { CheckedOrder, CheckResult, Fact, Probe } from '../../contract/checks/check.ts'
import { formatAmount } from '../../contract/format/values.ts'
import { needsRefund, needSuitedOrder, whyNotPossible } from './why-not-possible.ts'
import { listNames } from '../../contract/format/list-names.ts'
import { curlCommand } from '../../domain/http/curl.ts'
import { findHarm, payBefore } from './diagnosis/after-garbage.ts'
import { isListening } from './app-process.ts'
import type { CaseContext } from './case-context.ts'
import { CaseFailure, checkWith } from './case-failure.ts'
import { type CaseTools, createTools } from './case-tools.ts'
import {
  goodWebhooksFail,
  NotPossibleError,
  paymentsFail,
  paymentsGoAstray,
  PAYMENTS_UNREAD,
  webhooksUnanswered,
} from '../app/run/not-possible.ts'
import type { CheckCase } from './check-case.ts'
import { NoOrderError, OrdersEndedError, SharedLinkError, unlessRefused } from '../app/run/check-error.ts'
import type { Encoding } from '../app/webhooks/webhook-variant.ts'
import { explainFailure } from './diagnosis/explain-failure.ts'
import { createFailure, late, type ReceiverFailure, type SeenProblem } from '../app/run/failure.ts'
import { expectedAnswer, expectedOrder, checkAnswer } from '../app/state/check-answer-and-order.ts'
import { ANSWER_DELAY_MS } from './orders/slow-orders.ts'
import { createMeeting, type Participant } from './webhooks/meeting.ts'
import { nameLostOrder, namePaysAnother, nameSharedReference } from './diagnosis/name-root-cause.ts'
import { isUnreachable } from '../app/run/sandbox-port.ts'
import { describeVariant } from './describe-variant.ts'
import { ODD_AMOUNT } from './scenarios/two-links.ts'
import { send } from './webhooks/send.ts'
import { takeSteps } from './take-steps.ts'
import { expectAnswerDuringCall, isWaiting, newLinkOf } from './scenarios/webhook-during-call.ts'

interface Verdict extends Pick<
  CheckResult,
  | 'outcome'
  | 'problem'
  | 'seen'
  | 'skipReason'
  | 'example'
  | 'isOtherOrder'
  | 'isLate'
  | 'fact'
  | 'exchange'
  | 'repeat'
> {
  /** `null` if the case did not fail. */
  readonly cause: ReceiverFailure['cause'] | null
}

/** Runs a case: creates an order, takes the steps, and checks the responses and the final state of the order. */
export async function runCase(context: CaseContext, checkCase: CheckCase): Promise<CheckResult> {
  const { name, group, title, why, provesEncoding } = checkCase
  const started = performance.now()
  context.underway.add(name)
  const { cause, ...verdict } = await tryCase(context, checkCase).finally(() => context.underway.delete(name))
  const { outcome, problem, seen, isLate = false } = verdict
  if (provesEncoding !== undefined) {
    const failure =
      outcome === 'passed'
        ? undefined
        : { problem: problem ?? 'not-accepted', seen, cause: cause ?? seen, ...late(isLate) }
    context.acceptedEncoding.record(provesEncoding, failure)
  }
  if (isLate && (problem === 'not-accepted' || problem === 'not-refused')) context.unanswered.push(name)
  const sameAs = cause === null ? null : findSameCause(context, checkCase, cause)
  const expected = expectedOf(checkCase, problem, context)
  const ms = Math.round(performance.now() - started)
  return { name, group, title, why, ...verdict, sameAs, ms, expected }
}

/** The result of a case that is skipped before it runs. */
export function skippedResult(
  { name, group, title, why, answer = 'accepted' }: CheckCase,
  reason: NotPossibleError,
): CheckResult {
  const { cause: _cause, ...verdict } = skipped(reason)
  return { name, group, title, why, ...verdict, sameAs: null, ms: 0, expected: expectedAnswer[answer] }
}

/** What a case expects. If it runs code of its own, its reason says more than the answer to a webhook. */
function expectedOf(
  { run, why, answer = 'accepted', finalOrder }: CheckCase,
  problem: Verdict['problem'],
  { watch }: CaseContext,
): string {
  const isAboutAnswer = problem === 'not-accepted' || problem === 'not-refused'
  if (run !== undefined && problem !== null && !isAboutAnswer) return why.replace(/\.$/, '')
  const checksOrder = watch !== undefined && finalOrder !== undefined
  return [expectedAnswer[answer], ...(checksOrder ? [expectedOrder[finalOrder]] : [])].join('; ')
}

/**
 * Returns the first case that failed for the same cause, if good webhooks fail for this cause, or if orders are refused.
 * Otherwise, two cases with the same symptom may have different causes.
 */
function findSameCause(
  { acceptedEncoding, firstCaseByCause }: CaseContext,
  { name, steps = [] }: CheckCase,
  cause: string,
): string | null {
  const encoding = steps
    .map((step) => ('send' in step && !('isIfRead' in step) ? step.send?.encoding : undefined))
    .find(Boolean)
  const good = acceptedEncoding.failureWith(encoding ?? acceptedEncoding.known() ?? 'form')
  if (cause !== ORDER_REFUSED && good?.cause !== cause) return null
  const first = firstCaseByCause.get(cause)
  if (first === undefined) firstCaseByCause.set(cause, name)
  return first ?? null
}

/** If webhooks got no answer in time in so many cases, others would only wait as well. */
const MAX_UNANSWERED = 3

/** Why a case cannot run, or would prove nothing after what earlier cases have found. */
async function whySkipped(context: CaseContext, checkCase: CheckCase): Promise<NotPossibleError | undefined> {
  const { paysAnotherSince, harmedSince, readsNoPayments, unanswered, unreachableSince } = context
  const reason = whyNotPossible(context, checkCase)
  if (reason !== undefined) return new NotPossibleError(reason, 'option')
  if (paysAnotherSince !== undefined) return new NotPossibleError(paymentsGoAstray(paysAnotherSince))
  if (unanswered.length >= MAX_UNANSWERED) return new NotPossibleError(webhooksUnanswered(unanswered[0]!))
  if (harmedSince !== undefined) return new NotPossibleError(paymentsFail(harmedSince))
  if (readsNoPayments && needsRefund(checkCase)) return new NotPossibleError(PAYMENTS_UNREAD)
  if (unreachableSince === undefined || !(await isGone(context))) return undefined
  return notReachable(unreachableSince)
}

async function tryCase(context: CaseContext, checkCase: CheckCase): Promise<Verdict> {
  const { acceptedEncoding, orders, sandbox } = context
  const whyNot = await whySkipped(context, checkCase)
  if (whyNot !== undefined) return skipped(whyNot)
  // The encoding is detected before the case changes pay_ids, because a receiver that fails then may still accept other good
  // webhooks.
  const { steps = [] } = checkCase
  const needsEncoding = steps.some(
    (step) => 'send' in step && step.send !== undefined && step.send.encoding === undefined,
  )
  if (needsEncoding) await acceptedEncoding.detect()
  const restorePayIds = checkCase.payIds && (await sandbox.distinguishPayIds(await orders.account()))
  try {
    if (checkCase.isBeforeLink) return await sendBeforeLink(context, checkCase)
    const isRestarted = steps.some((step) => 'restart' in step)
    const paidBefore = (checkCase.isGarbage || isRestarted) && (await payBefore(context))
    const verdict = await runEach(context, checkCase)
    if (checkCase.isGarbage && paidBefore && verdict.problem !== 'unreachable') {
      const { name } = checkCase
      const harm = await findHarm(context, { name, hasFailed: verdict.outcome === 'failed' }, paidBefore)
      if (harm !== undefined) return failed({ problem: 'harmed-by-garbage', seen: harm.seen }, harm.order)
    }
    return (verdict.outcome === 'passed' && (await findInconclusive(context, checkCase))) || verdict
  } catch (error) {
    if (error instanceof OrdersEndedError) return skipped(error)
    if (error instanceof NoOrderError && orders.hasMade()) return withoutOrder(error, checkCase)
    throw error
  } finally {
    await restorePayIds?.()
  }
}

const RUNS_AT_ONCE = 10

/**
 * Runs a case as many times as `times` says, with a new order each time. Ends with the first group of runs that contains a
 * failure.
 */
async function runEach(context: CaseContext, checkCase: CheckCase): Promise<Verdict> {
  // Repetitions find races, which only the state of an order shows. Without it, they would only strain small development servers.
  const times = context.watch === undefined ? 1 : (checkCase.times ?? 1)
  const verdicts: Verdict[] = []
  const most = context.crowded.length > 0 ? 1 : RUNS_AT_ONCE
  for (let left = times; left > 0 && !verdicts.some(isFailed); left -= most) {
    verdicts.push(...(await runAtOnce(context, checkCase, Math.min(left, most))))
  }
  return (
    verdicts.find(isFailed) ??
    verdicts.find(({ seen }) => seen === NO_ORDER_OF_AMOUNT) ??
    verdicts.find(({ outcome }) => outcome === 'passed') ??
    verdicts[0]!
  )
}

/** Why a case is skipped if the app refuses one of the amounts, although it may take the others. */
const NO_ORDER_OF_AMOUNT = 'the app created no order of one of the amounts'

const isFailed = ({ outcome }: Verdict): boolean => outcome === 'failed'

/** The variants of a case. An app may compare fields in forms only, so a webhook that must not pay is also sent as JSON, if the app reads JSON. */
async function variantsOf(
  { acceptedEncoding }: CaseContext,
  { variants = [{}], steps = [], run, finalOrder }: CheckCase,
): Promise<NonNullable<CheckCase['variants']>> {
  const isRefused = finalOrder === 'unpaid' && run === undefined
  const areBodies = steps.every(
    (step) => 'send' in step && step.send?.isInQuery === undefined && step.send?.body === undefined,
  )
  const haveEncoding = variants.some(({ send: { encoding } = {} }) => encoding !== undefined)
  if (!isRefused || !areBodies || haveEncoding) return variants
  const isAccepted = async (encoding: Encoding): Promise<boolean> =>
    (await acceptedEncoding.accepts(encoding).catch(unlessRefused)) ?? false
  if (!(await isAccepted('json'))) return variants
  const encodings: readonly Encoding[] = (await isAccepted('form')) ? ['form', 'json'] : ['json']
  return variants.flatMap((variant) =>
    encodings.map((encoding) => ({ ...variant, send: { ...variant.send, encoding } })),
  )
}

async function runAtOnce(
  context: CaseContext,
  checkCase: CheckCase,
  times: number,
): Promise<readonly Verdict[]> {
  const all = await variantsOf(context, checkCase)
  const variants = Array.from({ length: times }, () => all).flat()
  const meeting = createMeeting(variants.length)
  return Promise.all(
    variants.map(({ amount, send: variant }, index) => {
      const changed = amount === undefined ? checkCase : { ...checkCase, wantedOrder: { amount } }
      return withVerdict(context, changed, meeting[index], async (tools) => {
        if (checkCase.run !== undefined) return checkCase.run(tools)
        const order = await tools.make(changed)
        if (amount !== undefined) await expectPrice(tools, order, amount)
        needSuitedOrder(changed, order, context.options)
        const what = describeVariant({ amount, send: variant })
        const takeAll = (): Promise<void> => takeSteps(tools, changed, order, variant)
        return what === undefined ? takeAll() : checkWith(what, takeAll)
      })
    }),
  )
}

/** An app that keeps the prices that the check chooses must not cut higher ones. It may give a discount. */
async function expectPrice(tools: CaseTools, order: CheckedOrder, amount: number): Promise<void> {
  if (order.amount > amount / MOST_CUT || !tools.orders.canChooseAmounts) return
  const usual = await tools.make({ wantedOrder: { amount: ODD_AMOUNT } })
  if (usual.amount !== ODD_AMOUNT) return
  const seen = `an order of ${formatAmount(amount)} got a link of ${formatAmount(order.amount)}`
  const fact: Fact = {
    title: `The payment link of an order of ${formatAmount(amount)} has a different amount`,
    remedy: 'Create the link for the price of the order. Send numbers without thousands separators.',
  }
  throw new CaseFailure({ problem: 'wrong-link', seen, fact }, order)
}

/** No discount is so large, but €1,234 may be read as €1. */
const MOST_CUT = 10

/** Turns an error that a case throws into its verdict. */
async function withVerdict(
  context: CaseContext,
  checkCase: CheckCase,
  participant: Participant | undefined,
  run: (tools: CaseTools) => Promise<void>,
): Promise<Verdict> {
  const { name, shortName = name } = checkCase
  const tools = createTools(context, { ...checkCase, name: shortName }, participant)
  try {
    await run(tools).finally(participant?.leave)
  } catch (error) {
    if (error instanceof NotPossibleError) return skipped(error)
    if (await hasStopped(context, error)) {
      const failure = error instanceof CaseFailure ? error : undefined
      return unreachable(context, checkCase, `nothing listens at ${context.receiver}`, failure)
    }
    // The app has already created orders, so the options are correct.
    if (error instanceof NoOrderError && context.orders.hasMade()) return withoutOrder(error, checkCase)
    if (error instanceof SharedLinkError)
      return failed({ problem: 'shared-link', seen: error.seen }, error.link)
    if (error instanceof CaseFailure) return explained(context, checkCase, tools, error)
    throw error
  }
  const last = tools.lastAnswer()
  const seen = last === undefined ? 'no failure' : String(last.status)
  const exchange = last?.exchange ?? null
  return { ...UNEXPLAINED, outcome: 'passed', problem: null, seen, exchange, cause: null }
}

/** The verdict of a failed case, with the mistake in the app that explains the failure, if it is known. */
async function explained(
  context: CaseContext,
  checkCase: CheckCase,
  tools: CaseTools,
  failure: CaseFailure,
): Promise<Verdict> {
  const { order, probe } = failure
  const shared = nameSharedReference(context, order, failure.seenProblem)
  const lost = await nameLostOrder(context, checkCase, order, shared)
  const named = await namePaysAnother(context, checkCase, lost)
  // A webhook of another order is no evidence, unless it is the reason why a later one failed.
  const evidence = probe ?? tools.lastAnswer(named.isOtherOrder ? undefined : order)
  const seenProblem = explainFailure(context, named, order, evidence)
  if (probe === undefined) return { ...failed(seenProblem, order), exchange: evidence?.exchange ?? null }
  return isUnreachable(probe)
    ? unreachable(context, checkCase, probe.error ?? 'no answer', failure)
    : failedByAnswer(seenProblem, probe, order)
}

/**
 * If a receiver rejects good webhooks, it proves nothing that it rejects bad ones. The first such case fails with the cause of
 * the good webhook's failure, and the others are skipped.
 */
async function findInconclusive(
  { acceptedEncoding, firstCaseByCause }: CaseContext,
  { answer, finalOrder }: CheckCase,
): Promise<Verdict | undefined> {
  const expectsRejection = answer === 'tolerated' || finalOrder === 'unpaid'
  if (!expectsRejection || (await acceptedEncoding.detect()) !== undefined) return undefined
  const failure = acceptedEncoding.failureWith('form')!
  const first = firstCaseByCause.get(failure.cause)
  if (first !== undefined) return skipped(new NotPossibleError(goodWebhooksFail(first)))
  return failedBecause({ ...failure, seen: `a good webhook fails: ${failure.seen}` })
}

/** Sends the webhook before the app knows the link of the order. If the app does not accept it, it is sent again later. */
async function sendBeforeLink(context: CaseContext, checkCase: CheckCase): Promise<Verdict> {
  let early: readonly Probe[] = []
  const encoding = (await context.acceptedEncoding.detect()) ?? 'form'
  const other = await context.orders.make({ name: checkCase.name })
  let waitedMs = 0
  let wasPaid = false
  const isStateKnown = context.watch !== undefined
  const isAccepted = (): boolean =>
    early.length > 0 && early.every((probe) => checkAnswer('accepted', probe, { isStateKnown }) === undefined)
  const order = await context.orders.makeSlowly(checkCase, async (link) => {
    const started = performance.now()
    const answered = send(context, { order: other, check: checkCase.name }, { encoding })
    early = await send(context, { order: link, check: checkCase.name }, { encoding })
    await answered
    waitedMs = performance.now() - started
    const state = isAccepted() ? await context.watch?.read(link) : undefined
    wasPaid = state !== undefined && 'paid' in state && state.paid
  })
  if ('whyNot' in order) {
    const delay = `${ANSWER_DELAY_MS / 1000} s`
    return skipped(
      new NotPossibleError(
        `the app created no order while the service delayed its answer by ${delay}`,
        'order',
        order.whyNot,
      ),
    )
  }
  return withVerdict(context, checkCase, undefined, async (tools) => {
    await takeSteps(tools, isAccepted() ? { ...checkCase, steps: [] } : checkCase, order, {}, wasPaid)
    if (isWaiting(waitedMs, ANSWER_DELAY_MS)) await expectAnswerDuringOrder(tools, order)
  })
}

/** Expects an answer to the webhook of another order while the app waits for the link of an order. */
async function expectAnswerDuringOrder(
  tools: CaseTools,
  { accountId: account }: CheckedOrder,
): Promise<void> {
  const makeAnother = (): Promise<unknown> => tools.make({ isAlone: true }).catch(unlessRefused)
  await expectAnswerDuringCall(tools, 'createLink', await newLinkOf(tools, account, makeAnother))
}

/**
 * An app may refuse an order with an unusual amount or note. It must accept orders like those that it has accepted before, and must not
 * make a call of the note that the service refuses.
 */
function withoutOrder(
  { reason, hasFailed, isLate, refusedCall }: NoOrderError,
  { wantedOrder, variants = [], needs = [] }: CheckCase,
): Verdict {
  const isUnusual = wantedOrder !== undefined || variants.some(({ amount }) => amount !== undefined)
  if (isUnusual && !hasFailed && variants.length > 0 && wantedOrder?.amount !== undefined)
    return skipped(
      new NotPossibleError(NO_ORDER_OF_AMOUNT, 'order', `${formatAmount(wantedOrder.amount)}: ${reason}`),
    )
  const isAboutNotes = wantedOrder?.note !== undefined || needs.includes('notes')
  if (isUnusual && !hasFailed && !(isAboutNotes && refusedCall !== undefined))
    return skipped(new NotPossibleError('the app created no order this time', 'order', reason))
  return failedBecause({
    problem: 'order-refused',
    seen:
      refusedCall === undefined
        ? `an order was refused, and orders like it were taken before: ${reason}`
        : `${refusedCall.seen}. The customer got no payment link: ${reason}`,
    ...late(isLate),
    ...(refusedCall === undefined || isAboutNotes ? {} : { fact: refusedCall.fact }),
    cause: refusedCall?.seen ?? ORDER_REFUSED,
  })
}

const ORDER_REFUSED = 'order refused'

/**
 * The verdict of a case in which the app has stopped. The case fails, and the following cases are skipped until the app responds again.
 */
function unreachable(
  context: CaseContext,
  { name }: CheckCase,
  error: string,
  failure: CaseFailure | undefined,
): Verdict {
  if (context.unreachableSince !== undefined) return skipped(notReachable(context.unreachableSince))
  context.unreachableSince = name
  const others = [...context.underway].filter((one) => one !== name)
  const meanwhile = others.length === 0 ? '' : `. At the same time, the check ran ${listNames(others)}`
  const seen = `${error}, although it answered before: check that the app is still running${meanwhile}`
  return failure?.probe === undefined
    ? failedBecause({ problem: 'unreachable', seen, cause: seen })
    : failedByAnswer({ problem: 'unreachable', seen }, failure.probe, failure.order)
}

/** Whether nothing listens at the receiver, although something did when the check began. */
const isGone = async ({ isDirectlyReachable, receiver }: CaseContext): Promise<boolean> =>
  isDirectlyReachable && !(await isListening(receiver))

/** Whether a case has failed because the app has stopped, although its error does not say so. */
async function hasStopped(context: CaseContext, error: unknown): Promise<boolean> {
  const isUnexplained =
    error instanceof NoOrderError
      ? context.orders.hasMade()
      : error instanceof CaseFailure && (error.probe === undefined || !isUnreachable(error.probe))
  return isUnexplained && isGone(context)
}

const notReachable = (name: string): NotPossibleError =>
  new NotPossibleError(`the receiver has not been reachable since ${name}`)

/** What a verdict has if no response and no single request explain it. */
const UNEXPLAINED = { skipReason: null, exchange: null, repeat: null } as const

const failedBecause = (failure: ReceiverFailure): Verdict => ({
  outcome: 'failed',
  ...failure,
  ...UNEXPLAINED,
})

const failed = (problem: SeenProblem, order: CheckedOrder): Verdict =>
  failedBecause(createFailure(problem, order))

const failedByAnswer = (problem: SeenProblem, { exchange }: Probe, order: CheckedOrder): Verdict => ({
  ...failed(problem, order),
  exchange,
  repeat: curlCommand(exchange.request).replaceAll(' \\\n  ', ' '),
})

const skipped = ({ message, skipReason, example }: NotPossibleError): Verdict => ({
  ...UNEXPLAINED,
  outcome: 'skipped',
  problem: null,
  seen: message,
  skipReason,
  ...(example === undefined ? {} : { example }),
  cause: null,
})
