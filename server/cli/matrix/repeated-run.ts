import { defaultTimes } from '../default-times.ts'
import { availableParallelism } from 'node:os'
import { quoteIfNeeded } from '../../domain/http/curl.ts'
import type { Severity } from '../../domain/diagnostics/diagnostic.ts'
import type { StartOptions } from '../../runtime/config/read-options.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { note, type CommandIo } from '../io.ts'
import { duration, wholeNumber, type FlagsOf } from '../read-arguments.ts'
import { FIRST_SHELL_CODE } from '../process-group.ts'
import { reportsToStdout, writeReports } from '../reports/write-reports.ts'
import type { Option } from '../../verify/matrix/factor.ts'
import { outputOf } from './verdicts.ts'
import { calledApi, type SuiteRun } from './run-suite.ts'

/** A command that is run several times. */
export interface RepeatedRun {
  readonly command: readonly [string, ...string[]]
  readonly flags: FlagsOf<'exec'>
  readonly options: StartOptions
  readonly failOn: Severity | undefined
  /** The flags that repeat one run. */
  readonly repeated: readonly string[]
}

/** Returns a function that writes the command that repeats one run. */
export const createRepeat =
  (repeated: readonly string[], command: readonly string[]) =>
  (varied: readonly Option[]): string =>
    [
      'npx paylink-sandbox exec',
      ...repeated.map(quoteIfNeeded),
      ...varied.map(({ name, value }) => `--behavior ${quoteIfNeeded(`${name}=${value}`)}`),
      '--',
      ...command.map(quoteIfNeeded),
    ].join(' ')

/** Reads the flags of several runs. Rejects those that only a single run can use. */
export function readRunFlags(
  flags: FlagsOf<'exec'>,
  { db, port }: StartOptions,
): { readonly jobs: number; readonly timeoutMs: number } {
  const jobs = wholeNumber('jobs', flags.jobs, 1, 64) ?? availableParallelism()
  const timeoutMs = duration('timeout', flags.timeout ?? defaultTimes.suiteRun, '600m')
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
      `--port ${port} is one port, but simultaneous runs need one each. Add --jobs 1, or leave out --port.`,
    )
  }
  if (flags.json && reportsToStdout(flags)) {
    throw new UsageError('--json and a report cannot both use stdout. Pass a file for the report.')
  }
  return { jobs, timeoutMs }
}

/** Rejects a command that listens on a fixed port, if runs are simultaneous. */
export function rejectSharedPort({ passed, output }: SuiteRun, isAlone: boolean): void {
  if (!passed && !isAlone && PORT_TAKEN.test(output)) throw new UsageError(SHARED_PORT)
}

const PORT_TAKEN =
  /EADDRINUSE|address already in use|only one usage of each socket address|port \d+ is (already )?(taken|in use)/i

const SHARED_PORT =
  'A run found a port in use, probably by another run: the command listens on a fixed port, and runs are simultaneous. Add --jobs 1.'

const NO_CALL =
  'The command never called the API of its sandbox, so no behavior can affect it. Its address is in PAYLINK_URL. If the command starts a sandbox with startSandbox(), connect to this one instead: connectSandbox(process.env.PAYLINK_URL).'

/** Why the first run makes others useless, `undefined` if it does not. */
export const whyNoMoreRuns = (first: SuiteRun): string | undefined => {
  if (calledApi(first)) return undefined
  return first.code >= FIRST_SHELL_CODE && !first.timedOut ? 'The command could not be run.' : NO_CALL
}

/** Reports a first run after which there are no others. Returns the exit code. */
export async function reportOnlyRun(
  why: string,
  first: SuiteRun,
  suiteName: string,
  flags: FlagsOf<'exec'>,
  io: CommandIo,
): Promise<number> {
  const { ms, code } = first
  const details = outputOf(first)
  note(io, `${why}\n${details}`)
  await writeReports(
    suiteName,
    [{ name: 'first run', group: 'runs', outcome: 'failed', ms, message: why, details }],
    flags,
    io,
  )
  return code >= FIRST_SHELL_CODE ? code : 1
}
