import { defaultOption } from '../../domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import { quoteIfNeeded } from '../../domain/http/curl.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import { createInterruption } from '../interruption.ts'
import { note, print, type CommandIo } from '../io.ts'
import type { FlagsOf } from '../read-arguments.ts'
import { writeReports, createReportFiles, reportsToStdout } from '../reports/write-reports.ts'
import { interruptedText } from '../reports/verdict.ts'
import { describeRun, summarizeRun } from '../run-summary.ts'
import {
  differences,
  withOptions,
  baselineOf,
  type Combination,
  type Factor,
  type Option,
} from '../../verify/matrix/factor.ts'
import { inParallel } from './in-parallel.ts'
import { analyze } from '../../verify/matrix/analyze.ts'
import type { CombinationRun } from '../../verify/matrix/run-log.ts'
import { matrixJson, matrixText } from './matrix-text.ts'
import { timeoutText, combinationName, seconds, verdictsOf, type MatrixResult } from './verdicts.ts'
import { factorsOf, readMatrixFlag } from './read-options.ts'
import {
  createRepeat,
  readRunFlags,
  rejectSharedPort,
  reportOnlyRun,
  whyNoMoreRuns,
  type RepeatedRun,
} from './repeated-run.ts'
import { dependsOn, runSuite, type Suite, type SuiteRun } from './run-suite.ts'

type Flags = FlagsOf<'exec'>

/**
 * Runs a command with many combinations of behaviors, and prints which of them break it.
 *
 * `read-options.ts` decides what to vary, and `run-suite.ts` runs one combination. `analyze.ts` chooses the combinations
 * and finds the causes; it knows nothing of processes. `verdicts.ts` turns its result into verdicts.
 */
export async function matrix(
  { command, flags, options, failOn, repeated }: RepeatedRun,
  io: CommandIo,
): Promise<number> {
  const wanted = readMatrixFlag(flags.matrix ?? '')
  const { jobs, timeoutMs } = readRunFlags(flags, options)
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
    rejectSharedPort(ran, isAlone)
    return ran
  }
  const repeat = createRepeat(repeated, command)
  const shown = () => ({ factors, repeat, hasParallel: jobs > 1, ms: performance.now() - started })
  try {
    const baseline = await run([], true)
    const why = whyNoMoreRuns(baseline)
    if (why !== undefined) return await reportOnlyRun(why, baseline, suiteName(command), flags, io)
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

/** The behaviors that were chosen by flag, environment, configuration or seed. */
const chosenBehaviors = ({ behaviors }: SuiteRun, options: StartOptions): BehaviorName[] =>
  (Object.entries(behaviors) as [BehaviorName, string][])
    .filter(([name, value]) => name in options.behaviors || value !== defaultOption(name))
    .map(([name]) => name)

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

const suiteName = (command: readonly string[]): string =>
  `paylink-sandbox exec --matrix ${command.map(quoteIfNeeded).join(' ')}`

async function printResult(
  result: MatrixResult,
  command: readonly string[],
  flags: Flags,
  { json, quiet }: StartOptions,
  io: CommandIo,
): Promise<number> {
  const verdicts = verdictsOf(result)
  await writeReports(suiteName(command), verdicts, flags, io)
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
