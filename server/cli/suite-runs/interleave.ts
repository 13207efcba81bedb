import type { Option } from '../../verify/matrix/factor.ts'
import { isPayment, type EventOrder, type EventOrderText } from '../../domain/webhooks/payment-events.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { CheckError } from '../../verify/receiver-check/check-error.ts'
import { nameOf, ordersOf } from '../../verify/receiver-check/interleave.ts'
import { runInterleaved } from '../../verify/receiver-check/run-interleaved.ts'
import { createInterruption } from '../interruption.ts'
import { note, print, type CommandIo } from '../io.ts'
import { interruptedText, summaryOf, type Verdict } from '../reports/verdict.ts'
import { createReportFiles, reportsToStdout, writeReports } from '../reports/write-reports.ts'
import { inParallel } from './in-parallel.ts'
import { outputOf, seconds, timeoutText } from './option-verdicts.ts'
import {
  createRepeat,
  readRunFlags,
  rejectSharedPort,
  reportOnlyRun,
  whyNoMoreRuns,
  type RepeatedRun,
} from './repeated-run.ts'
import { runSuite, type SuiteRun } from './run-suite.ts'

/** The usual order: one webhook. Other orders run only if the command passes with it. */
const USUAL: EventOrder = ['success']

/** Four events have 24 orders. */
const DEFAULT_EVENTS = ['redirect', 'success', 'both', 'cancel']

/** The orders of these events follow if a refund was approved in the first run. */
const REFUND_EVENTS = ['success', 'refund', 'success', 'cancel']

/**
 * Runs a command once for every order of the notifications of a payment. The behavior `interleave` of each sandbox sends
 * them. A failing order is shortened, as `check --interleave` does.
 */
export async function interleave(
  { command, flags, options, failOn, repeated }: RepeatedRun,
  io: CommandIo,
): Promise<number> {
  const names = (flags.interleave ?? '').split(',').map((name) => name.trim())
  const isDefault = names.join() === 'all'
  const given = withUsageError(() => wantedOrders(isDefault ? DEFAULT_EVENTS : names))
  const { jobs, timeoutMs } = readRunFlags('--interleave', flags, options)
  using _ = await createReportFiles(flags, io)
  using interruption = createInterruption(io)
  const { signal } = interruption
  const suite = { command, options, failOn, timeoutMs, signal }
  const repeat = createRepeat(repeated, command)
  const started = performance.now()
  const runs = new Map<string, Promise<SuiteRun>>()
  let ended = 0

  /** Runs the command with an order, unless it has run with it already. */
  function run(order: EventOrder, isAlone: boolean): Promise<SuiteRun> {
    const name = nameOf(order)
    const known = runs.get(name)
    if (known !== undefined) return known
    const running = runSuite(suite, [optionOf(order)], io).then((ran) => {
      signal.throwIfAborted()
      rejectSharedPort(ran, isAlone)
      ended += 1
      noteProgress(name, ran)
      return ran
    })
    runs.set(name, running)
    return running
  }

  function noteProgress(name: string, ran: SuiteRun): void {
    const { passed, code, ms, timedOut } = ran
    const outcome = passed ? 'passed' : timedOut ? timeoutText(ran) : `failed with ${code}`
    if (options.json)
      note(
        io,
        JSON.stringify({ type: 'run.ended', run: ended, order: name, passed, code, ms: Math.round(ms) }),
      )
    else if (!options.quiet) note(io, `Run ${ended}, ${name}: ${outcome} after ${seconds(ms)}`)
  }

  const verdicts: Verdict[] = []
  const suiteName = `paylink-sandbox exec --interleave ${command.join(' ')}`
  const report = (): Promise<void> => writeReports(suiteName, verdicts, flags, io)
  try {
    const usual = await run(USUAL, true)
    const why =
      whyNoMoreRuns(usual) ??
      (usual.passed
        ? undefined
        : 'The command also fails with a single webhook, so the order of notifications is not the cause.')
    if (why !== undefined) return await reportOnlyRun(why, usual, suiteName, flags, io)
    const orders =
      isDefault && approvesRefunds(usual) ? distinct([...given, ...wantedOrders(REFUND_EVENTS)]) : given
    if (!options.json && !options.quiet) note(io, `Next: ${orders.length} orders of notifications.`)
    await inParallel(orders, jobs, (order) => run(order, jobs === 1))
    await runInterleaved(orders, {
      run: (order) => run(order, true),
      isFailed: ({ passed }) => !passed,
      isWanted: (order) => order.some(isPayment),
      report: (ran, order, sameAs) =>
        verdicts.push(verdictOf(ran, order, sameAs, repeat([optionOf(order)]), command)),
    })
    await report()
    const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
    const text = [
      ...failed.flatMap((verdict) => linesOf(verdict, failed)),
      `${summaryOf(verdicts)}, in ${seconds(performance.now() - started)}.`,
    ].join('\n')
    if (reportsToStdout(flags)) note(io, text)
    else print(io, options.json, { type: 'interleave', passed: failed.length === 0, verdicts }, () => text)
    return failed.length === 0 ? 0 : 1
  } catch (error) {
    if (!signal.aborted) throw error
    await report()
    note(io, interruptedText(ended, Math.max(ended, given.length)))
    return interruption.exitCode() ?? 1
  }
}

function withUsageError<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof CheckError ? new UsageError(`--interleave: ${error.message}`) : error
  }
}

/** A suite expects that its payments are paid, so an order without a payment proves nothing. */
function wantedOrders(names: readonly string[]): readonly EventOrder[] {
  const orders = ordersOf(names, '').filter((order) => order.some(isPayment))
  if (orders.length > 0) return orders
  throw new CheckError('None of these orders contains a payment. Add success or both.')
}

const distinct = (orders: readonly EventOrder[]): EventOrder[] => [
  ...new Map(orders.map((order) => [nameOf(order), order])).values(),
]

const optionOf = (order: EventOrder): Option => ({
  name: 'interleave',
  value: order.join(',') as EventOrderText,
})

const approvesRefunds = ({ report }: SuiteRun): boolean =>
  report.outcomes.some(({ name, count }) => name === 'refundApproved' && count > 0)

function verdictOf(
  ran: SuiteRun,
  order: EventOrder,
  sameAs: string | null,
  repeat: string,
  command: readonly string[],
): Verdict {
  const base = { name: nameOf(order), group: 'interleaved', ms: ran.ms }
  if (ran.passed) return { ...base, outcome: 'passed' }
  if (sameAs !== null) return { ...base, outcome: 'failed', message: SAME_CAUSE + sameAs }
  const value = order.join(',')
  const details = [
    outputOf(ran),
    `Setting: --behavior interleave=${value}, or startSandbox({ behaviors: { interleave: '${value}' } })`,
    'As a test:',
    ...testLines(order, command).map((line) => `  ${line}`.trimEnd()),
  ].join('\n')
  return { ...base, outcome: 'failed', message: 'the command fails', details, repeat }
}

/** A test for Vitest that runs the command with this order. */
const testLines = (order: EventOrder, command: readonly string[]): string[] => [
  "import { spawnSync } from 'node:child_process'",
  "import { expect, test } from 'vitest'",
  '',
  `test(${JSON.stringify(`${command.join(' ')} passes with ${nameOf(order)}`)}, () => {`,
  `  const args = ['exec', '--behavior', 'interleave=${order.join(',')}', '--']`,
  `  const command = [${command.map((word) => JSON.stringify(word)).join(', ')}]`,
  "  const run = spawnSync('npx', ['paylink-sandbox', ...args, ...command], { stdio: 'inherit' })",
  '  expect(run.status).toBe(0)',
  '}, 600_000)',
]

const SAME_CAUSE = 'same cause as '

/** A shortest order that fails. Longer orders with the same cause have no lines. */
function linesOf({ name, message, details = '', repeat }: Verdict, failed: readonly Verdict[]): string[] {
  if (message?.startsWith(SAME_CAUSE)) return []
  const longer = failed.filter((other) => other.message === SAME_CAUSE + name).length
  const others = longer === 0 ? '' : `, and also with ${longer} longer ${longer === 1 ? 'order' : 'orders'}`
  return [
    `✕ ${name}: ${message}${others}`,
    ...details.split('\n').map((line) => `  ${line}`.trimEnd()),
    `  Repeat: ${repeat}`,
    '',
  ]
}
