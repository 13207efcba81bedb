import { CUSTOMER_TIMEOUT_MS, ORDER_STATE_TIMEOUT_MS } from '../../contract/checks/check-times.ts'
import {
  callerProblems,
  type CallerProblem,
  type CallerCheckReport,
  type CallerCheckResult,
} from '../../contract/checks/caller-check.ts'
import { findMistakes } from '../mistakes/find-mistakes.ts'
import { callerRemedies } from '../mistakes/remedies.ts'
import { createAppSpeed } from '../app/run/app-speed.ts'
import { CheckError } from '../app/run/check-error.ts'
import { late } from '../app/run/failure.ts'
import type { Named } from '../app/run/select-cases.ts'
import { countOutcomes, groupProblems, listNotChecked, whatWasChecked } from '../app/run/summarize.ts'
import { withTimeLimit } from '../app/run/time-limit.ts'
import { createOrderWatch } from '../app/state/watch-order.ts'
import { type CallerCase, type CallerContext, CallerFailure } from './caller-case.ts'
import { CANCELLED_LINK_AGAIN, NotPossibleError } from '../app/run/not-possible.ts'
import type { CallerRunOptions } from './caller-run-options.ts'
import type { CallerSandbox } from './caller-sandbox.ts'
import { callerCases } from './cases.ts'
import { openContext } from './open-context.ts'
import { validateCallerOptions } from './validate-options.ts'
import { whyNotPossible } from './why-not-possible.ts'

const DEFAULT_ORDER_BODY = '{"order":"{order}","amount":{amount},"note":"{note}"}'

/**
 * Makes an app place orders while the service fails as it can in production, one case after another. Cases without a fault then
 * run side by side. Checks what the customer gets, what the sandbox records, and the state of the orders. Throws `CheckError`
 * if it cannot start or continue. To add a case, add it to `cases.ts`, and add an example with its mistake to
 * `fixtures/callers/`.
 */
export async function runCallerCheck(
  orderUrl: string,
  runOptions: CallerRunOptions,
  sandbox: CallerSandbox,
  receiverCases: Named,
): Promise<CallerCheckReport> {
  const { timeoutMs = CUSTOMER_TIMEOUT_MS, orderBody = DEFAULT_ORDER_BODY } = runOptions
  // Shorter than the time that a customer waits, so that an app that does not find its orders is noticed early.
  const unknownTimeoutMs = runOptions.timeoutMs ?? ORDER_STATE_TIMEOUT_MS
  const options = { ...runOptions, timeoutMs, unknownTimeoutMs, orderBody }
  const cases = validateCallerOptions(orderUrl, options, receiverCases)
  for (const url of [orderUrl, options.stateUrl, options.formUrl]) {
    const reason = url === undefined ? null : await sandbox.heldReason(new URL(url).origin)
    if (reason !== null) throw new CheckError(`Nothing was sent to ${url}: ${reason}.`)
  }
  const results: CallerCheckResult[] = []
  return withTimeLimit(options, cases, results, (signal) =>
    runCases(orderUrl, { ...options, signal }, cases, sandbox, results),
  )
}

async function runCases(
  orderUrl: string,
  runOptions: CallerContext['options'],
  cases: readonly CallerCase[],
  sandbox: CallerSandbox,
  results: CallerCheckResult[],
): Promise<CallerCheckReport> {
  const speed = createAppSpeed(runOptions, cases.length)
  const options = speed.measured(runOptions)
  const watch = createOrderWatch({ ...options, orderUrl, onResult: undefined })
  const { context, failure } = await openContext({ orderUrl, options, sandbox, watch })
  const reportFirstOrder = async (): Promise<void> => {
    if (failure !== undefined) throw failure
  }
  const run = async (callerCase: CallerCase, its = context): Promise<void> => {
    const result =
      callerCase.name === NORMAL_ORDER
        ? await runCase({ ...callerCase, run: reportFirstOrder }, its)
        : failure === undefined
          ? await runCase(callerCase, its)
          : skipped(callerCase, NORMAL_ORDER_FAILS)
    options.signal?.throwIfAborted()
    results.push(result)
    options.onResult?.(result)
  }
  const together = context.passesNotes ? cases.filter(({ isBesideOthers }) => isBesideOthers) : []
  for (const callerCase of cases) if (!together.includes(callerCase)) await run(callerCase)
  // If one case ends the check, the other cases finish first, so that nothing is sent after the check.
  const ended = await Promise.allSettled(
    together.map((one) => run(one, { ...context, isBesideOthers: true })),
  )
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  const names = cases.map(({ name }) => name)
  results.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
  if (failure !== undefined && !cases.some(({ name }) => name === NORMAL_ORDER)) {
    throw new CheckError(`Nothing was checked, because a normal order fails: ${failure.seenProblem.seen}.`)
  }
  return { ...createReport(orderUrl, context, results), delays: speed.describe() }
}

/** The case that reports the result of the first order. */
const NORMAL_ORDER = callerCases[0].name

async function runCase(callerCase: CallerCase, context: CallerContext): Promise<CallerCheckResult> {
  const started = performance.now()
  const notPossible = await whyNotPossible(callerCase, context)
  if (notPossible !== undefined) return skipped(callerCase, notPossible)
  const ms = (): number => Math.round(performance.now() - started)
  try {
    await callerCase.run(context)
    return { ...resultOf(callerCase, ms()), outcome: 'passed', seen: 'no problem' }
  } catch (error) {
    if (error instanceof NotPossibleError) return skipped(callerCase, error, ms())
    if (!(error instanceof CallerFailure)) throw error
    const { problem, seen, isLate = false, fact: ownFact } = error.seenProblem
    const fact = ownFact ?? (MIXED_UP.has(problem) ? context.addresses.mixedUp() : undefined)
    return {
      ...resultOf(callerCase, ms()),
      outcome: 'failed',
      seen: context.key.replace(seen, () => HIDDEN_KEY),
      problem,
      ...late(isLate),
      ...(fact && { fact }),
    }
  }
}

/** What customers see of orders that get the addresses of others. */
const MIXED_UP: ReadonlySet<CallerProblem> = new Set([
  'paid-without-payment',
  'not-paid',
  'foreign-order',
  'false-message',
  'stale-page',
  'page-fails',
])

/** Replaces the API key in reports, because people pass reports on to others. */
const HIDDEN_KEY = '<API key>'

const NORMAL_ORDER_FAILS = new NotPossibleError(
  'your app does not handle a normal order: mend normal-order first',
)

const skipped = (
  callerCase: CallerCase,
  { message, skipReason, example }: NotPossibleError,
  ms = 0,
): CallerCheckResult => ({
  ...resultOf(callerCase, ms),
  outcome: 'skipped',
  seen: message,
  skipReason,
  ...(example === undefined ? {} : { example }),
})

const resultOf = ({ name, group, title, why, expected }: CallerCase, ms: number) =>
  ({ name, group, title, why, expected, ms, skipReason: null, problem: null }) as const

function createReport(
  orderUrl: string,
  { account, watch }: CallerContext,
  results: readonly CallerCheckResult[],
): Omit<CallerCheckReport, 'delays'> {
  const problems = groupProblems(callerProblems, results)
  return {
    orderUrl,
    accountId: account,
    checked: whatWasChecked(watch),
    ...countOutcomes(results),
    notChecked: listNotChecked(results, watch, CANCELLED_LINK_AGAIN),
    problems,
    mistakes: findMistakes({ problems, results }, { remedies: callerRemedies }),
    results,
  }
}
