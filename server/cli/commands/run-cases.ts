import { makeFolder } from '../../platform/system/make-folder.ts'
import { explainPathError } from '../../platform/system/file-trouble.ts'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import type { CheckReport, CaseResult } from '../../contract/checks/check.ts'
import type { Sandbox } from '../../client/connect-sandbox.ts'
import { toneText } from '../../contract/format/terminal-text.ts'
import { visibleLine } from '../../domain/text/visible.ts'
import type { TestOptions, TestFiles } from '../../client/failure-tests.ts'
import { createInterruption } from '../interruption.ts'
import { type CommandIo, note, print, fileIn, type CliIo } from '../io.ts'
import { type CaseVerdict, interruptedText, summaryOf } from '../reports/verdict.ts'
import { createReportFiles, reportsToStdout, writeReports } from '../reports/write-reports.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import type { CheckFlags } from './check-flags.ts'

/** The part of a report that every check prints. */
interface Report<Result> {
  readonly passed: number
  readonly failed: number
  readonly checked: CheckReport['checked']
  readonly results: readonly Result[]
}

/** One run of a check on the command line. */
interface CaseRun<Result extends CaseResult, AnyReport extends Report<Result>> {
  /** The name of the run in reports. */
  readonly suite: string
  readonly cases: readonly Pick<CaseResult, 'name' | 'group'>[]
  /** The line before the first result. */
  readonly intro?: string | undefined
  readonly openSandbox: () => Promise<{ readonly sandbox: Sandbox } & AsyncDisposable>
  run(
    sandbox: Sandbox,
    options: Pick<TestOptions, 'onTest'> & {
      readonly signal: AbortSignal
      readonly onResult: (result: Result) => void
    },
  ): Promise<AnyReport>
  /** What the output adds to a failed case, and the command that repeats the case. */
  explain(result: Result): Pick<CaseVerdict, 'message' | 'repeat'> & { readonly isKnownCause?: boolean }
  /** What was checked if the check cannot see orders. */
  readonly onlyAnswers: string
  /** The lines before the summary, such as common causes and advice. */
  conclude(report: AnyReport): readonly string[]
}

/** Prints the cases of a check instead of running them. */
export function listCases(
  cases: readonly Pick<CaseResult, 'name' | 'group' | 'title' | 'why'>[],
  isJson: boolean,
  io: CommandIo,
): number {
  for (const { name, group, title, why } of cases) {
    print(io, isJson, { name, group, title, why }, () => `${name.padEnd(26)}${title}`)
  }
  return 0
}

/** Runs the cases of a check. Prints each result as it arrives, then the summary, and writes the reports. */
export async function runCases<Result extends CaseResult, AnyReport extends Report<Result>>(
  { suite, cases, intro, openSandbox, run, explain, onlyAnswers, conclude }: CaseRun<Result, AnyReport>,
  flags: CheckFlags,
  io: CommandIo,
): Promise<number> {
  if (flags.json && reportsToStdout(flags)) {
    throw new UsageError('--json and a report cannot both use stdout. Pass a file for the report.')
  }
  using interruption = createInterruption(io)
  using _ = await createReportFiles(flags, io)
  const onTest = flags.tests === undefined ? undefined : createTestFolder(flags.tests, io)
  const finished: CaseVerdict[] = []
  await using opened = await openSandbox()
  if (intro !== undefined) note(io, intro)
  const report = await run(opened.sandbox, {
    signal: interruption.signal,
    onResult(result) {
      if (interruption.signal.aborted) return
      const verdict = verdictOf(result, explain)
      finished.push(verdict)
      noteResult(verdict, flags.details, io)
    },
    onTest,
  }).catch((error: unknown) => {
    if (!interruption.signal.aborted) throw error
  })
  const code = interruption.exitCode()
  if (report === undefined || code !== undefined) {
    const left = cases.filter(({ name }) => !finished.some((verdict) => verdict.name === name))
    const skipped = left.map(({ name, group }) => interrupted(name, group))
    await writeReports(suite, [...finished, ...skipped], flags, io)
    note(io, interruptedText(cases.length - left.length, cases.length))
    return code ?? 1
  }
  const wasChecked = report.passed + report.failed > 0
  const verdicts = report.results.map((result) => verdictOf(result, explain))
  await writeReports(suite, verdicts, flags, io)
  if (flags.json) print(io, true, report, () => '')
  else {
    const summary = `${summaryOf(verdicts)}. ${report.checked === 'answers' ? onlyAnswers : CHECKED[report.checked]}`
    const testsHint = flags.tests === undefined ? [TESTS_HINT] : []
    const hint = report.failed > 0 && !flags.details ? [DETAILS_HINT, ...testsHint] : []
    const nothing = wasChecked ? [] : ['Nothing was checked, because every case was skipped.']
    for (const line of [...conclude(report), ...nothing, summary, ...hint]) {
      if (reportsToStdout(flags)) note(io, line)
      else print(io, false, undefined, () => line)
    }
  }
  return report.failed === 0 && wasChecked ? 0 : 1
}

const CHECKED = {
  orders: 'Answers and the state of orders were checked.',
  fulfilments: 'Answers, orders and fulfilments were checked.',
} as const satisfies Record<Exclude<CheckReport['checked'], 'answers'>, string>

const DETAILS_HINT = 'For what was expected, why, and how to repeat a case: pass --details.'

const TESTS_HINT = 'To write each failure as a test: pass --tests <folder>.'

/** Turns a result into a verdict for reports. */
function verdictOf<Result extends CaseResult>(
  result: Result,
  explain: CaseRun<Result, never>['explain'],
): CaseVerdict {
  const { name, group, outcome, ms, title, why, expected, seen } = result
  const base = { name, group, outcome, ms }
  if (outcome === 'passed') return base
  if (outcome === 'skipped') return { ...base, message: seen }
  const { isKnownCause = false, ...explanation } = explain(result)
  if (isKnownCause) return { ...base, ...explanation }
  const details = [`Case: ${title}`, `Expected: ${expected}`, `Seen: ${seen}`, `Why: ${why}`].join('\n')
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

function noteResult(
  { name, outcome, message, details, repeat }: CaseVerdict,
  withDetails: boolean,
  io: CommandIo,
): void {
  const [tone, mark] = TONE_AND_MARK[outcome]
  const isExplained = withDetails && details !== undefined
  const reason = message === undefined || isExplained ? '' : `: ${visibleLine(message)}`
  note(io, `${toneText(tone, mark)} ${name}${reason}`)
  if (!isExplained) return
  for (const line of details.split('\n')) note(io, `    ${visibleLine(line)}`)
  if (repeat !== undefined) note(io, `    Repeat: ${visibleLine(repeat)}`)
}

/** Creates the folder before the run. Returns a function that writes the test of a failure there. */
function createTestFolder(folder: string, io: CliIo): (files: TestFiles) => void {
  const path = fileIn(io, folder)
  try {
    makeFolder(path)
  } catch (error) {
    throw new UsageError(
      `--tests ${folder} cannot be created: ${explainPathError(error)}. Name another folder.`,
    )
  }
  return ({ vitest, shell }) => {
    for (const { name, text } of [vitest, shell]) writeFileSync(join(path, name), text)
    note(io, `Test: ${join(folder, vitest.name)}, or ${shell.name} for the shell`)
  }
}
