import type { CheckedOrder, CheckResult, Probe } from '../../contract/checks/check.ts'
import { formatAmount } from '../../contract/format/values.ts'
import { listNames } from '../../contract/format/list-names.ts'
import { curlCommand } from '../../domain/http/curl.ts'
import { findHarm, payBefore } from './after-garbage.ts'
import { isListening } from './app-process.ts'
import type { CaseContext } from './case-context.ts'
import {
  CaseFailure,
  type CaseTools,
  checkWith,
  createTools,
  NO_CALLBACK,
  NO_ENDPOINT,
} from './case-tools.ts'
import {
  goodWebhooksFail,
  hasOtherNote,
  NotPossibleError,
  paymentsFail,
  paymentsGoAstray,
  PAYMENTS_UNREAD,
  webhooksUnanswered,
} from './not-possible.ts'
import type { CheckCase } from './check-case.ts'
import { NoOrderError, SharedLinkError } from './check-error.ts'
import { explainFailure } from './explain-failure.ts'
import { createFailure, late, type ReceiverFailure, type SeenProblem } from './failure.ts'
import { expectedAnswer, expectedOrder, checkAnswer } from './check-answer-and-order.ts'
import { ANSWER_DELAY_MS } from './make-orders.ts'
import { createMeeting, type Participant } from './meeting.ts'
import { nameLostOrder, namePaysAnother, nameSharedReference } from './name-root-cause.ts'
import { isUnreachable } from './sandbox-port.ts'
import { describeVariant } from './describe-variant.ts'
import { send } from './send.ts'
import { takeSteps } from './take-steps.ts'
import { expectAnswerDuringCall, isWaiting, newLinkOf } from './webhook-during-call.ts'

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
  const encoding = steps.map((step) => ('send' in step ? step.send?.encoding : undefined)).find(Boolean)
  const good = acceptedEncoding.failureWith(encoding ?? acceptedEncoding.known() ?? 'form')
  if (cause !== ORDER_REFUSED && good?.cause !== cause) return null
  const first = firstCaseByCause.get(cause)
  if (first === undefined) firstCaseByCause.set(cause, name)
  return first ?? null
}

/** If webhooks got no answer in time in so many cases, others would only wait as well. */
const MAX_UNANSWERED = 3

async function tryCase(context: CaseContext, checkCase: CheckCase): Promise<Verdict> {
  const { acceptedEncoding, orders, sandbox, paysAnotherSince, harmedSince, unanswered, unreachableSince } =
    context
  const reason = whyNotPossible(context, checkCase)
  if (reason !== undefined) return skipped(new NotPossibleError(reason, 'option'))
  if (paysAnotherSince !== undefined) return skipped(new NotPossibleError(paymentsGoAstray(paysAnotherSince)))
  if (unanswered.length >= MAX_UNANSWERED)
    return skipped(new NotPossibleError(webhooksUnanswered(unanswered[0]!)))
  if (harmedSince !== undefined) return skipped(new NotPossibleError(paymentsFail(harmedSince)))
  if (context.readsNoPayments && needsRefund(checkCase)) return skipped(new NotPossibleError(PAYMENTS_UNREAD))
  if (unreachableSince !== undefined && (await isGone(context)))
    return skipped(notReachable(unreachableSince))
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
  } finally {
    await restorePayIds?.()
  }
}

/** How many runs of a case happen at the same time. */
const RUNS_AT_ONCE = 10

/**
 * Runs a case as many times as `times` says, with a new order each time. Ends with the first group of runs that contains a
 * failure.
 */
async function runEach(context: CaseContext, checkCase: CheckCase): Promise<Verdict> {
  // Repetitions find races, which only the state of an order shows. Without it, they would only strain small development servers.
  const times = context.watch === undefined ? 1 : (checkCase.times ?? 1)
  const verdicts: Verdict[] = []
  for (let left = times; left > 0 && !verdicts.some(isFailed); left -= RUNS_AT_ONCE) {
    verdicts.push(...(await runAtOnce(context, checkCase, Math.min(left, RUNS_AT_ONCE))))
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

/** Runs each variant of a case this many times. */
async function runAtOnce(
  context: CaseContext,
  checkCase: CheckCase,
  times: number,
): Promise<readonly Verdict[]> {
  const variants = Array.from({ length: times }, () => checkCase.variants ?? [{}]).flat()
  const meeting = createMeeting(variants.length)
  return Promise.all(
    variants.map(({ amount, send: variant }, index) => {
      const changed = amount === undefined ? checkCase : { ...checkCase, wantedOrder: { amount } }
      return withVerdict(context, changed, meeting[index], async (tools) => {
        if (checkCase.run !== undefined) return checkCase.run(tools)
        const order = await tools.make(changed)
        const unsuited = whyOrderUnsuited(changed, order, context.options)
        if (unsuited !== undefined) throw unsuited
        const what = describeVariant({ amount, send: variant })
        const takeAll = (): Promise<void> => takeSteps(tools, changed, order, variant)
        return what === undefined ? takeAll() : checkWith(what, takeAll)
      })
    }),
  )
}

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
    const stopped = await unreachableNow(context, checkCase, error)
    if (stopped !== undefined) return stopped
    // The app has already created orders, so the options are correct.
    if (error instanceof NoOrderError && context.orders.hasMade()) {
      return withoutOrder(error, checkCase)
    }
    if (error instanceof SharedLinkError)
      return failed({ problem: 'shared-link', seen: error.seen }, error.link)
    if (!(error instanceof CaseFailure)) throw error
    const { order, probe } = error
    const found = nameSharedReference(context, order, error.seenProblem)
    const named = await nameLostOrder(context, checkCase, order, found)
    const whole = await namePaysAnother(context, checkCase, named)
    // A webhook of another order is no evidence, unless it is the reason why a later one failed.
    const evidence = probe ?? tools.lastAnswer(whole.isOtherOrder ? undefined : order)
    const seenProblem = explainFailure(context, whole, order, evidence)
    if (probe === undefined) {
      return { ...failed(seenProblem, order), exchange: evidence?.exchange ?? null }
    }
    return isUnreachable(probe)
      ? unreachable(context, checkCase, probe, order)
      : failedByAnswer(seenProblem, probe, order)
  }
  const last = tools.lastAnswer()
  const seen = last === undefined ? 'no failure' : String(last.status)
  return {
    outcome: 'passed',
    problem: null,
    seen,
    skipReason: null,
    exchange: last?.exchange ?? null,
    repeat: null,
    cause: null,
  }
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
  const { problem, seen, cause, isLate = false } = acceptedEncoding.failureWith('form')!
  const first = firstCaseByCause.get(cause)
  if (first !== undefined) return skipped(new NotPossibleError(goodWebhooksFail(first)))
  return {
    outcome: 'failed',
    problem,
    seen: `a good webhook fails: ${seen}`,
    ...late(isLate),
    skipReason: null,
    exchange: null,
    repeat: null,
    cause,
  }
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

function unlessRefused(error: unknown): void {
  if (!(error instanceof NoOrderError)) throw error
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
  return {
    outcome: 'failed',
    problem: 'order-refused',
    seen:
      refusedCall === undefined
        ? `an order was refused, and orders like it were taken before: ${reason}`
        : `${refusedCall.seen}. The customer got no payment link: ${reason}`,
    ...late(isLate),
    ...(refusedCall === undefined || isAboutNotes ? {} : { fact: refusedCall.fact }),
    skipReason: null,
    exchange: null,
    repeat: null,
    cause: refusedCall?.seen ?? ORDER_REFUSED,
  }
}

const ORDER_REFUSED = 'order refused'

/** Whether a case requests refunds. */
export const needsRefund = ({ steps = [], needs = [] }: Pick<CheckCase, 'steps' | 'needs'>): boolean =>
  needs.includes('refund') || needs.includes('partial-refund') || steps.some((step) => 'refund' in step)

const CHOOSES_AMOUNTS = 'the app chooses the amounts of its orders itself: write {amount} in --order-body'

/** Why a case cannot run with these options. */
function whyNotPossible(
  { orders, watch, options, app }: CaseContext,
  { wantedOrder, steps = [], isBeforeLink, needs = [], variants = [] }: CheckCase,
): string | undefined {
  if (steps.some((step) => 'restart' in step)) {
    if (app === undefined) {
      return 'the check cannot stop and start your app, and so cannot see whether payments are stored before the answer: pass --restart "<command that starts your app>"'
    }
    if (watch === undefined) return NO_STATE
  }
  if (needsRefund({ steps, needs })) {
    if (!orders.appMakesOrders)
      return 'the app cannot be asked for a refund: pass --order-url and --refund-url'
    if (options.refundUrl === undefined) return 'the app cannot be asked for a refund: pass --refund-url'
    if (watch === undefined) return NO_STATE
  }
  if (needs.includes('partial-refund') && !options.refundUrl?.includes('{refundAmount}')) {
    return 'the app cannot be asked for a partial refund: write {refundAmount} in --refund-url'
  }
  if (needs.includes('again') && !orders.canOrderAgain) {
    return 'no customer can place the same order again: write {order} in --order-url or --order-body'
  }
  if (isBeforeLink && !orders.appMakesOrders) {
    return 'no webhook can arrive before the link, because the check does not place the orders: pass --order-url'
  }
  if ((wantedOrder?.note !== undefined || needs.includes('notes')) && !orders.canChooseNotes) {
    return 'the app chooses the notes of its orders itself: write {note} in --order-body'
  }
  if (variants.some(({ amount }) => amount !== undefined) && !orders.canChooseAmounts) {
    return CHOOSES_AMOUNTS
  }
  const needsWatch = needs.length > 0 && watch === undefined
  if (needsWatch) return NO_STATE
  if (needs.includes('amounts') && !orders.canChooseAmounts) return CHOOSES_AMOUNTS
  if (orders.appMakesOrders) return undefined
  const needsCustomer = needs.includes('account') || steps.some((step) => 'browser' in step)
  return needsCustomer
    ? 'no customer can return, because the check does not place the orders: pass --order-url'
    : undefined
}

const NO_STATE = 'the state of orders is not known: pass --state-url'

/** Why a case proves nothing with this order of the app. */
function whyOrderUnsuited(
  { steps = [], wantedOrder, variants }: CheckCase,
  { amount, note, callbackUrl, targets }: CheckedOrder,
  { stateUrl = '' }: CaseContext['options'],
): NotPossibleError | undefined {
  if (
    targets.length === 0 &&
    steps.some((step) => ('pay' in step && step.pay === 'sandbox') || 'resend' in step)
  ) {
    return new NotPossibleError(NO_ENDPOINT, 'order')
  }
  const wantedNote = wantedOrder?.note
  if (wantedNote !== undefined && stateUrl.includes('{note}')) {
    const isSuited = wantedNote === '' ? note === '' : note.includes(wantedNote)
    if (!isSuited) return hasOtherNote(note, wantedNote)
  }
  if (callbackUrl === '' && steps.some((step) => 'browser' in step)) {
    return new NotPossibleError(NO_CALLBACK, 'order')
  }
  if (wantedOrder?.amount === undefined) return undefined
  if (variants !== undefined)
    return amount === wantedOrder.amount ? undefined : otherAmount(amount, String(wantedOrder.amount))
  // Writing two decimals makes a difference only if the amount has fewer.
  const writesTwoDecimals = steps.some((step) => 'send' in step && step.send?.amount === 'two-decimals')
  const isAmountSuited = writesTwoDecimals
    ? decimalsOf(amount) < 2
    : decimalsOf(amount) === decimalsOf(wantedOrder.amount)
  return isAmountSuited ? undefined : otherAmount(amount, `an amount like ${wantedOrder.amount}`)
}

const otherAmount = (amount: number, expected: string): NotPossibleError =>
  new NotPossibleError(
    'the app created an order of a different amount than the case needs',
    'order',
    `${amount} instead of ${expected}`,
  )

const decimalsOf = (euros: number): number => String(euros).split('.')[1]?.length ?? 0

/** The app has stopped: the current case fails, and the following cases are skipped until the app responds again. */
function unreachable(context: CaseContext, { name }: CheckCase, probe: Probe, order: CheckedOrder): Verdict {
  if (context.unreachableSince !== undefined) return skipped(notReachable(context.unreachableSince))
  context.unreachableSince = name
  return failedByAnswer(stopsAnswering(context, name, probe.error ?? 'no answer'), probe, order)
}

/** Whether nothing listens at the receiver, although something did when the check began. */
const isGone = async ({ isDirectlyReachable, receiver }: CaseContext): Promise<boolean> =>
  isDirectlyReachable && !(await isListening(receiver))

/** Like `unreachable`, for a case that has failed for a different reason because the app has stopped meanwhile. */
async function unreachableNow(
  context: CaseContext,
  { name }: CheckCase,
  error: unknown,
): Promise<Verdict | undefined> {
  const isUnexplained =
    error instanceof NoOrderError
      ? context.orders.hasMade()
      : error instanceof CaseFailure && (error.probe === undefined || !isUnreachable(error.probe))
  if (!isUnexplained || !(await isGone(context))) return undefined
  if (context.unreachableSince !== undefined) return skipped(notReachable(context.unreachableSince))
  context.unreachableSince = name
  const problem = stopsAnswering(context, name, `nothing listens at ${context.receiver}`)
  if (error instanceof CaseFailure && error.probe !== undefined)
    return failedByAnswer(problem, error.probe, error.order)
  return {
    outcome: 'failed',
    ...problem,
    skipReason: null,
    exchange: null,
    repeat: null,
    cause: problem.seen,
  }
}

function stopsAnswering({ underway }: CaseContext, name: string, error: string): SeenProblem {
  const others = [...underway].filter((one) => one !== name)
  const meanwhile = others.length === 0 ? '' : `. At the same time, the check ran ${listNames(others)}`
  return {
    problem: 'unreachable',
    seen: `${error}, although it answered before: check that the app is still running${meanwhile}`,
  }
}

const notReachable = (name: string): NotPossibleError =>
  new NotPossibleError(`the receiver has not been reachable since ${name}`)

const failedByAnswer = (problem: SeenProblem, { exchange }: Probe, order: CheckedOrder): Verdict => ({
  ...failed(problem, order),
  exchange,
  repeat: curlCommand(exchange.request).replaceAll(' \\\n  ', ' '),
})

const failed = (problem: SeenProblem, order: CheckedOrder): Verdict => ({
  outcome: 'failed',
  ...createFailure(problem, order),
  skipReason: null,
  exchange: null,
  repeat: null,
})

const skipped = ({ message, skipReason, example }: NotPossibleError): Verdict => ({
  outcome: 'skipped',
  problem: null,
  seen: message,
  skipReason,
  ...(example === undefined ? {} : { example }),
  exchange: null,
  repeat: null,
  cause: null,
})
