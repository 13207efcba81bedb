import { availableParallelism } from 'node:os'
import { defaultOption } from '../../domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import { quoteIfNeeded } from '../../domain/http/curl.ts'
import type { Severity } from '../../domain/diagnostics/diagnostic.ts'
import type { StartOptions } from '../../config/read-options.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { createInterruption } from '../interruption.ts'
import { note, print, type CommandIo } from '../io.ts'
import { FIRST_SHELL_CODE } from '../process-group.ts'
import { duration, wholeNumber, type FlagsOf } from '../read-arguments.ts'
import { writeReports, createReportFiles, reportsToStdout } from '../reports/write-reports.ts'
import { interruptedText } from '../reports/verdict.ts'
import { describeRun, summarizeRun } from '../run-summary.ts'
import { differences, withOptions, baselineOf, type Combination, type Factor, type Option } from './factor.ts'
import { inParallel } from './in-parallel.ts'
import { analyze, type CombinationRun } from './analyze.ts'
import { matrixJson, matrixText } from './matrix-text.ts'
import {
  timeoutText,
  combinationName,
  outputOf,
  seconds,
  verdictsOf,
  type MatrixResult,
} from './option-verdicts.ts'
import { factorsOf, readMatrixFlag } from './read-factors.ts'
import { calledApi, dependsOn, runSuite, type Suite, type SuiteRun } from './run-suite.ts'

type Flags = FlagsOf<'exec'>

interface MatrixRun {
  readonly command: readonly [string, ...string[]]
  readonly flags: Flags
  readonly options: StartOptions
  readonly failOn: Severity | undefined
  /** The flags with which one run can be repeated. */
  readonly repeated: readonly string[]
}

/**
 * Runs a command with many combinations of behaviors, and prints which of them break it.
 *
 * `read-factors.ts` decides what to vary, and `run-suite.ts` runs one combination. `analyze.ts` chooses the combinations
 * and finds the causes; it knows nothing of processes. `option-verdicts.ts` turns its result into verdicts.
 */
export async function matrix(
  { command, flags, options, failOn, repeated }: MatrixRun,
  io: CommandIo,
): Promise<number> {
  const wanted = readMatrixFlag(flags.matrix ?? '')
  const jobs = wholeNumber('jobs', flags.jobs, 1, 64) ?? availableParallelism()
  const timeoutMs = duration('timeout', flags.timeout, '600m') ?? 600_000
  rejectConflicts(flags, options, jobs)
  using _ = await createReportFiles(flags, io)
  using interruption = createInterruption(io)
  const hangController = new AbortController()
  const stop = AbortSignal.any([interruption.signal, hangController.signal])

  const started = performance.now()
  const suite: Suite = { command, options, failOn, timeoutMs, signal: stop }
  const progress = createProgress(options, io)
  const ended: { readonly varied: readonly Option[]; readonly run: SuiteRun }[] = []
  let factors: readonly Factor[] = []
  const run = async (varied: readonly Option[], isAlone: boolean): Promise<SuiteRun> => {
    const ran = await runSuite(suite, varied, io)
    stop.throwIfAborted()
    progress(varied, ran)
    ended.push({ varied, run: ran })
    // A suite that hangs without any variation would run into the timeout in every combination.
    if (ran.timedOut && ended.length > 1 && ended[0]!.run.timedOut) hangController.abort()
    stop.throwIfAborted()
    if (!ran.passed && !isAlone && PORT_TAKEN.test(ran.output)) throw new UsageError(SHARED_PORT)
    return ran
  }
  const repeat = (varied: readonly Option[]): string =>
    [
      'npx paylink-sandbox exec',
      ...repeated.map(quoteIfNeeded),
      ...varied.map(behaviorFlag),
      '--',
      ...command.map(quoteIfNeeded),
    ].join(' ')
  const shown = () => ({ factors, repeat, hasParallel: jobs > 1, ms: performance.now() - started })
  try {
    const baseline = await run([], true)
    if (baseline.code >= FIRST_SHELL_CODE && !baseline.timedOut && !calledApi(baseline)) return baseline.code
    if (!calledApi(baseline)) return reportNoCall(baseline, io)
    factors = factorsOf(wanted, baseline.behaviors, chosenBehaviors(baseline, options))
    const start = baselineOf(factors)
    const ask = (combinations: readonly Combination[]): Promise<SuiteRun[]> =>
      inParallel(combinations, jobs, (combination) =>
        run(differences(combination, start), jobs === 1 || combinations.length === 1),
      )
    const judgement = await analyze(factors, baseline, ask, dependsOn)
    return await printResult({ ...judgement, ...shown() }, command, flags, options, io)
  } catch (error) {
    if (!stop.aborted) throw error
    const code = interruption.exitCode()
    const start = baselineOf(factors)
    const runs = ended.map(({ varied, run: ran }): CombinationRun<SuiteRun> => ({
      combination: withOptions(start, varied),
      run: ran,
    }))
    if (runs.length === 0) note(io, 'Interrupted: the first run had not ended.')
    else {
      const stopped = code === undefined ? 'hangs' : 'interrupted'
      const noAnalysis = { causes: [], flaky: undefined, alwaysFails: false, stopped } as const
      await printResult({ runs, ...noAnalysis, ...shown() }, command, flags, options, io)
    }
    return code ?? 1
  }
}

const behaviorFlag = ({ name, value }: Option): string => `--behavior ${quoteIfNeeded(`${name}=${value}`)}`

/** Rejects flags that only a single run can use. */
function rejectConflicts(flags: Flags, { db, port }: StartOptions, jobs: number): void {
  const kept = flags.report === undefined ? (flags.har === undefined ? undefined : 'har') : 'report'
  if (kept !== undefined) {
    throw new UsageError(
      `--${kept} saves one run, but --matrix has many. Leave out --${kept}. The result contains a command that repeats one run: add the flag to that command.`,
    )
  }
  if (db !== ':memory:') {
    throw new UsageError(
      `--db ${db} would keep data from one run to the next. Leave it out: with --matrix each run has a database in memory.`,
    )
  }
  if (port !== 0 && jobs > 1) {
    throw new UsageError(
      `--port ${port} is one port, but simultaneous runs need one each. Add --jobs 1, or leave it out.`,
    )
  }
  if (flags.json && reportsToStdout(flags)) {
    throw new UsageError('--json and a report cannot both use stdout. Pass a file for the report.')
  }
}

const PORT_TAKEN =
  /EADDRINUSE|address already in use|only one usage of each socket address|port \d+ is (already )?(taken|in use)/i

const SHARED_PORT =
  'A run found a port in use, probably by another run: the command listens on a fixed port, and runs are simultaneous. Add --jobs 1.'

/** The behaviors that were chosen by flag, environment, configuration or seed. */
const chosenBehaviors = ({ behaviors }: SuiteRun, options: StartOptions): BehaviorName[] =>
  (Object.entries(behaviors) as [BehaviorName, string][])
    .filter(([name, value]) => name in options.behaviors || value !== defaultOption(name))
    .map(([name]) => name)

function reportNoCall(baseline: SuiteRun, io: CommandIo): 1 {
  note(io, 'The command never called the API of its sandbox, so no behavior can make a difference to it.')
  note(
    io,
    'Its address is in PAYLINK_URL. If the command starts a sandbox with startSandbox(), connect to this one instead: connectSandbox(process.env.PAYLINK_URL).',
  )
  note(io, outputOf(baseline))
  return 1
}

function createProgress(
  { json, quiet }: StartOptions,
  io: CommandIo,
): (varied: readonly Option[], ran: SuiteRun) => void {
  let count = 0
  return (varied, run) => {
    const { passed, ms, code, timedOut } = run
    count += 1
    const outcome = passed
      ? 'passed'
      : timedOut
        ? timeoutText(run)
        : code === 0
          ? 'findings'
          : `failed with ${code}`
    if (json)
      note(
        io,
        JSON.stringify({
          type: 'run.ended',
          run: count,
          varied: combinationName(varied),
          passed,
          code,
          ms: Math.round(ms),
        }),
      )
    else if (!quiet)
      note(
        io,
        `Run ${count}, ${combinationName(varied)}: ${outcome}${timedOut ? '' : ` after ${seconds(ms)}`}`,
      )
  }
}

async function printResult(
  result: MatrixResult,
  command: readonly string[],
  flags: Flags,
  { json, quiet }: StartOptions,
  io: CommandIo,
): Promise<number> {
  const verdicts = verdictsOf(result)
  await writeReports(
    `paylink-sandbox exec --matrix ${command.map(quoteIfNeeded).join(' ')}`,
    verdicts,
    flags,
    io,
  )
  if (!json && !quiet)
    for (const line of (flags.verbose ? describeRun : summarizeRun)(result.runs[0]!.run.report))
      note(io, line)
  if (reportsToStdout(flags)) note(io, matrixText(result, verdicts))
  else print(io, json, matrixJson(result, verdicts), () => matrixText(result, verdicts))
  if (result.stopped === 'interrupted') {
    note(io, interruptedText(verdicts.filter(({ outcome }) => outcome !== 'skipped').length, verdicts.length))
  }
  return verdicts.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}
