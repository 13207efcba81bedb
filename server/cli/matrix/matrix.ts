import { availableParallelism, constants } from 'node:os'
import { openPoints, type BehaviorName } from '../../domain/behavior.ts'
import { shellWord } from '../../domain/curl.ts'
import type { Severity } from '../../domain/diagnostic.ts'
import type { StartOptions } from '../../options.ts'
import { UsageProblem } from '../../usage-problem.ts'
import { print, tell } from '../print.ts'
import { NOT_RUN } from '../process-group.ts'
import { duration, wholeNumber, type FlagsOf } from '../read-arguments.ts'
import { keepVerdicts, prepareVerdicts, takesStdout } from '../reports/keep-verdicts.ts'
import { runText } from '../run-text.ts'
import { differences, startOf, type Combination, type Option } from './factor.ts'
import { inParallel } from './in-parallel.ts'
import { judge } from './judge.ts'
import { matrixJson, matrixText } from './matrix-text.ts'
import { nameOf, outputOf, seconds, verdictsOf, type MatrixResult } from './option-verdicts.ts'
import { factorsOf, readWanted } from './read-factors.ts'
import { calledAtAll, restsOn, runSuite, type Suite, type SuiteRun } from './run-suite.ts'

type Flags = FlagsOf<'exec'>

interface Order {
  readonly command: readonly [string, ...string[]]
  readonly flags: Flags
  readonly options: StartOptions
  readonly failOn: Severity | undefined
  /** The flags that one run is repeated with. */
  readonly repeated: readonly string[]
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Runs a command with one combination of behaviors after another, and says which of them breaks it. */
export async function matrix({ command, flags, options, failOn, repeated }: Order): Promise<number> {
  const wanted = readWanted(flags.matrix ?? '')
  const jobs = wholeNumber('jobs', flags.jobs, 1, 64) ?? availableParallelism()
  const timeoutMs = duration('timeout', flags.timeout, '600m') ?? 600_000
  refuseShared(flags, options, jobs)
  await prepareVerdicts(flags)

  const stop = new AbortController()
  let stoppedBy: NodeJS.Signals | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    // Whoever asks twice does not want to wait.
    if (stoppedBy !== undefined) process.exit(128 + constants.signals[signal])
    stoppedBy = signal
    stop.abort()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)

  const suite: Suite = { command, options, failOn, timeoutMs, signal: stop.signal }
  const progress = createProgress(options)
  const run = async (varied: readonly Option[], isAlone: boolean): Promise<SuiteRun> => {
    const ran = await runSuite(suite, varied)
    stop.signal.throwIfAborted()
    progress(varied, ran)
    if (!ran.passed && !isAlone && PORT_TAKEN.test(ran.output)) throw new UsageProblem(SHARED_PORT)
    return ran
  }
  try {
    const baseline = await run([], true)
    if (baseline.code >= NOT_RUN && !baseline.timedOut && !calledAtAll(baseline)) return baseline.code
    if (!calledAtAll(baseline)) return tellUncalled(baseline)
    const factors = factorsOf(wanted, baseline.behaviors, chosenIn(baseline, options))
    const start = startOf(factors)
    const ask = (combinations: readonly Combination[]): Promise<SuiteRun[]> =>
      inParallel(combinations, jobs, (combination) =>
        run(differences(combination, start), jobs === 1 || combinations.length === 1),
      )
    const judgement = await judge(factors, baseline, ask, restsOn)
    const repeat = (varied: readonly Option[]): string =>
      [
        'npx paylink-sandbox exec',
        ...repeated.map(shellWord),
        ...varied.map(behaviorFlag),
        '--',
        ...command.map(shellWord),
      ].join(' ')
    return await conclude({ ...judgement, factors, repeat, hasParallel: jobs > 1 }, command, flags, options)
  } catch (error) {
    if (stoppedBy === undefined) throw error
    return 128 + constants.signals[stoppedBy]
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}

const behaviorFlag = ({ name, value }: Option): string => `--behavior ${shellWord(`${name}=${value}`)}`

/** What one run alone can have. */
function refuseShared(flags: Flags, { db, port }: StartOptions, jobs: number): void {
  const kept = flags.report === undefined ? (flags.har === undefined ? undefined : 'har') : 'report'
  if (kept !== undefined) {
    throw new UsageProblem(
      `--${kept} keeps one run, and --matrix makes many. Leave it out; the result names the command that repeats one run, which takes it.`,
    )
  }
  if (db !== ':memory:') {
    throw new UsageProblem(
      `--db ${db} would carry one run into the next. Leave it out: with --matrix each is in memory.`,
    )
  }
  if (port !== 0 && jobs > 1) {
    throw new UsageProblem(
      `--port ${port} is one port, and runs that go on at once need one each. Add --jobs 1, or leave it out.`,
    )
  }
  if (flags.json && takesStdout(flags)) {
    throw new UsageProblem('--json and a report both want stdout. Name a file for the report.')
  }
}

const PORT_TAKEN =
  /EADDRINUSE|address already in use|only one usage of each socket address|port \d+ is (already )?(taken|in use)/i

const SHARED_PORT =
  'A run found a port taken, most likely by another run: the command listens on a port of its own, and runs go on at once. Add --jobs 1.'

/** By a flag, the environment, the configuration or the seed. */
const chosenIn = ({ behaviors }: SuiteRun, options: StartOptions): BehaviorName[] =>
  (Object.entries(behaviors) as [BehaviorName, string][])
    .filter(([name, value]) => name in options.behaviors || value !== openPoints[name].options[0])
    .map(([name]) => name)

function tellUncalled(baseline: SuiteRun): 1 {
  tell('The command never called the API of its sandbox, so no behavior can make a difference to it.')
  tell(
    'It finds the sandbox in PAYLINK_URL. One that starts a sandbox of its own with startSandbox() connects to that one instead: connectSandbox(process.env.PAYLINK_URL).',
  )
  tell(outputOf(baseline))
  return 1
}

function createProgress({ json, quiet }: StartOptions): (varied: readonly Option[], ran: SuiteRun) => void {
  let count = 0
  return (varied, { passed, ms, code, timedOut }) => {
    count += 1
    const outcome = passed
      ? 'passed'
      : timedOut
        ? 'had not ended'
        : code === 0
          ? 'findings'
          : `failed with ${code}`
    if (json)
      tell(
        JSON.stringify({
          type: 'run.ended',
          run: count,
          varied: nameOf(varied),
          passed,
          code,
          ms: Math.round(ms),
        }),
      )
    else if (!quiet) tell(`Run ${count}, ${nameOf(varied)}: ${outcome} after ${seconds(ms)}`)
  }
}

async function conclude(
  result: MatrixResult,
  command: readonly string[],
  flags: Flags,
  { json, quiet }: StartOptions,
): Promise<number> {
  const verdicts = verdictsOf(result)
  await keepVerdicts(`paylink-sandbox exec --matrix ${command.map(shellWord).join(' ')}`, verdicts, flags)
  if (!json && !quiet) for (const line of runText(result.runs[0]!.run.report)) tell(line)
  if (takesStdout(flags)) tell(matrixText(result, verdicts))
  else print(json, matrixJson(result, verdicts), () => matrixText(result, verdicts))
  return verdicts.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}
