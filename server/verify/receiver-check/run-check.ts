import type { CheckReport, CheckResult } from '../../contract/checks/check.ts'
import { ORDER_STATE_TIMEOUT_MS } from '../../contract/checks/check-times.ts'
import { createAcceptedEncoding } from './webhooks/accepted-encoding.ts'
import { isListening, startApp } from './app-process.ts'
import { createAppSpeed } from '../app/run/app-speed.ts'
import type { CaseContext } from './case-context.ts'
import type { CheckCase } from './check-case.ts'
import type { CheckRunOptions } from '../app/run/check-run-options.ts'
import { findShownKey } from './scenarios/closing-look.ts'
import { createReport } from './create-report.ts'
import { explainEqualAmounts } from './diagnosis/explain-equal-amounts.ts'
import { findAdvice } from './diagnosis/find-advice.ts'
import { explainForgotten } from './diagnosis/explain-forgotten.ts'
import { explainMisdirected } from './diagnosis/explain-misdirected.ts'
import { findTooEarly } from './diagnosis/find-too-early.ts'
import { findUnreliable } from './diagnosis/find-unreliable.ts'
import { assertTargetsAllowed, guardSandbox } from './guard-sandbox.ts'
import { createOrders } from './orders/make-orders.ts'
import { goodWebhooksFail, NotPossibleError, paymentsFailAtOnce } from '../app/run/not-possible.ts'
import { createPatience } from '../app/run/patience.ts'
import { caseOf } from './histories/play-history.ts'
import { rehearse } from './rehearse.ts'
import { runCase, skippedResult } from './run-case.ts'
import { runHistories } from './histories/run-histories.ts'
import { runSideBySide } from '../app/run/run-side-by-side.ts'
import type { SandboxPort } from '../app/run/sandbox-port.ts'
import { send } from './webhooks/send.ts'
import { createShownTexts, noShownTexts } from '../app/orders/shown-texts.ts'
import { withTimeLimit } from '../app/run/time-limit.ts'
import { historiesIn, validateOptions } from './validate-options.ts'
import { createOrderWatch } from '../app/state/watch-order.ts'

/**
 * Runs the cases against a receiver. Throws `CheckError` if it cannot start or continue. The check runs in the process of its
 * caller, because `orderState` and `createOrder` are functions. It uses a sandbox only through the control API, even for `POST
 * /checks/receiver`. To add a case, add it to a file in `cases/`, and add a mistake that only this case finds to
 * `fixtures/laboratory/mistakes.ts`.
 */
export async function runCheck(
  receiver: string,
  options: CheckRunOptions,
  port: SandboxPort,
): Promise<CheckReport> {
  const cases = validateOptions(receiver, options)
  await assertTargetsAllowed(port, receiver, options)
  const results: CheckResult[] = []
  return withTimeLimit(options, cases, results, (signal) =>
    runCases(receiver, cases, { ...options, signal }, port, results),
  )
}

async function runCases(
  receiver: string,
  cases: readonly CheckCase[],
  runOptions: CheckRunOptions,
  port: SandboxPort,
  results: CheckResult[],
): Promise<CheckReport> {
  const speed = createAppSpeed(runOptions, cases.length)
  const options = speed.measured(runOptions)
  const shown = cases.some(({ run }) => run === findShownKey) ? createShownTexts() : noShownTexts
  const sandbox = guardSandbox(port, options, shown, speed)
  await using app =
    options.restart === undefined
      ? undefined
      : await startApp(options.restart, receiver, options.signal, (text) =>
          shown.add('the log of your app', text),
        )
  const patience = createPatience(options.timeoutMs ?? ORDER_STATE_TIMEOUT_MS, speed.hasPaid)
  const context = await createContext({ receiver, sandbox, app, options, shown, patience })
  const run = async (checkCase: CheckCase): Promise<CheckResult> => {
    const result = await runCase(context, checkCase)
    options.signal?.throwIfAborted()
    return result
  }
  const report = (result: CheckResult): void => {
    results.push(result)
    options.onResult?.(result)
  }
  await rehearse(context, cases)
  const histories = historiesIn(options)
  if (histories === undefined) {
    const kept = await withoutInconclusive(context, cases, report)
    await runInGroups(context, kept, kept === cases, { run, report })
    const names = cases.map(({ name }) => name)
    results.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
  } else {
    await runHistories(histories, {
      play: (history) => run(caseOf(history)),
      isFailed: ({ outcome }) => outcome === 'failed',
      report: (result, sameAs) => report({ ...result, sameAs }),
      endsEarly: options.histories !== undefined,
    })
  }
  const directed = await explainMisdirected(context, await explainForgotten(context, results))
  const explained = await explainEqualAmounts(context, directed)
  const advice =
    (await findUnreliable(context, explained)) ??
    (await findTooEarly(context, explained)) ??
    (await findAdvice(context, explained))
  return {
    ...createReport(context, explained, advice),
    delays: [...speed.describe(context.orders.limitCounts()), ...describeCrowd(context)],
  }
}

const describeCrowd = ({ crowded: [name] }: CaseContext): readonly string[] =>
  name === undefined
    ? []
    : [
        `Your app did not answer in time in ${name} while other cases ran at the same moment, and it did when this case ran alone. So the rest ran one after another.`,
      ]

async function createContext(
  base: Pick<CaseContext, 'receiver' | 'sandbox' | 'app' | 'options' | 'shown' | 'patience'>,
): Promise<CaseContext> {
  const { receiver, sandbox, options, shown } = base
  const watch = createOrderWatch(options)
  const orders = createOrders(sandbox, options, shown)
  const acceptedEncoding = createAcceptedEncoding({
    makeOrder: () => orders.make({ name: GOOD_WEBHOOK }),
    send: (order, variant) => send(base, { order, check: GOOD_WEBHOOK }, variant),
    watch,
  })
  return {
    ...base,
    orders,
    watch,
    acceptedEncoding,
    firstCaseByCause: new Map(),
    underway: new Set(),
    isDirectlyReachable: await isListening(receiver),
    remembered: [],
    paidTwice: [],
    answers: { good: 0, postponed: 0 },
    unanswered: [],
    crowded: [],
    cancelledLinks: new Set(),
    revisitedLinks: new Set(),
    ownAccounts: new Set(),
    startedAt: performance.now(),
    startSeq: await sandbox.newestSeq(),
  }
}

/** The name of webhooks that belong to no case. */
const GOOD_WEBHOOK = 'a good webhook'

const isFirst = ({ provesEncoding }: CheckCase): boolean => provesEncoding !== undefined

/** Runs the cases of one check, and passes on their results. */
interface Runner {
  run(checkCase: CheckCase): Promise<CheckResult>
  report(result: CheckResult): void
}

const runAndReport =
  ({ run, report }: Runner) =>
  async (checkCase: CheckCase): Promise<void> =>
    report(await run(checkCase))

const MANY_AT_ONCE = 'many-at-once'

const isAlone = (one: CheckCase): boolean => one.isAlone === true || one.isLast === true

/**
 * Runs the cases. The cases that find out the encoding come first, unless good webhooks fail in every encoding. Many webhooks at once come
 * next: if the app fails then, the cases that find most run one after another, and no others, because cases that run side by side would
 * fail for this reason. Cases that send garbage follow, one after another. All others then run side by side, except cases that need the
 * account alone, and cases that look at orders of other cases.
 */
async function runInGroups(
  context: CaseContext,
  cases: readonly CheckCase[],
  isEncodingOpen: boolean,
  runner: Runner,
): Promise<void> {
  const run = runAndReport(runner)
  const first = isEncodingOpen ? cases.filter(isFirst) : []
  for (const checkCase of first) await run(checkCase)
  const alone = cases.filter((one) => !first.includes(one) && isAlone(one))
  // The first case runs alone, because a receiver that never answers should end the check before many requests wait for it.
  const many = cases.find(({ name }) => name === MANY_AT_ONCE)
  const [next, ...left] = cases.filter((one) => !first.includes(one) && !isAlone(one) && one !== many)
  if (next !== undefined) await run(next)
  if (many !== undefined && (await failsAtOnce(many, runner))) {
    const quick = left.filter(({ isQuick }) => isQuick)
    for (const checkCase of quick) await run(checkCase)
    const reason = new NotPossibleError(paymentsFailAtOnce(MANY_AT_ONCE))
    for (const one of [...left, ...alone].filter((checkCase) => !quick.includes(checkCase)))
      runner.report(skippedResult(one, reason))
    return
  }
  for (const checkCase of left.filter(({ isGarbage }) => isGarbage)) await run(checkCase)
  const together = left.filter(({ isGarbage }) => !isGarbage)
  const longestFirst = [
    ...together.filter(({ isLong }) => isLong),
    ...together.filter(({ isLong }) => !isLong),
  ]
  await runTogether(context, longestFirst, runner)
  for (const checkCase of alone.filter(({ isLast }) => !isLast)) await run(checkCase)
  for (const checkCase of alone.filter(({ isLast }) => isLast)) await run(checkCase)
}

/** Whether the app fails when many webhooks come at once. An app that is only late may be slow. */
async function failsAtOnce(many: CheckCase, { run, report }: Runner): Promise<boolean> {
  const result = await run(many)
  report(result)
  const { outcome, problem, isLate, fact } = result
  return outcome === 'failed' && problem !== 'fulfilled-again' && isLate !== true && fact === undefined
}

/**
 * Runs cases side by side. If one fails because the app did not answer in time, the check may have asked too much at once, so this case runs
 * again alone. If it passes, all that is left runs one after another.
 */
async function runTogether(context: CaseContext, cases: readonly CheckCase[], runner: Runner): Promise<void> {
  const { run, report } = runner
  const late: { readonly checkCase: CheckCase; readonly result: CheckResult }[] = []
  const left: CheckCase[] = []
  await runSideBySide(cases, async (checkCase) => {
    if (late.length > 0) return void left.push(checkCase)
    const result = await run(checkCase)
    if (result.outcome === 'failed' && result.isLate) late.push({ checkCase, result })
    else report(result)
  })
  const [first, ...others] = late
  if (first === undefined) return
  const { unanswered, crowded } = context
  const before = unanswered.splice(0)
  crowded.push(first.checkCase.name)
  const again = await run(first.checkCase)
  if (again.outcome === 'failed') {
    crowded.length = 0
    unanswered.push(...before)
    for (const { result } of late) report(result)
    return runSideBySide(left, runAndReport(runner))
  }
  report(again)
  for (const checkCase of [...others.map((one) => one.checkCase), ...left])
    await runAndReport(runner)(checkCase)
}

/** Cases that can tell why good webhooks fail. */
const EXPLAINING = new Set(['redirect-before-webhook', 'webhook-before-order', 'amount-whole', 'note-empty'])

/** If good webhooks fail, runs only the cases that can show the reason. Reports the others as skipped. */
async function withoutInconclusive(
  { watch, acceptedEncoding }: CaseContext,
  cases: readonly CheckCase[],
  report: (result: CheckResult) => void,
): Promise<readonly CheckCase[]> {
  if (watch === undefined || (await acceptedEncoding.detect()) !== undefined) return cases
  const explaining = cases.filter(({ name, group }) => group === 'encoding' || EXPLAINING.has(name))
  const kept = explaining.length > 0 ? explaining : cases.slice(0, 1)
  const reason = new NotPossibleError(goodWebhooksFail(kept[0]!.name))
  for (const one of cases.filter((checkCase) => !kept.includes(checkCase))) report(skippedResult(one, reason))
  return kept
}
