import { curlCommand } from '../domain/http/curl.ts'
import { redirectLocation } from '../domain/webhooks/redirect.ts'
import { isUnreachable, type SandboxPort } from './sandbox-port.ts'
import type { Probe } from '../contract/check.ts'
import type { CheckCase, Sending } from './check-case.ts'
import type { CheckRun } from './check-run.ts'
import type { CheckResult } from '../contract/check.ts'
import { failureOf, type Failure } from './failure.ts'
import { expectedAnswer, judgeAnswer } from './judge.ts'
import { expectedOrder, judgeOrder } from './judge.ts'
import type { Orders } from './make-orders.ts'
import type { CheckedOrder } from '../contract/check.ts'
import { send } from './send.ts'
import type { Taken } from './accepted-encoding.ts'
import { visit } from './http-get.ts'
import type { Watch } from './watch-order.ts'

/** What a case is tried with. */
export interface Rig {
  readonly receiver: string
  readonly bench: SandboxPort
  readonly orders: Orders
  readonly watch: Watch | undefined
  readonly taken: Taken
  readonly options: CheckRun
  /** The first case that failed for each cause for which good webhooks fail. */
  readonly firstWith: Map<Failure['cause'], string>
  /** The case in which the receiver went away, while nobody is back. */
  lostIn: string | undefined
}

interface Verdict extends Pick<CheckResult, 'outcome' | 'seen' | 'exchange' | 'repeat'> {
  /** `null` where it has not failed. */
  readonly cause: Failure['cause'] | null
}

/** Tries one case: makes its order, takes its steps, and judges the answers and what became of the order. */
export async function runCase(rig: Rig, tried: CheckCase): Promise<CheckResult> {
  const { name, group, title, why, answers, leaves } = tried
  const started = performance.now()
  const { cause, ...verdict } = await verdictOf(rig, tried)
  const { outcome, seen } = verdict
  if (tried.proves !== undefined) {
    rig.taken.learn(tried.proves, outcome === 'passed' ? undefined : { seen, cause: cause ?? seen })
  }
  const sameAs = cause === null ? null : findSame(rig, tried, cause)
  const judgesOrder = rig.watch !== undefined && leaves !== undefined
  const expected = [expectedAnswer[answers], ...(judgesOrder ? [expectedOrder[leaves]] : [])].join('; ')
  const ms = Math.round(performance.now() - started)
  return { name, group, title, why, ...verdict, sameAs, ms, expected }
}

/**
 * The case that failed before for the same cause. Only where good webhooks fail so too, as they have nothing in them
 * that the case is about: two cases that fail alike beside good ones may each have a cause of their own.
 */
function findSame({ taken, firstWith }: Rig, { name, steps }: CheckCase, cause: string): string | null {
  const as = steps.map((step) => ('send' in step ? step.send.as : undefined)).find(Boolean)
  if (taken.failure(as ?? taken.shown() ?? 'form')?.cause !== cause) return null
  const first = firstWith.get(cause)
  if (first === undefined) firstWith.set(cause, name)
  return first ?? null
}

async function verdictOf(rig: Rig, tried: CheckCase): Promise<Verdict> {
  const unfit = whyUnfit(rig, tried)
  if (unfit !== undefined) return skipped(unfit)
  // Before anything is changed, as a receiver that fails by the change takes good webhooks all the same.
  if (tried.steps.some((step) => 'send' in step && step.send.as === undefined)) await rig.taken.encoding()
  const undo = tried.payId && (await rig.bench.distinguishPayIds(await rig.orders.account()))
  try {
    const order = await rig.orders.make(tried)
    const unlike = whyUnlike(tried, order)
    if (unlike !== undefined) return skipped(unlike)
    const verdict = await tryWith(rig, tried, order)
    return (verdict.outcome === 'passed' && (await whyVain(rig, tried))) || verdict
  } finally {
    await undo?.()
  }
}

/**
 * A receiver that takes no good webhooks proves nothing by refusing others. The first case that is told of it fails for
 * the cause of that.
 */
async function whyVain(
  { taken, firstWith }: Rig,
  { answers, leaves }: CheckCase,
): Promise<Verdict | undefined> {
  const isRefusal = answers === 'survived' || leaves === 'unpaid'
  if (!isRefusal || (await taken.encoding()) !== undefined) return undefined
  const { seen, cause } = taken.failure('form')!
  const first = firstWith.get(cause)
  if (first !== undefined) return skipped(`says nothing while good webhooks fail, see ${first}`)
  return { outcome: 'failed', seen: `a good webhook fails: ${seen}`, exchange: null, repeat: null, cause }
}

/** Why a case says nothing here. */
function whyUnfit({ orders }: Rig, { order, steps }: CheckCase): string | undefined {
  if (orders.appMakesOrders) {
    return order?.note === undefined ? undefined : 'the app writes the notes of its orders itself'
  }
  const comesBack = steps.some((step) => 'browser' in step)
  return comesBack ? 'no customer can come back, as the orders are not made by the app' : undefined
}

/** Why a case says nothing with this order. */
function whyUnlike(
  { steps, order: wish }: CheckCase,
  { amount, callbackUrl }: CheckedOrder,
): string | undefined {
  if (callbackUrl === '' && steps.some((step) => 'browser' in step)) {
    return 'the link of the order names no callback_url, so no customer comes back'
  }
  if (wish?.amount === undefined) return undefined
  const isWritten = steps.some((step) => 'send' in step && step.send.amount === 'two-decimals')
  const fits = isWritten ? decimalsOf(amount) < 2 : decimalsOf(amount) === decimalsOf(wish.amount)
  return fits ? undefined : `the app made an order over ${amount}, and not over an amount like ${wish.amount}`
}

const decimalsOf = (euros: number): number => String(euros).split('.')[1]?.length ?? 0

async function tryWith(rig: Rig, tried: CheckCase, order: CheckedOrder): Promise<Verdict> {
  let last: Probe | undefined
  for (const step of tried.steps) {
    if ('until' in step) await rig.watch?.untilPaid(order)
    else if ('browser' in step) {
      const wrong = await comeBack(rig, order, step.browser)
      if (wrong !== undefined) return failed(wrong, order)
    } else {
      for (const probe of await send(rig, { order, check: tried.name }, await asTaken(rig, step.send))) {
        last = probe
        const wrong = judgeAnswer(tried.answers, probe)
        if (wrong !== undefined) {
          return isUnreachable(probe) ? lost(rig, tried, probe, order) : refused(wrong, probe, order)
        }
        rig.lostIn = undefined
      }
    }
  }
  const wrong = await judgeOutcome(rig, tried, order)
  const exchange = last?.exchange ?? null
  if (wrong !== undefined) return { ...failed(wrong, order), exchange }
  const seen = last === undefined ? 'no failure' : String(last.status)
  return { outcome: 'passed', seen, exchange, repeat: null, cause: null }
}

/** A receiver that takes good webhooks in no way gets forms, as the reference shows. */
const asTaken = async ({ taken }: Rig, sending: Sending): Promise<Sending> => ({
  ...sending,
  as: sending.as ?? (await taken.encoding()) ?? 'form',
})

/** The customer's browser opens the page that the link leads back to. Gives what is wrong with that. */
async function comeBack(
  { options }: Rig,
  { callbackUrl, callbackMappedTo, payId }: CheckedOrder,
  status: 'Success',
): Promise<string | undefined> {
  const url = redirectLocation(callbackMappedTo ?? callbackUrl, payId, status)
  try {
    const page = await visit(url, undefined, options)
    return page.status >= 500 ? `the page that the customer came back to answered ${page.status}` : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Where a further webhook, or a forged one, is not to change anything, a good one for another order follows: once that
 * has worked, the app has had the time for the one before.
 */
async function judgeOutcome(rig: Rig, tried: CheckCase, order: CheckedOrder): Promise<string | undefined> {
  const { leaves } = tried
  const { watch } = rig
  if (watch === undefined || leaves === undefined) return undefined
  if (leaves !== 'unpaid') {
    const wrong = judgeOrder(leaves, await watch.untilPaid(order), watch.teller(order))
    if (wrong !== undefined || leaves === 'paid') return wrong
  }
  if ((await rig.taken.encoding()) === undefined)
    return judgeOrder(leaves, await watch.look(order), watch.teller(order))
  const other = await rig.orders.make({ name: 'another order' })
  for (const probe of await send(rig, { order: other, check: tried.name }, await asTaken(rig, {}))) {
    const wrong = judgeAnswer('accepted', probe)
    if (wrong !== undefined) return `a good webhook for another order, sent afterwards, failed: ${wrong}`
  }
  const wrongWithOther = judgeOrder('paid', await watch.untilPaid(other), watch.teller(other))
  const wrong = judgeOrder(leaves, await watch.look(order), watch.teller(order))
  if (wrong !== undefined || wrongWithOther === undefined) return wrong
  return `a good webhook for another order, sent afterwards, failed: ${wrongWithOther}`
}

/** An app that breaks down has failed in one case, and says nothing in those that follow. */
function lost(rig: Rig, { name }: CheckCase, probe: Probe, order: CheckedOrder): Verdict {
  if (rig.lostIn !== undefined) return skipped(`nobody is there any more since ${rig.lostIn}`)
  rig.lostIn = name
  const wrong = `${probe.error}, though it answered before: look whether the app is still running`
  return refused(wrong, probe, order)
}

const refused = (wrong: string, { exchange }: Probe, order: CheckedOrder): Verdict => ({
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
