import { makeFolder } from '../../platform/system/make-folder.ts'
import { explainPathError } from '../../platform/system/file-trouble.ts'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import type { CheckReport, CaseResult } from '../../contract/checks/check.ts'
import type { Sandbox } from '../../client/connect-sandbox.ts'
import { furtherReason } from '../../contract/format/further-reason.ts'
import { whySkipped } from '../../contract/format/why-skipped.ts'
import { countOutcomes } from '../../verify/app/run/summarize.ts'
import { toneText } from '../../contract/format/terminal-text.ts'
import { visibleLine } from '../../domain/text/visible.ts'
import type { TestOptions, TestFiles } from '../../client/failure-tests.ts'
import { createInterruption } from '../interruption.ts'
import { type CommandIo, printMessage, print, fileIn, type CliIo } from '../io.ts'
import { type CaseVerdict, countOf, interruptedText, summaryOf } from '../reports/verdict.ts'
import { createReportFiles, reportsToStdout, writeReports } from '../reports/write-reports.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { createProgress, type Progress } from '../progress.ts'
import type { CheckFlags } from './check-flags.ts'

/** The part of a report that is printed for every check. */
interface Report<Result> {
  readonly passed: number
  readonly failed: number
  readonly checked: CheckReport['checked']
  readonly notChecked: CheckReport['notChecked']
  readonly delays: CheckReport['delays']
  readonly results: readonly Result[]
}

/** One run of a check on the command line. */
interface CaseRun<Result extends CaseResult, AnyReport extends Report<Result>> {
  /** The name of the run in reports. */
  readonly suite: string
  readonly cases: readonly Pick<CaseResult, 'name' | 'group'>[]
  /** The line that is printed before the first result. */
  readonly intro?: string | undefined
  /** Gets each result, for the case that the check cannot finish. */
  readonly found: CaseResult[]
  readonly openSandbox: () => Promise<{ readonly sandbox: Sandbox } & AsyncDisposable>
  run(
    sandbox: Sandbox,
    options: Pick<TestOptions, 'onTest'> & {
      readonly signal: AbortSignal
      readonly onResult: (result: Result) => void
      readonly onNotice: (text: string) => void
    },
  ): Promise<AnyReport>
  /** What is printed below a failed case, and the command that repeats the case. */
  explain(result: Result): Pick<CaseVerdict, 'message' | 'repeat'> & { readonly isKnownCause?: boolean }
  /** Says what was checked if the check cannot see orders. */
  readonly onlyAnswers: string
  /** What is wrong with the app. Empty if no case failed. */
  mistakes(report: AnyReport): readonly string[]
}

/** Lists the cases instead of running them. */
export function listCases(
  cases: readonly Pick<CaseResult, 'name' | 'group' | 'title' | 'why'>[],
  isJson: boolean,
  io: CommandIo,
): number {
  const width = Math.max(...cases.map(({ name }) => name.length)) + 2
  for (const { name, group, title, why } of cases) {
    print(io, isJson, { name, group, title, why }, () => `${name.padEnd(width)}${title}`)
  }
  return 0
}

/**
 * Runs the cases of a check. Prints what is wrong, then what was not checked and the summary, and writes the reports. With
 * `--details`, prints each result as it arrives.
 */
export async function runCases<Result extends CaseResult, AnyReport extends Report<Result>>(
  {
    suite,
    cases,
    intro,
    found,
    openSandbox,
    run,
    explain,
    onlyAnswers,
    mistakes,
  }: CaseRun<Result, AnyReport>,
  flags: CheckFlags,
  io: CommandIo,
): Promise<number> {
  if (flags.json && reportsToStdout(flags)) {
    throw new UsageError('--json and a report cannot both use stdout. Pass a file for the report.')
  }
  using interruption = createInterruption(io)
  using _ = await createReportFiles(flags, io)
  const progress = createProgress(io)
  const onTest = flags.tests === undefined ? undefined : createTestFolder(flags.tests, progress, io)
  const finished: CaseVerdict[] = []
  /** Prints what was found if the run ends early. */
  function printFailures(): void {
    progress.clear()
    if (flags.details) return
    for (const { name, message } of finished.filter(({ outcome }) => outcome === 'failed'))
      printResult({ name, outcome: 'failed', message }, io)
  }
  await using opened = await openSandbox()
  if (intro !== undefined) printMessage(io, intro)
  const report = await run(opened.sandbox, {
    signal: interruption.signal,
    onResult(result) {
      if (interruption.signal.aborted) return
      found.push(result)
      const verdict = verdictOf(result, explain)
      finished.push(verdict)
      if (flags.details) printResult(verdict, io)
      else progress.show(progressText(finished, cases.length))
    },
    onNotice(text) {
      progress.clear()
      printMessage(io, text)
    },
    onTest,
  })
    .catch((error: unknown) => {
      if (interruption.signal.aborted) return
      printFailures()
      throw error
    })
    .finally(() => progress.clear())
  const code = interruption.exitCode()
  if (report === undefined || code !== undefined) {
    printFailures()
    const left = cases.filter(({ name }) => !finished.some((verdict) => verdict.name === name))
    const skipped = left.map(({ name, group }) => interrupted(name, group))
    await writeReports(suite, [...finished, ...skipped], flags, io)
    const reason = interruptedText(cases.length - left.length, cases.length)
    if (flags.json) printUnfinished(reason, found, io)
    printMessage(io, reason)
    return code ?? 1
  }
  const wasChecked = report.passed + report.failed > 0
  const verdicts = report.results.map((result) => verdictOf(result, explain))
  await writeReports(suite, verdicts, flags, io)
  if (flags.json) print(io, true, report, () => '')
  else {
    const wrong = mistakes(report)
    const noMistake = wasChecked
      ? 'No mistake was found.'
      : 'Nothing was checked, because every case was skipped.'
    const summary = `${summaryOf(verdicts)}. ${report.checked === 'answers' ? onlyAnswers : whatWasLookedAt(report.checked, verdicts)}`
    const lines = [
      ...(wrong.length > 0 ? wrong : [noMistake]),
      ...report.notChecked.map((line) => `Not checked: ${line}`),
      ...report.delays,
      summary,
      ...(report.failed > 0 && !flags.details ? [DETAILS_HINT] : []),
      ...(report.failed > 0 && !flags.details && flags.tests === undefined ? [TESTS_HINT] : []),
    ]
    for (const line of lines) {
      if (reportsToStdout(flags)) printMessage(io, line)
      else print(io, false, undefined, () => line)
    }
  }
  return report.failed === 0 && wasChecked ? 0 : 1
}

/** With `--json`, prints why a check has no report, and the results that it has so far. */
export function printUnfinished(error: string, results: readonly CaseResult[], io: CommandIo): void {
  print(io, true, { error, ...countOutcomes(results), results }, () => '')
}

/** `The check looked at the answers of your app, at whether orders are paid, and at refunds.` */
function whatWasLookedAt(
  checked: Exclude<CheckReport['checked'], 'answers'>,
  verdicts: readonly CaseVerdict[],
): string {
  const hasRefunds = verdicts.some(({ group, outcome }) => group === 'refund' && outcome !== 'skipped')
  const looks = [
    'at the answers of your app',
    'at whether orders are paid',
    ...(checked === 'fulfilments' ? ['at how often they are fulfilled'] : []),
    ...(hasRefunds ? ['at refunds'] : []),
  ]
  return `The check looked ${looks.slice(0, -1).join(', ')}, and ${looks.at(-1)}.`
}

const DETAILS_HINT = 'For what was expected, why, and how to repeat a case: pass --details.'

const TESTS_HINT = 'To write each failure as a test: pass --tests <folder>.'

/** Turns a result into a verdict for reports. */
function verdictOf<Result extends CaseResult>(
  result: Result,
  explain: CaseRun<Result, never>['explain'],
): CaseVerdict {
  const { name, group, outcome, ms, title, expected, seen } = result
  const base = { name, group, outcome, ms }
  if (outcome === 'passed') return base
  if (outcome === 'skipped') return { ...base, message: whySkipped(result) }
  const { isKnownCause = false, ...explanation } = explain(result)
  if (isKnownCause) return { ...base, ...explanation }
  const reasons = furtherReason(result).map((text) => `Why: ${text}`)
  const details = [`Case: ${title}`, `Expected: ${expected}`, `Seen: ${seen}`, ...reasons].join('\n')
  return { ...base, details, ...explanation }
}

const interrupted = (name: string, group: string): CaseVerdict => ({
  name,
  group,
  outcome: 'skipped',
  ms: 0,
  message: 'interrupted',
})

const TONE_AND_MARK = {
  passed: ['ok', '✓'],
  failed: ['err', '✕'],
  skipped: ['plain', '○'],
} as const satisfies Record<CaseResult['outcome'], unknown>

function printResult(
  { name, outcome, message, details, repeat }: Omit<CaseVerdict, 'group' | 'ms'>,
  io: CommandIo,
): void {
  const [tone, mark] = TONE_AND_MARK[outcome]
  const reason = message === undefined || details !== undefined ? '' : `: ${visibleLine(message)}`
  printMessage(io, `${toneText(tone, mark)} ${name}${reason}`)
  if (details === undefined) return
  for (const line of details.split('\n')) printMessage(io, `    ${visibleLine(line)}`)
  if (repeat !== undefined) printMessage(io, `    Repeat: ${visibleLine(repeat)}`)
}

/** `57 of 101 cases, 1 failed` */
function progressText(finished: readonly CaseVerdict[], all: number): string {
  const failed = countOf(finished, 'failed')
  // A history that fails is shortened, and each shortened history is another case.
  return `${finished.length} of ${Math.max(all, finished.length)} cases${failed === 0 ? '' : `, ${failed} failed`}`
}

/** Creates the folder before the run. Returns a function that writes the test for a failure to this folder. */
function createTestFolder(folder: string, progress: Progress, io: CliIo): (files: TestFiles) => void {
  const path = fileIn(io, folder)
  try {
    makeFolder(path)
  } catch (error) {
    throw new UsageError(
      `--tests ${folder} cannot be created: ${explainPathError(error)}. Pass another folder.`,
    )
  }
  return ({ vitest, shell }) => {
    for (const { name, text } of [vitest, shell]) writeFileSync(join(path, name), text)
    progress.clear()
    printMessage(io, `Test: ${join(folder, vitest.name)}, or ${shell.name} for the shell`)
  }
}
