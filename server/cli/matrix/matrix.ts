import { availableParallelism } from 'node:os'
import { defaultOption } from '../../domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import type { Severity } from '../../domain/diagnostics/diagnostic.ts'
import { quoteIfNeeded } from '../../domain/http/curl.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import { createInterruption } from '../interruption.ts'
import { printMessage, print, type CommandIo } from '../io.ts'
import { FIRST_SHELL_CODE } from '../process-group.ts'
import { duration, readWholeNumber } from '../read-values.ts'
import { interruptedText } from '../reports/verdict.ts'
import { createReportFiles, reportsToStdout, writeReports } from '../reports/write-reports.ts'
import { describeRun, summarizeRun } from '../run-summary.ts'
import { findCauses, type MatrixRun } from './find-causes.ts'
import { runInParallel } from './run-in-parallel.ts'
import { DEFAULT_RUN_TIMEOUT, type MatrixFlags } from './matrix-flags.ts'
import { matrixJson, matrixText, seconds } from './matrix-text.ts'
import { optionsText, type BehaviorOption } from './option.ts'
import { optionsToTry, readNamedOptions } from './read-options.ts'
import { calledApi, runSuite, type Suite, type SuiteRun } from './run-suite.ts'
import { outputOf, timeoutText, matrixVerdicts, type MatrixResult } from './verdicts.ts'

/** A command that is run several times. */
interface RepeatedCommand {
  readonly command: readonly [string, ...string[]]
  readonly flags: MatrixFlags
  readonly options: StartOptions
  readonly failOn: Severity | undefined
  /** The flags of the command that repeats one run. */
  readonly repeated: readonly string[]
}

/**
 * Runs a command once with the default options and once with each of the other options, and prints which options break it.
 * `find-causes.ts` chooses the runs, `run-suite.ts` runs one of them, and `verdicts.ts` puts the result into words.
 */
export async function matrix(repeatedCommand: RepeatedCommand, io: CommandIo): Promise<number> {
  const { command, flags, options, failOn } = repeatedCommand
  const named = readNamedOptions(flags)
  const { jobs, timeoutMs } = readLimits(flags, options)
  using _ = await createReportFiles(flags, io)
  using interruption = createInterruption(io)
  const { signal } = interruption

  const started = performance.now()
  const suite: Suite = { command, options, failOn, timeoutMs, signal }
  const ended: MatrixRun<SuiteRun>[] = []
  async function run(changed: readonly BehaviorOption[], isAlone: boolean): Promise<SuiteRun> {
    const ran = await runSuite(suite, changed, io)
    signal.throwIfAborted()
    ended.push({ changed, run: ran })
    printProgress(ended.length, changed, ran, options, io)
    rejectSharedPort(ran, isAlone)
    return ran
  }
  const runEach = (combinations: readonly (readonly BehaviorOption[])[]): Promise<SuiteRun[]> =>
    runInParallel(combinations, jobs, (changed) => run(changed, jobs === 1 || combinations.length === 1))

  let plan: Pick<MatrixResult, 'options' | 'paired'> = { options: [], paired: [] }
  const finish = (result: Pick<MatrixResult, 'runs' | 'causes' | 'flaky' | 'isInterrupted'>) =>
    printResult(
      {
        ...result,
        ...plan,
        inForce: ended[0]!.run.behaviors,
        repeat: (changed) => repeatCommand(repeatedCommand, changed),
        hasParallel: jobs > 1,
        ms: performance.now() - started,
      },
      repeatedCommand,
      io,
    )
  try {
    const first = await run([], true)
    const why = whyNoMoreRuns(first)
    if (why !== undefined) return await reportOnlyRun(why, first, repeatedCommand, io)
    const inForce = first.behaviors
    plan = optionsToTry(named, inForce, chosenBehaviors(inForce, options))
    return await finish({
      ...(await findCauses(first, { ...plan, inForce }, runEach)),
      isInterrupted: false,
    })
  } catch (error) {
    if (!signal.aborted) throw error
    if (ended.length === 0) printMessage(io, 'Interrupted: the first run had not ended.')
    else await finish({ runs: ended, causes: [], flaky: undefined, isInterrupted: true })
    return interruption.exitCode() ?? 1
  }
}

/** Which of the two flags was passed. */
const flagOf = ({ matrix: named }: MatrixFlags): string => (named === undefined ? '--pairs' : '--matrix')

/** Reads the flags for several runs. Rejects flags that make sense only for a single run. */
function readLimits(
  flags: MatrixFlags,
  { db, port }: StartOptions,
): { readonly jobs: number; readonly timeoutMs: number } {
  const jobs = readWholeNumber('jobs', flags.jobs, 1, 64) ?? availableParallelism()
  const timeoutMs = duration('timeout', flags.timeout ?? DEFAULT_RUN_TIMEOUT, '600m')
  const flag = flagOf(flags)
  const kept = flags.report === undefined ? (flags.har === undefined ? undefined : 'har') : 'report'
  if (kept !== undefined) {
    throw new UsageError(
      `--${kept} saves one run, but ${flag} has many. Leave out --${kept}. The result contains a command that repeats one run: add the flag to that command.`,
    )
  }
  if (db !== ':memory:') {
    throw new UsageError(
      `--db ${db} would keep data from one run to the next. Leave it out: with ${flag} each run has a database in memory.`,
    )
  }
  if (port !== 0 && jobs > 1) {
    throw new UsageError(
      `--port ${port} is one port, but simultaneous runs need one each. Add --jobs 1, or leave out --port.`,
    )
  }
  if (flags.json && reportsToStdout(flags)) {
    throw new UsageError('--json and a report cannot both use stdout. Pass a file for the report.')
  }
  return { jobs, timeoutMs }
}

/** The behaviors that the user has set, by flag, environment, configuration or seed. */
const chosenBehaviors = (inForce: SuiteRun['behaviors'], options: StartOptions): BehaviorName[] =>
  (Object.entries(inForce) as [BehaviorName, string][])
    .filter(([name, value]) => name in options.behaviors || value !== defaultOption(name))
    .map(([name]) => name)

function printProgress(
  count: number,
  changed: readonly BehaviorOption[],
  ran: SuiteRun,
  { json, quiet }: StartOptions,
  io: CommandIo,
): void {
  const { passed, ms, code, timedOut } = ran
  const varied = optionsText(changed)
  if (json) {
    printMessage(
      io,
      JSON.stringify({ type: 'run.ended', run: count, varied, passed, code, ms: Math.round(ms) }),
    )
  } else if (!quiet) {
    const outcome = passed ? 'passed' : code === 0 ? 'findings' : `failed with ${code}`
    printMessage(
      io,
      `Run ${count}, ${varied}: ${timedOut ? timeoutText(ran) : `${outcome} after ${seconds(ms)}`}`,
    )
  }
}

/** Rejects a command that listens on a fixed port if several runs take place at the same time. */
function rejectSharedPort({ passed, output }: SuiteRun, isAlone: boolean): void {
  if (!passed && !isAlone && PORT_TAKEN.test(output)) throw new UsageError(SHARED_PORT)
}

const PORT_TAKEN =
  /EADDRINUSE|address already in use|only one usage of each socket address|port \d+ is (already )?(taken|in use)/i

const SHARED_PORT =
  'A run found a port in use, probably by another run: the command listens on a fixed port, and runs are simultaneous. Add --jobs 1.'

const NO_CALL =
  'The command never called the API of its sandbox, so no behavior can affect it. Its address is in PAYLINK_URL. If the command starts a sandbox with startSandbox(), connect to this one instead: connectSandbox(process.env.PAYLINK_URL).'

const HANGS =
  'The command does not end, so each further run could take as long. Make it end on its own first, or pass a longer --timeout.'

/** Whether the command could not be started. */
const isNotRun = ({ code, timedOut }: SuiteRun): boolean => code >= FIRST_SHELL_CODE && !timedOut

/** Why only one run is made. `undefined` if more runs follow. */
function whyNoMoreRuns(first: SuiteRun): string | undefined {
  if (calledApi(first)) return first.timedOut ? HANGS : undefined
  return isNotRun(first) ? 'The command could not be run.' : NO_CALL
}

/** Reports why only one run was made. Returns the exit code. */
async function reportOnlyRun(
  why: string,
  first: SuiteRun,
  repeatedCommand: RepeatedCommand,
  io: CommandIo,
): Promise<number> {
  const details = outputOf(first)
  printMessage(io, `${why}\n${details}`)
  await writeReports(
    suiteName(repeatedCommand),
    [{ name: 'first run', group: 'runs', outcome: 'failed', ms: first.ms, message: why, details }],
    repeatedCommand.flags,
    io,
  )
  return isNotRun(first) ? first.code : 1
}

const suiteName = ({ command, flags }: RepeatedCommand): string =>
  `paylink-sandbox exec ${flagOf(flags)} ${command.map(quoteIfNeeded).join(' ')}`

const repeatCommand = ({ repeated, command }: RepeatedCommand, changed: readonly BehaviorOption[]): string =>
  [
    'npx paylink-sandbox exec',
    ...repeated.map(quoteIfNeeded),
    ...changed.map(({ name, value }) => `--behavior ${quoteIfNeeded(`${name}=${value}`)}`),
    '--',
    ...command.map(quoteIfNeeded),
  ].join(' ')

async function printResult(
  result: MatrixResult,
  repeatedCommand: RepeatedCommand,
  io: CommandIo,
): Promise<number> {
  const { json, quiet } = repeatedCommand.options
  const { flags } = repeatedCommand
  const verdicts = matrixVerdicts(result)
  await writeReports(suiteName(repeatedCommand), verdicts, flags, io)
  if (!json && !quiet)
    for (const line of (flags.verbose ? describeRun : summarizeRun)(result.runs[0]!.run.report))
      printMessage(io, line)
  if (reportsToStdout(flags)) printMessage(io, matrixText(result, verdicts))
  else print(io, json, matrixJson(result, verdicts), () => matrixText(result, verdicts))
  if (result.isInterrupted) {
    printMessage(
      io,
      interruptedText(verdicts.filter(({ outcome }) => outcome !== 'skipped').length, verdicts.length),
    )
  }
  return verdicts.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}
