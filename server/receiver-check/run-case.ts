import { curlCommand } from '../domain/http/curl.ts'
import { redirectLocation } from '../domain/webhooks/redirect.ts'
import { isUnreachable, type SandboxPort } from './sandbox-port.ts'
import type { Probe } from '../contract/check.ts'
import type { CheckCase, WebhookVariant } from './check-case.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import type { CheckResult } from '../contract/check.ts'
import { failureOf, type Failure } from './failure.ts'
import { expectedAnswer, judgeAnswer } from './judge.ts'
import { expectedOrder, judgeOrder } from './judge.ts'
import type { Orders } from './make-orders.ts'
import type { CheckedOrder } from '../contract/check.ts'
import { send } from './send.ts'
import type { AcceptedEncoding } from './accepted-encoding.ts'
import { requestApp } from './request-app.ts'
import type { OrderWatch } from './watch-order.ts'

/** What a case is checkCase with. */
export interface CaseContext {
  readonly receiver: string
  readonly sandbox: SandboxPort
  readonly orders: Orders
  readonly watch: OrderWatch | undefined
  readonly acceptedEncoding: AcceptedEncoding
  readonly options: CheckRunOptions
  /** The first case that failed for each cause for which good webhooks fail. */
  readonly firstCaseByCause: Map<Failure['cause'], string>
  /** The case in which the receiver went away, while nobody is back. */
  unreachableSince: string | undefined
}

interface Verdict extends Pick<CheckResult, 'outcome' | 'seen' | 'exchange' | 'repeat'> {
  /** `null` where it has not failed. */
  readonly cause: Failure['cause'] | null
}

/** Tries one case: makes its order, takes its steps, and judges the answers and what became of the order. */
export async function runCase(context: CaseContext, checkCase: CheckCase): Promise<CheckResult> {
  const { name, group, title, why, answer, finalOrder } = checkCase
  const started = performance.now()
  const { cause, ...verdict } = await tryCase(context, checkCase)
  const { outcome, seen } = verdict
  if (checkCase.provesEncoding !== undefined) {
    context.acceptedEncoding.record(
      checkCase.provesEncoding,
      outcome === 'passed' ? undefined : { seen, cause: cause ?? seen },
    )
  }
  const sameAs = cause === null ? null : findSameCause(context, checkCase, cause)
  const judgesOrder = context.watch !== undefined && finalOrder !== undefined
  const expected = [expectedAnswer[answer], ...(judgesOrder ? [expectedOrder[finalOrder]] : [])].join('; ')
  const ms = Math.round(performance.now() - started)
  return { name, group, title, why, ...verdict, sameAs, ms, expected }
}

/**
 * The case that failed before for the same cause. Only where good webhooks fail so too, as they have nothing in them
 * that the case is about: two cases that fail alike beside good ones may each have a cause of their own.
 */
function findSameCause(
  { acceptedEncoding, firstCaseByCause }: CaseContext,
  { name, steps }: CheckCase,
  cause: string,
): string | null {
  const as = steps.map((step) => ('send' in step ? step.send.encoding : undefined)).find(Boolean)
  if (acceptedEncoding.failureWith(as ?? acceptedEncoding.known() ?? 'form')?.cause !== cause) return null
  const first = firstCaseByCause.get(cause)
  if (first === undefined) firstCaseByCause.set(cause, name)
  return first ?? null
}

async function tryCase(context: CaseContext, checkCase: CheckCase): Promise<Verdict> {
  const unfit = whyNotPossible(context, checkCase)
  if (unfit !== undefined) return skipped(unfit)
  // Before anything is changed, as a receiver that fails by the change takes good webhooks all the same.
  if (checkCase.steps.some((step) => 'send' in step && step.send.encoding === undefined))
    await context.acceptedEncoding.detect()
  const undo = checkCase.payIds && (await context.sandbox.distinguishPayIds(await context.orders.account()))
  try {
    const order = await context.orders.make(checkCase)
    const unlike = whyOrderUnsuited(checkCase, order)
    if (unlike !== undefined) return skipped(unlike)
    const verdict = await takeSteps(context, checkCase, order)
    return (verdict.outcome === 'passed' && (await whyInconclusive(context, checkCase))) || verdict
  } finally {
    await undo?.()
  }
}

/**
 * A receiver that takes no good webhooks proves nothing by refusing others. The first case that is told of it fails for
 * the cause of that.
 */
async function whyInconclusive(
  { acceptedEncoding, firstCaseByCause }: CaseContext,
  { answer, finalOrder }: CheckCase,
): Promise<Verdict | undefined> {
  const isRefusal = answer === 'tolerated' || finalOrder === 'unpaid'
  if (!isRefusal || (await acceptedEncoding.detect()) !== undefined) return undefined
  const { seen, cause } = acceptedEncoding.failureWith('form')!
  const first = firstCaseByCause.get(cause)
  if (first !== undefined) return skipped(`says nothing while good webhooks fail, see ${first}`)
  return { outcome: 'failed', seen: `a good webhook fails: ${seen}`, exchange: null, repeat: null, cause }
}

/** Why a case says nothing here. */
function whyNotPossible({ orders }: CaseContext, { wantedOrder, steps }: CheckCase): string | undefined {
  if (orders.appMakesOrders) {
    return wantedOrder?.note === undefined ? undefined : 'the app writes the notes of its orders itself'
  }
  const comesBack = steps.some((step) => 'browser' in step)
  return comesBack ? 'no customer can come back, as the orders are not made by the app' : undefined
}

/** Why a case says nothing with this order. */
function whyOrderUnsuited(
  { steps, wantedOrder }: CheckCase,
  { amount, callbackUrl }: CheckedOrder,
): string | undefined {
  if (callbackUrl === '' && steps.some((step) => 'browser' in step)) {
    return 'the link of the order names no callback_url, so no customer comes back'
  }
  if (wantedOrder?.amount === undefined) return undefined
  const isWritten = steps.some((step) => 'send' in step && step.send.amount === 'two-decimals')
  const fits = isWritten ? decimalsOf(amount) < 2 : decimalsOf(amount) === decimalsOf(wantedOrder.amount)
  return fits
    ? undefined
    : `the app made an order over ${amount}, and not over an amount like ${wantedOrder.amount}`
}

const decimalsOf = (euros: number): number => String(euros).split('.')[1]?.length ?? 0

async function takeSteps(context: CaseContext, checkCase: CheckCase, order: CheckedOrder): Promise<Verdict> {
  let last: Probe | undefined
  for (const step of checkCase.steps) {
    if ('until' in step) await context.watch?.untilPaid(order)
    else if ('browser' in step) {
      const wrong = await returnCustomer(context, order, step.browser)
      if (wrong !== undefined) return failed(wrong, order)
    } else {
      for (const probe of await send(
        context,
        { order, check: checkCase.name },
        await withAcceptedEncoding(context, step.send),
      )) {
        last = probe
        const wrong = judgeAnswer(checkCase.answer, probe)
        if (wrong !== undefined) {
          return isUnreachable(probe)
            ? unreachable(context, checkCase, probe, order)
            : failedByAnswer(wrong, probe, order)
        }
        context.unreachableSince = undefined
      }
    }
  }
  const wrong = await judgeFinalOrder(context, checkCase, order)
  const exchange = last?.exchange ?? null
  if (wrong !== undefined) return { ...failed(wrong, order), exchange }
  const seen = last === undefined ? 'no failure' : String(last.status)
  return { outcome: 'passed', seen, exchange, repeat: null, cause: null }
}

/** A receiver that takes good webhooks in no way gets forms, as the reference shows. */
const withAcceptedEncoding = async (
  { acceptedEncoding }: CaseContext,
  sending: WebhookVariant,
): Promise<WebhookVariant> => ({
  ...sending,
  encoding: sending.encoding ?? (await acceptedEncoding.detect()) ?? 'form',
})

/** The customer's browser opens the page that the link leads back to. Gives what is wrong with that. */
async function returnCustomer(
  { options }: CaseContext,
  { callbackUrl, callbackMappedTo, payId }: CheckedOrder,
  status: 'Success',
): Promise<string | undefined> {
  const url = redirectLocation(callbackMappedTo ?? callbackUrl, payId, status)
  try {
    const page = await requestApp(url, undefined, options)
    return page.status >= 500 ? `the page that the customer came back to answered ${page.status}` : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Where a further webhook, or a forged one, is not to change anything, a good one for another order follows: once that
 * has worked, the app has had the time for the one before.
 */
async function judgeFinalOrder(
  context: CaseContext,
  checkCase: CheckCase,
  order: CheckedOrder,
): Promise<string | undefined> {
  const { finalOrder } = checkCase
  const { watch } = context
  if (watch === undefined || finalOrder === undefined) return undefined
  if (finalOrder !== 'unpaid') {
    const wrong = judgeOrder(finalOrder, await watch.untilPaid(order), watch.source(order))
    if (wrong !== undefined || finalOrder === 'paid') return wrong
  }
  if ((await context.acceptedEncoding.detect()) === undefined)
    return judgeOrder(finalOrder, await watch.look(order), watch.source(order))
  const other = await context.orders.make({ name: 'another order' })
  for (const probe of await send(
    context,
    { order: other, check: checkCase.name },
    await withAcceptedEncoding(context, {}),
  )) {
    const wrong = judgeAnswer('accepted', probe)
    if (wrong !== undefined) return `a good webhook for another order, sent afterwards, failed: ${wrong}`
  }
  const wrongWithOther = judgeOrder('paid', await watch.untilPaid(other), watch.source(other))
  const wrong = judgeOrder(finalOrder, await watch.look(order), watch.source(order))
  if (wrong !== undefined || wrongWithOther === undefined) return wrong
  return `a good webhook for another order, sent afterwards, failed: ${wrongWithOther}`
}

/** An app that breaks down has failed in one case, and says nothing in those that follow. */
function unreachable(context: CaseContext, { name }: CheckCase, probe: Probe, order: CheckedOrder): Verdict {
  if (context.unreachableSince !== undefined)
    return skipped(`nobody is there any more since ${context.unreachableSince}`)
  context.unreachableSince = name
  const wrong = `${probe.error}, though it answered before: look whether the app is still running`
  return failedByAnswer(wrong, probe, order)
}

const failedByAnswer = (wrong: string, { exchange }: Probe, order: CheckedOrder): Verdict => ({
  ...failed(wrong, order),
  exchange,
  repeat: curlCommand(exchange.request).replaceAll(' \\\n  ', ' '),
})

const failed = (wrong: string, order: CheckedOrder): Verdict => ({
  outcome: 'failed',
  ...failureOf(wrong, order),
  exchange: null,
  repeat: null,
})

const skipped = (seen: string): Verdict => ({
  outcome: 'skipped',
  seen,
  exchange: null,
  repeat: null,
  cause: null,
})
