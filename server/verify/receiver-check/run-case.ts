import type { CheckedOrder, CheckResult, Probe } from '../../contract/checks/check.ts'
import { curlCommand } from '../../domain/http/curl.ts'
import { redirectLocation } from '../../domain/webhooks/redirect.ts'
import type { PaymentOutcome } from '../../domain/webhooks/webhook.ts'
import type { AppProcess } from './app-process.ts'
import type { AcceptedEncoding } from './accepted-encoding.ts'
import type { CheckCase, WebhookVariant } from './check-case.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { createFailure, type Failure, type Judgement } from './failure.ts'
import { expectedAnswer, expectedOrder, judgeAnswer, judgeChange, judgeOrder } from './judge.ts'
import { ANSWER_DELAY_MS, type Orders } from './make-orders.ts'
import { requestApp } from './request-app.ts'
import { isUnreachable, type SandboxPort } from './sandbox-port.ts'
import { send } from './send.ts'
import { refundOrder } from './refund-order.ts'
import type { ObservedState, OrderWatch } from './watch-order.ts'

/** What the cases of one check share. */
export interface CaseContext {
  readonly receiver: string
  readonly sandbox: SandboxPort
  readonly orders: Orders
  readonly watch: OrderWatch | undefined
  readonly acceptedEncoding: AcceptedEncoding
  /** The app, if the check has started it. */
  readonly app: AppProcess | undefined
  readonly options: CheckRunOptions
  /** For each cause that makes good webhooks fail: the first case that failed for it. */
  readonly firstCaseByCause: Map<Failure['cause'], string>
  /** The case in which the receiver stopped listening. `undefined` once it answers again. */
  unreachableSince: string | undefined
}

interface Verdict extends Pick<CheckResult, 'outcome' | 'problem' | 'seen' | 'exchange' | 'repeat'> {
  /** `null` if the case has not failed. */
  readonly cause: Failure['cause'] | null
}

/** Runs one case: makes an order, takes the steps, and judges the answers and the final state of the order. */
export async function runCase(context: CaseContext, checkCase: CheckCase): Promise<CheckResult> {
  const { name, group, title, why, answer, finalOrder, provesEncoding } = checkCase
  const started = performance.now()
  const { cause, ...verdict } = await tryCase(context, checkCase)
  const { outcome, problem, seen } = verdict
  if (provesEncoding !== undefined) {
    const failure =
      outcome === 'passed' ? undefined : { problem: problem ?? 'not-accepted', seen, cause: cause ?? seen }
    context.acceptedEncoding.record(provesEncoding, failure)
  }
  const sameAs = cause === null ? null : findSameCause(context, checkCase, cause)
  const judgesOrder = context.watch !== undefined && finalOrder !== undefined
  const expected = [expectedAnswer[answer], ...(judgesOrder ? [expectedOrder[finalOrder]] : [])].join('; ')
  const ms = Math.round(performance.now() - started)
  return { name, group, title, why, ...verdict, sameAs, ms, expected }
}

/**
 * Returns the first case that failed for the same cause. It does so only if good webhooks fail for that cause too:
 * otherwise two cases with the same symptom may have different causes.
 */
function findSameCause(
  { acceptedEncoding, firstCaseByCause }: CaseContext,
  { name, steps }: CheckCase,
  cause: string,
): string | null {
  const encoding = steps.map((step) => ('send' in step ? step.send?.encoding : undefined)).find(Boolean)
  if (acceptedEncoding.failureWith(encoding ?? acceptedEncoding.known() ?? 'form')?.cause !== cause)
    return null
  const first = firstCaseByCause.get(cause)
  if (first === undefined) firstCaseByCause.set(cause, name)
  return first ?? null
}

async function tryCase(context: CaseContext, checkCase: CheckCase): Promise<Verdict> {
  const { acceptedEncoding, orders, sandbox } = context
  const reason = whyNotPossible(context, checkCase)
  if (reason !== undefined) return skipped(reason)
  // Detected before the case changes pay_ids: a receiver that fails because of them may still accept other good
  // webhooks.
  const needsEncoding = checkCase.steps.some(
    (step) => 'send' in step && step.send !== undefined && step.send.encoding === undefined,
  )
  if (needsEncoding) await acceptedEncoding.detect()
  const restorePayIds = checkCase.payIds && (await sandbox.distinguishPayIds(await orders.account()))
  try {
    if (checkCase.isBeforeLink) return await sendBeforeLink(context, checkCase)
    const order = await orders.make(checkCase)
    const unsuited = whyOrderUnsuited(checkCase, order)
    if (unsuited !== undefined) return skipped(unsuited)
    const verdict = await takeSteps(context, checkCase, order)
    return (verdict.outcome === 'passed' && (await findInconclusive(context, checkCase))) || verdict
  } finally {
    await restorePayIds?.()
  }
}

/**
 * A receiver that rejects good webhooks proves nothing by rejecting bad ones. The first such case fails with the cause of
 * the good webhook's failure, the others are skipped.
 */
async function findInconclusive(
  { acceptedEncoding, firstCaseByCause }: CaseContext,
  { answer, finalOrder }: CheckCase,
): Promise<Verdict | undefined> {
  const expectsRejection = answer === 'tolerated' || finalOrder === 'unpaid'
  if (!expectsRejection || (await acceptedEncoding.detect()) !== undefined) return undefined
  const { problem, seen, cause } = acceptedEncoding.failureWith('form')!
  const first = firstCaseByCause.get(cause)
  if (first !== undefined) return skipped(`inconclusive while good webhooks fail, see ${first}`)
  return {
    outcome: 'failed',
    problem,
    seen: `a good webhook fails: ${seen}`,
    exchange: null,
    repeat: null,
    cause,
  }
}

/** Sends the webhook before the app knows the link of the order. A webhook that is not accepted is sent again later. */
async function sendBeforeLink(context: CaseContext, checkCase: CheckCase): Promise<Verdict> {
  let early: readonly Probe[] = []
  const order = await context.orders.makeSlowly(checkCase, async (link) => {
    early = await send(
      context,
      { order: link, check: checkCase.name },
      await withAcceptedEncoding(context, {}),
    )
  })
  if ('whyNot' in order) {
    const delay = `${ANSWER_DELAY_MS / 1000} s`
    return skipped(
      `the app created no order while the service delayed its answer by ${delay}: ${order.whyNot}`,
    )
  }
  const isAccepted = early.length > 0 && early.every((probe) => judgeAnswer('accepted', probe) === undefined)
  return takeSteps(context, isAccepted ? { ...checkCase, steps: [] } : checkCase, order)
}

/** Why a case cannot run with these options. */
function whyNotPossible(
  { orders, watch, options, app }: CaseContext,
  { wantedOrder, steps, isBeforeLink }: CheckCase,
): string | undefined {
  if (steps.some((step) => 'restart' in step)) {
    if (app === undefined) return 'the check cannot kill the app: give the command that starts it'
    if (watch === undefined) return 'the state of orders is not known: give a state URL'
  }
  if (steps.some((step) => 'refund' in step)) {
    if (!orders.appMakesOrders)
      return 'the app cannot be asked for a refund: give an order URL and a refund URL'
    if (options.refundUrl === undefined) return 'the app cannot be asked for a refund: give a refund URL'
    if (watch === undefined) return 'the state of orders is not known: give a state URL'
  }
  if (isBeforeLink && !orders.appMakesOrders) {
    return 'no webhook can arrive before the link, because the app does not make the orders'
  }
  if (wantedOrder?.note !== undefined && !orders.canChooseNotes) {
    return 'the app chooses the notes of its orders itself'
  }
  if (orders.appMakesOrders) return undefined
  const needsCustomer = steps.some((step) => 'browser' in step)
  return needsCustomer ? 'no customer can return, because the app does not make the orders' : undefined
}

/** Why a case proves nothing with the order that the app made. */
function whyOrderUnsuited(
  { steps, wantedOrder }: CheckCase,
  { amount, note, callbackUrl, targets }: CheckedOrder,
): string | undefined {
  if (targets.length === 0 && steps.some((step) => 'pay' in step || 'resend' in step)) {
    return 'the sandbox sends no webhook, because the link of the order has no payment_endpoint'
  }
  const wantedNote = wantedOrder?.note
  if (wantedNote !== undefined && (wantedNote === '' ? note !== '' : !note.includes(wantedNote))) {
    return `the app made an order with the note ${JSON.stringify(note)}, and the case needs ${JSON.stringify(wantedNote)}`
  }
  if (callbackUrl === '' && steps.some((step) => 'browser' in step)) {
    return 'no customer can return, because the link of the order has no callback_url'
  }
  if (wantedOrder?.amount === undefined) return undefined
  // An amount with two decimals differs from the usual form only if that form has fewer decimals.
  const writesTwoDecimals = steps.some((step) => 'send' in step && step.send?.amount === 'two-decimals')
  const isSuited = writesTwoDecimals
    ? decimalsOf(amount) < 2
    : decimalsOf(amount) === decimalsOf(wantedOrder.amount)
  return isSuited
    ? undefined
    : `the app made an order of ${amount}, and the case needs an amount like ${wantedOrder.amount}`
}

const decimalsOf = (euros: number): number => String(euros).split('.')[1]?.length ?? 0

async function takeSteps(context: CaseContext, checkCase: CheckCase, order: CheckedOrder): Promise<Verdict> {
  const undo: (() => Promise<void>)[] = []
  try {
    return await takeEach(context, checkCase, order, undo)
  } finally {
    for (const restore of undo) await restore()
  }
}

async function takeEach(
  context: CaseContext,
  checkCase: CheckCase,
  order: CheckedOrder,
  undo: (() => Promise<void>)[],
): Promise<Verdict> {
  const { watch, sandbox } = context
  let last: Probe | undefined
  let refunded: ObservedState | undefined
  let wasPaid = false
  for (const step of checkCase.steps) {
    if ('until' in step) {
      const seen = await watch?.waitUntilPaid(order)
      wasPaid ||= seen !== undefined && 'paid' in seen && seen.paid
    } else if ('expect' in step) {
      const problem = watch && judgeOrder(step.expect, await watch.read(order), watch.source(order), wasPaid)
      if (problem !== undefined) return failed(problem, order)
    } else if ('pay' in step) await sandbox.pay(order)
    else if ('resend' in step) await sandbox.resend(order)
    else if ('dispute' in step) await sandbox.openDispute(order)
    else if ('advance' in step) undo.push(await sandbox.advanceClock())
    else if ('restart' in step) await context.app?.restart()
    else if ('refund' in step) {
      const problem = await refundOrder(context, order)
      if (problem !== undefined) return failed(problem, order)
      refunded = await watch?.read(order)
    } else {
      const variant = step.send && (await withAcceptedEncoding(context, step.send))
      const [problemOfPage, probes] = await Promise.all([
        'browser' in step ? returnCustomer(context, order, step.browser) : undefined,
        variant === undefined ? [] : send(context, { order, check: checkCase.name }, variant),
      ])
      if (problemOfPage !== undefined) return failed(problemOfPage, order)
      const { answer = checkCase.answer } = 'answer' in step ? step : {}
      for (const probe of probes) {
        last = probe
        const problem = judgeAnswer(answer, probe)
        if (problem !== undefined) {
          return isUnreachable(probe)
            ? unreachable(context, checkCase, probe, order)
            : failedByAnswer(problem, probe, order)
        }
        context.unreachableSince = undefined
      }
    }
  }
  const problem = await judgeFinalOrder(context, checkCase, order, { refunded, wasPaid })
  const exchange = last?.exchange ?? null
  if (problem !== undefined) return { ...failed(problem, order), exchange }
  const seen = last === undefined ? 'no failure' : String(last.status)
  return { outcome: 'passed', problem: null, seen, exchange, repeat: null, cause: null }
}

/** Uses a form, as the API reference shows, if the receiver accepts neither encoding. */
const withAcceptedEncoding = async (
  { acceptedEncoding }: CaseContext,
  variant: WebhookVariant,
): Promise<WebhookVariant> => ({
  ...variant,
  encoding: variant.encoding ?? (await acceptedEncoding.detect()) ?? 'form',
})

/** Opens the page that the customer's browser is redirected to. Returns what is wrong with the answer. */
async function returnCustomer(
  { options }: CaseContext,
  { callbackUrl, callbackMappedTo, payId }: CheckedOrder,
  status: PaymentOutcome,
): Promise<Judgement | undefined> {
  const url = redirectLocation(callbackMappedTo ?? callbackUrl, payId, status)
  try {
    const page = await requestApp(url, undefined, options)
    if (page.status < 500) return undefined
    return { problem: 'page-fails', seen: `the page that the customer returned to answered ${page.status}` }
  } catch (error) {
    return { problem: 'page-fails', seen: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Judges the state of the order at the end of a case.
 *
 * To show that a webhook changed nothing, waiting is not enough. A good webhook for another order follows: once that
 * order is paid, the app has had time to process the webhook before.
 */
async function judgeFinalOrder(
  context: CaseContext,
  checkCase: CheckCase,
  order: CheckedOrder,
  { refunded, wasPaid }: { readonly refunded: ObservedState | undefined; readonly wasPaid: boolean },
): Promise<Judgement | undefined> {
  const { name, finalOrder } = checkCase
  const { watch, orders, acceptedEncoding } = context
  if (watch === undefined || finalOrder === undefined) return undefined
  if (finalOrder === 'paid' || finalOrder === 'paid-once') {
    const problem = judgeOrder(finalOrder, await watch.waitUntilPaid(order), watch.source(order), wasPaid)
    if (problem !== undefined || finalOrder === 'paid') return problem
  }
  const judgeNow = async (): Promise<Judgement | undefined> => {
    const seen = await watch.read(order)
    return finalOrder === 'unchanged'
      ? judgeChange(refunded ?? seen, seen, watch.source(order))
      : judgeOrder(finalOrder, seen, watch.source(order), wasPaid)
  }
  if ((await acceptedEncoding.detect()) === undefined) return judgeNow()
  const other = await orders.make({ name: 'another order' })
  for (const probe of await send(
    context,
    { order: other, check: name },
    await withAcceptedEncoding(context, {}),
  )) {
    const problem = judgeAnswer('accepted', probe)
    if (problem !== undefined) return ofOtherOrder(problem)
  }
  const otherProblem = judgeOrder('paid', await watch.waitUntilPaid(other), watch.source(other))
  const problem = await judgeNow()
  if (problem !== undefined || otherProblem === undefined) return problem
  return ofOtherOrder(otherProblem)
}

const ofOtherOrder = ({ problem, seen }: Judgement): Judgement => ({
  problem,
  seen: `a good webhook for another order, sent afterwards, failed: ${seen}`,
})

/** If the app stops, the current case fails. The following cases are skipped until it answers again. */
function unreachable(context: CaseContext, { name }: CheckCase, probe: Probe, order: CheckedOrder): Verdict {
  if (context.unreachableSince !== undefined)
    return skipped(`the receiver has not been reachable since ${context.unreachableSince}`)
  context.unreachableSince = name
  const seen = `${probe.error}, although it answered before: check that the app is still running`
  return failedByAnswer({ problem: 'unreachable', seen }, probe, order)
}

const failedByAnswer = (problem: Judgement, { exchange }: Probe, order: CheckedOrder): Verdict => ({
  ...failed(problem, order),
  exchange,
  repeat: curlCommand(exchange.request).replaceAll(' \\\n  ', ' '),
})

const failed = (problem: Judgement, order: CheckedOrder): Verdict => ({
  outcome: 'failed',
  ...createFailure(problem, order),
  exchange: null,
  repeat: null,
})

const skipped = (reason: string): Verdict => ({
  outcome: 'skipped',
  problem: null,
  seen: reason,
  exchange: null,
  repeat: null,
  cause: null,
})
