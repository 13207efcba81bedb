import { leftOutLines } from '../../contract/format/import-lines.ts'
import { runCalibration, type Calibration } from '../../verify/calibration/calibrate.ts'
import type { ServicePayments } from '../../verify/calibration/run-probe.ts'
import { readStartOptions } from '../../runtime/config/read-options.ts'
import type { FlagValues } from '../../runtime/config/flags.ts'
import { evaluateRecording, RECORDED } from '../../verify/calibration/evaluate-recording.ts'
import type { CalibrationFile } from '../../contract/schemas/calibration.ts'
import type { BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import type { Mask } from '../../domain/secrets/mask.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { version } from '../../platform/system/version.ts'
import { writePrivateFile } from '../../platform/system/write-private-file.ts'
import { variableIn } from '../../platform/system/environment.ts'
import {
  callFlags,
  DEFAULT_CALL_TIMEOUT,
  DEFAULT_PAY_TIMEOUT,
  DEFAULT_RATE,
  DEFAULT_WEBHOOK_TIMEOUT,
  paymentFlags,
  type CalibrateFlags,
} from './calibrate-flags.ts'
import { createFiles } from '../artifacts.ts'
import { calibrationHar } from '../../verify/calibration/calibration-har.ts'
import {
  changesSince,
  DEFAULT_FILE,
  readEarlier,
  rejectUnwritableFile,
  toCalibrationFile,
  writeCalibrationFile,
  type CalibrationChange,
} from './calibration-file.ts'
import {
  missingLines,
  resultJson,
  resultLines,
  calibrationResult,
  summaryLine,
  calibrationVerdicts,
  type CalibrationResult,
} from './calibration-text.ts'
import { createHttpService } from '../../verify/calibration/http-service.ts'
import { startReachablePayments } from './reachable-payments.ts'
import { startMemorySandbox, type MemorySandbox } from './memory-sandbox.ts'
import { planLines, planOf } from './plan.ts'
import { createPseudonyms } from '../../verify/calibration/pseudonyms.ts'
import { readRate, type Rate } from '../../verify/calibration/rate-limit.ts'
import { readTargetKey, readTarget, rejectProduction, rejectUnsafeTarget } from './read-target.ts'
import { secretsIn } from '../../verify/calibration/recorded-secrets.ts'
import { selectProbes, type ProbeSelection } from '../../verify/calibration/select-probes.ts'
import { readWritableConfig, writeBehaviors } from './write-behaviors.ts'
import { createInterruption } from '../interruption.ts'
import { fileIn, printMessage, print, type CommandIo } from '../io.ts'
import { duration, readWholeNumber } from '../read-values.ts'
import { readHarFile } from '../read-har-file.ts'
import { createReportFiles, reportsToStdout, writeReports } from '../reports/write-reports.ts'
import type { CaseVerdict } from '../reports/verdict.ts'

const NOTHING_EVALUATED = 3

/** Runs `calibrate` with its flags. Returns the exit code. */
export async function runCalibrate(
  { flags, values }: { readonly flags: CalibrateFlags; readonly values: FlagValues },
  io: CommandIo,
): Promise<number> {
  rejectNeedlessPayFlags(flags)
  const selection = selectProbes(flags.only, flags.pay)
  const rate = readRate(flags.rate ?? DEFAULT_RATE)
  const hasRecipient = flags.recipient !== undefined
  if (flags.plan) {
    const plan = planOf(selection, hasRecipient, flags.pay)
    print(io, flags.json, plan, () => [...planLines(plan, rate)].join('\n'))
    return 0
  }
  rejectContradictions(flags)
  const source =
    flags.from === undefined ? readService(flags, io) : await readRecording(flags.from, flags, io)
  const run = await readRun(source, flags, values, io)
  const secretIo = withMask(io, source.mask)
  using interruption = createInterruption(secretIo)
  using _ = await createReportFiles(flags, io)
  await using payments =
    flags.pay && !('har' in source)
      ? await openPayments(source, flags, interruption.signal, secretIo)
      : undefined
  await using sandbox = await startMemorySandbox(io)

  const { calibration, calls } =
    'har' in source
      ? { calibration: await evaluate(source, sandbox, run), calls: 0 }
      : await ask(
          source,
          { sandbox, payments, run, selection, rate, flags, signal: interruption.signal },
          secretIo,
        )
  const reported = 'har' in source ? { ...selection, wanted: new Set([RECORDED]) } : selection
  const result = calibrationResult(calibration, reported, run.current)
  const file = toCalibrationFile(calibration, {
    target: source.target,
    sandbox: version,
    selection: reported,
    earlier: run.earlier,
  })
  const changes = flags.check ? changesSince(run.earlier!, file) : undefined
  // Prints the result before writing the file, so that the result of the calls is not lost if writing fails.
  printResult(result, { changes, calls, flags, run, target: source.target }, secretIo)
  await writeReports(
    `paylink-sandbox calibrate ${source.target}`,
    source.mask.value(reportOf(result, changes)),
    flags,
    secretIo,
  )
  if (flags.har !== undefined) await saveHar(flags.har, calibration.exchanges, source, secretIo)
  if (result.stopped === null && result.evaluated > 0)
    await saveResult(result, source.mask.value(file), { flags, run }, secretIo)
  return interruption.exitCode() ?? exitCodeOf(result, changes, flags)
}

interface CalibrationContext {
  readonly sandbox: MemorySandbox
  readonly payments: ServicePayments | undefined
  readonly run: Run
  readonly selection: ProbeSelection
  readonly rate: Rate
  readonly flags: CalibrateFlags
  readonly signal: AbortSignal
}

/** Sends the requests of the probes to the service. */
async function ask(
  { target, authorization, key, mask }: ServiceSource,
  { sandbox, payments, run, selection, rate, flags, signal }: CalibrationContext,
  io: CommandIo,
): Promise<{ readonly calibration: Calibration; readonly calls: number }> {
  const service = createHttpService({
    origin: target,
    authorization,
    apiKey: key,
    recipient: flags.recipient,
    mask,
    timeoutMs: duration('timeout', flags.timeout ?? DEFAULT_CALL_TIMEOUT),
    rate,
    maxCalls: readWholeNumber('max-calls', flags['max-calls'], 1),
    signal,
    onWait: (seconds) => printMessage(io, `The service limits calls. Waiting ${seconds} s.`),
  })
  const total = selection.probes.filter(({ needs }) => needs !== 'recipient' || flags.recipient).length
  let started = 0
  const calibration = await runCalibration({
    service: { ...service, payments },
    sandbox,
    probes: selection.probes,
    current: run.current,
    today: today(),
    signal,
    onProbe({ title }) {
      started += 1
      printMessage(io, `[${started}/${total}] ${title}`)
    },
  })
  return { calibration, calls: service.calls() }
}

/** Starts the server that receives redirects and webhooks. */
function openPayments(
  { target, mask }: Source,
  flags: CalibrateFlags,
  signal: AbortSignal,
  io: CommandIo,
): ReturnType<typeof startReachablePayments> {
  return startReachablePayments(
    {
      target,
      receiver: flags.receiver,
      port: readWholeNumber('port', flags.port, 1, 65_535),
      command: flags['pay-command'],
      payTimeoutMs: duration('pay-timeout', flags['pay-timeout'] ?? DEFAULT_PAY_TIMEOUT, '60m'),
      webhookTimeoutMs: duration(
        'webhook-timeout',
        flags['webhook-timeout'] ?? DEFAULT_WEBHOOK_TIMEOUT,
        '60m',
      ),
      mask,
      signal,
    },
    io,
  )
}

/** Evaluates recorded calls. Sends nothing. */
const evaluate = (
  { har, origin, mask }: RecordingSource,
  sandbox: MemorySandbox,
  { current }: Run,
): Promise<Calibration> =>
  evaluateRecording({
    replay: async (behaviors) =>
      Promise.all(
        (await sandbox.replay(har, origin, behaviors)).map(async (call) => ({
          ...call,
          exchange: await mask.exchange(call.exchange),
        })),
      ),
    current,
    today: today(),
  })

const today = (): string => new Date().toISOString().slice(0, 10)

interface Source {
  readonly target: string
  readonly mask: Mask
}

interface ServiceSource extends Source {
  readonly key: string
  /** The `Authorization` header, if the target has a user name and password. */
  readonly authorization: string | undefined
}

interface RecordingSource extends Source {
  readonly har: string
  /** If set, calls to other origins are ignored. */
  readonly origin: string | undefined
}

interface Run {
  readonly current: BehaviorChoices
  /** The file that the result is written to. */
  readonly file: string
  readonly earlier: CalibrationFile | undefined
  /** The configuration file that `--write` changes. */
  readonly config: string | undefined
}

function rejectNeedlessPayFlags(flags: CalibrateFlags): void {
  const needless = flags.pay ? undefined : firstPassed(paymentFlags, flags)
  if (needless !== undefined)
    throw new UsageError(`--${needless} has no effect without --pay. Also pass --pay.`)
}

/** The first of these flags that was passed. */
const firstPassed = (names: object, flags: CalibrateFlags): string | undefined =>
  (Object.keys(names) as (keyof CalibrateFlags)[]).find((name) => flags[name])

function rejectContradictions(flags: CalibrateFlags): void {
  const needless =
    flags.from === undefined ? undefined : firstPassed({ ...callFlags, har: true, pay: true }, flags)
  if (needless !== undefined) {
    throw new UsageError(`--from only reads recorded calls. Leave out --${needless}.`)
  }
  if (flags.check && flags.write) {
    throw new UsageError('--check only compares, and --write changes the configuration. Pass one of them.')
  }
  if (flags.json && reportsToStdout(flags)) {
    throw new UsageError('--json and a report cannot both use stdout. Pass a file for the report.')
  }
}

function readService(flags: CalibrateFlags, io: CommandIo): ServiceSource {
  const { url, authorization } = readTarget(flags.target)
  const target = url.origin
  rejectUnsafeTarget(target, io)
  const key = readTargetKey(flags['key-env'], io)
  rejectProduction(target, flags['key-env']!, key)
  if (!flags.yes) {
    throw new UsageError(
      'calibrate calls the service only with --yes. Run it with --plan to see each call, then with --yes.',
    )
  }
  const mask = createPseudonyms([
    { kind: 'key', secret: key },
    { kind: 'recipient', secret: flags.recipient },
  ])
  return { target, authorization, key, mask }
}

async function readRecording(
  name: string,
  { target }: CalibrateFlags,
  io: CommandIo,
): Promise<RecordingSource> {
  const origin = target === undefined ? undefined : readTarget(target).url.origin
  const { calls, leftOut, entries } = await readHarFile(io, name, origin)
  for (const line of leftOutLines(leftOut)) printMessage(io, line)
  const [first] = calls
  if (first === undefined) {
    const where = origin === undefined ? '' : ` to ${origin}`
    throw new UsageError(
      `${name} has no calls${where}: no request has a path below /api/v2/. Record the calls of your app to the service.`,
    )
  }
  return {
    target: first.upstream ?? new URL(first.exchange.request.url).origin,
    mask: createPseudonyms(secretsIn(calls)),
    har: JSON.stringify({ log: { entries: calls.map(({ index }) => entries[index]) } }),
    origin,
  }
}

/** Reads everything that a run needs, so that mistakes are reported before the first call. */
async function readRun(
  { target }: Source,
  flags: CalibrateFlags,
  values: FlagValues,
  io: CommandIo,
): Promise<Run> {
  const { behaviors } = await readStartOptions(
    values.config === undefined ? {} : { config: values.config },
    io,
  )
  const file = flags.file ?? DEFAULT_FILE
  const earlier = await readEarlier(file, io)
  if (flags.check && earlier === undefined) {
    throw new UsageError(
      `--check compares with ${file}, which does not exist. Run calibrate once without --check.`,
    )
  }
  if (flags.check && earlier!.target !== target) {
    throw new UsageError(
      `${file} has the result for ${earlier!.target}, not for ${target}. Pass another file with --file.`,
    )
  }
  const config = flags.write
    ? await readWritableConfig(flags.config ?? variableIn(io.env, 'PAYLINK_CONFIG'), io)
    : undefined
  if (!flags.check) await rejectUnwritableFile(file, io)
  if (flags.har !== undefined) await createFiles(io, [{ flag: 'har', file: flags.har }])
  return { current: behaviors, file, earlier, config }
}

/** Hides every secret in the output of the command. */
const withMask = (io: CommandIo, { text }: Mask): CommandIo => ({
  ...io,
  stdout: { ...io.stdout, write: (plain: string) => io.stdout.write(text(plain)) },
  stderr: { ...io.stderr, write: (plain: string) => io.stderr.write(text(plain)) },
})

async function saveHar(
  file: string,
  exchanges: Parameters<typeof calibrationHar>[0],
  { target, mask }: Source,
  io: CommandIo,
): Promise<void> {
  const har = calibrationHar(exchanges, { origin: target, version, mask })
  if (har === undefined)
    printMessage(
      io,
      `${file} was not written: no exchange contains the key, so masking could not be checked.`,
    )
  else await writePrivateFile(fileIn(io, file), har)
}

/** The verdicts for reports. With `--check`, only a change counts as a failure. */
function reportOf(
  result: CalibrationResult,
  changes: readonly CalibrationChange[] | undefined,
): CaseVerdict[] {
  const verdicts = calibrationVerdicts(result)
  if (changes === undefined) return verdicts
  const changed = new Map(changes.map(({ name, text }) => [name, text]))
  const points = verdicts.filter(({ group }) => group === 'open-points')
  return [
    ...points
      .filter(({ name }) => !changed.has(name))
      .map(({ name, group, ms }): CaseVerdict => ({ name, group, ms, outcome: 'passed' })),
    ...[...changed].map(([name, message]): CaseVerdict => ({
      name,
      group: 'changes',
      ms: 0,
      outcome: 'failed',
      message,
    })),
    ...verdicts.filter(({ group }) => group === 'answers'),
  ]
}

function exitCodeOf(
  { evaluated, stopped, failures, differences, toSet }: CalibrationResult,
  changes: readonly CalibrationChange[] | undefined,
  { write }: CalibrateFlags,
): number {
  if (evaluated === 0) return NOTHING_EVALUATED
  if (stopped !== null || failures.length > 0) return 1
  if (changes !== undefined) return changes.length > 0 ? 1 : 0
  return differences.length > 0 || (!write && Object.keys(toSet).length > 0) ? 1 : 0
}

interface PrintedResult {
  readonly changes: readonly CalibrationChange[] | undefined
  readonly calls: number
  readonly flags: CalibrateFlags
  readonly run: Run
  readonly target: string
}

function printResult(
  result: CalibrationResult,
  { changes, calls, flags, run, target }: PrintedResult,
  io: CommandIo,
): void {
  if (flags.json) {
    const value = {
      version: 1,
      target,
      calls,
      ...resultJson(result),
      ...(changes && { changes }),
    }
    return print(io, true, value, () => '')
  }
  const lines = changes === undefined ? resultLines(result) : changeLines(changes, result, run.file)
  for (const line of lines) printLine(line, flags, io)
  if (result.stopped !== null && !flags.check)
    printLine(`${run.file} and the configuration are not changed, because the run stopped.`, flags, io)
  if (result.evaluated === 0)
    printLine('Nothing could be checked: no probe got an answer that could be evaluated.', flags, io)
  else printLine(summaryLine(result, calls), flags, io)
  if (changes !== undefined || flags.write || Object.keys(result.toSet).length === 0) return
  printLine(
    `To give the sandbox the behaviors of the service, pass --write, or add to the configuration: "behaviors": ${JSON.stringify(result.toSet)}`,
    flags,
    io,
  )
}

/** Writes the result to its file, and the behaviors of the service to the configuration. */
async function saveResult(
  result: CalibrationResult,
  file: CalibrationFile,
  { flags, run }: Pick<PrintedResult, 'flags' | 'run'>,
  io: CommandIo,
): Promise<void> {
  if (!flags.check) {
    await writeCalibrationFile(run.file, file, io)
    if (!flags.json) printLine(`The result is in ${run.file}.`, flags, io)
  }
  if (!flags.write) return
  await writeBehaviors(run.config!, result.toSet, io)
  const set = Object.entries(result.toSet).map(([name, value]) => `${name}=${value}`)
  if (set.length > 0 && !flags.json)
    printLine(`${run.config} has the behaviors of the service now: ${set.join(', ')}.`, flags, io)
}

/** Prints to stderr if a report goes to stdout. */
const printLine = (line: string, flags: CalibrateFlags, io: CommandIo): void =>
  reportsToStdout(flags) ? printMessage(io, line) : print(io, false, undefined, () => line)

function* changeLines(
  changes: readonly CalibrationChange[],
  result: CalibrationResult,
  file: string,
): Generator<string> {
  if (changes.length === 0 && result.evaluated > 0 && result.stopped === null)
    yield `The service still agrees with ${file}.`
  for (const { name, text } of changes) yield `✕ ${name}: ${text}`
  yield* missingLines(result)
}
