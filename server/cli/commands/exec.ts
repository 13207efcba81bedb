import { basename } from 'node:path'
import { truncate } from '../../domain/text/truncate.ts'
import { plural } from '../../contract/format/values.ts'
import type { RunReport } from '../../domain/events/run-report.ts'
import { severities, type Severity } from '../../domain/diagnostics/diagnostic.ts'
import { readStartOptions, type StartOptions } from '../../runtime/config/read-options.ts'
import type { RunningSandbox } from '../../runtime/sandbox.ts'
import { isDatabaseUrl } from '../../platform/system/database-name.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { andList } from '../../domain/text/word-lists.ts'
import { tidy } from '../../domain/text/tidy.ts'
import { flagsUnderHeading } from '../../runtime/config/flags.ts'
import { command, type FlagsOf } from '../command.ts'
import { matrixFlags } from '../matrix/matrix-flags.ts'
import { verdictFlags } from '../reports/verdict-flags.ts'
import { ownSandboxFlags, startFlags } from '../start-flags.ts'
import { commandEnvironment } from '../app-environment.ts'
import { createFindings, findingLine, type RunFinding } from '../findings.ts'
import { saveArtifacts, createFiles, type Artifact } from '../artifacts.ts'
import { openSandbox, waitBrieflyUntilSettled, printDiagnostic } from '../open-sandbox.ts'
import { type CommandIo, printMessage } from '../io.ts'
import { oneOf } from '../read-values.ts'
import { FIRST_SHELL_CODE } from '../process-group.ts'
import { runCommand } from '../run-command.ts'
import { describeRun, summarizeRun } from '../run-summary.ts'

const execFlags = {
  'fail-on': {
    kind: 'text',
    value: '<severity>',
    text: 'fail if there is a finding of at least this severity: hint, warning or error',
  },
  ...flagsUnderHeading('To find the behaviors that break your tests', matrixFlags),
  ...flagsUnderHeading('The sandbox', ownSandboxFlags),
  ...flagsUnderHeading('Output', {
    report: { kind: 'text', value: '<file>', text: 'save the run as one HTML file' },
    har: { kind: 'text', value: '<file>', text: 'save every request and response as a HAR file' },
    verbose: {
      kind: 'switch',
      text: 'list everything that the run used and did not use, instead of a summary',
    },
    quiet: { kind: 'switch', text: 'write only failures to stderr' },
    json: {
      kind: 'switch',
      text: 'write messages as JSON lines to stderr; with --matrix or --pairs the result to stdout',
    },
    ...verdictFlags,
  }),
} as const

export const exec = command({
  text: 'run your tests or another command with a new sandbox, and exit with its exit code',
  endsWithCommand: true,
  flags: execFlags,
  examples: [
    'exec -- npm test',
    'exec --behavior payId=distinct --report paylink-report.html -- npm test',
    'exec --fail-on warning -- npm test',
    'exec --matrix -- npm test',
    'exec --matrix payId,webhookEncoding=json --jobs 1 --junit matrix.xml -- npm test',
    'exec --pairs payId,webhookEncoding -- npm test',
  ],
  exitCodes:
    'the exit code of the command. 1: --fail-on found something. 2: usage error. 126 or 127: the command cannot be run.',
  async run({ flags, values, commandLine, usage }, io) {
    const [program, ...rest] = commandLine
    // The command is empty if a variable in a script is not set.
    if (program === undefined || tidy(program) === '') {
      throw new UsageError(`exec requires a command after --. Write ${usage}.`)
    }
    const failOn = oneOf('fail-on', flags['fail-on'], severities)
    // Ignores port and database of the configuration, because they belong to `start`.
    const options = await readStartOptions(values, io, true)
    if (isDatabaseUrl(options.db)) {
      throw new UsageError(
        'exec starts its own sandbox, which cannot use PostgreSQL. Leave out --db. To use a running sandbox, run the command without exec, and set PAYLINK_URL.',
      )
    }
    if (flags.matrix !== undefined || flags.pairs !== undefined) {
      const repeated = [...toArguments(flags), ...(failOn === undefined ? [] : [`--fail-on=${failOn}`])]
      const { matrix } = await import('../matrix/matrix.ts')
      return matrix({ command: [program, ...rest], flags, options, failOn, repeated }, io)
    }
    rejectMatrixFlags(flags)
    const artifacts = artifactsOf(flags)
    await createFiles(io, artifacts)

    const findings = createFindings()
    const sandbox = await openSandbox(options, io, (diagnostic, about) => {
      findings.note(diagnostic, about)
      if (options.json) printMessage(io, JSON.stringify(diagnostic))
      else if (!options.quiet) printDiagnostic(io, diagnostic)
    })
    try {
      const { url, version } = sandbox
      if (options.json) printMessage(io, JSON.stringify({ type: 'ready', url, version }))
      else if (!options.quiet) printMessage(io, `Sandbox listening on ${url}`)

      const environment = await commandEnvironment(sandbox, await sandbox.accounts(), options, io)
      const code = await runCommand(program, rest, environment, io)
      findings.commandEnded()
      // Prints findings before the receivers of the command end. Webhooks to them fail afterwards, and their errors would appear
      // above the summary.
      const address = { url, adminToken: options.adminToken, certificate: sandbox.certificate?.cert }
      if (code < FIRST_SHELL_CODE) {
        printRun(sandbox, options, flags.verbose, io)
        if (failOn === undefined && !options.quiet && !options.json)
          printErrors(findings.atLeast('error'), io)
        if (!options.quiet && !options.json && hasOutcome(sandbox.runReport())) {
          const { verdictOfRun } = await import('../run-verdict.ts')
          for (const line of await verdictOfRun(address)) printMessage(io, line)
        }
      }
      if (artifacts.length > 0 || failOn !== undefined) await waitBrieflyUntilSettled(sandbox)
      const isKept = await saveArtifacts(
        address,
        artifacts,
        aboutRun(program, code),
        options.quiet || options.json,
        io,
      )
      const isClean =
        failOn === undefined || printFindings(failOn, findings.atLeast(failOn), options, flags.report, io)
      return isKept && isClean ? code : code || 1
    } finally {
      await sandbox.close()
    }
  },
})

/** The first line of the report. It leaves out the arguments of the command, which may contain secrets. */
const aboutRun = (program: string, code: number): string =>
  `The command ${truncate(basename(program), 100)} ended with exit code ${code}.`

/** Whether there was a payment. If not, there is no verdict, and the control API need not be loaded. */
const hasOutcome = ({ outcomes }: RunReport): boolean => outcomes.some(({ count }) => count > 0)

/** Flags that affect only the output of a run. */
const NOT_REPEATED = ['json', 'quiet', 'admin-token', 'tunnel-token']

/** Rejects flags that have an effect only with `--matrix` or `--pairs`. */
function rejectMatrixFlags(flags: FlagsOf<typeof execFlags>): void {
  const unusedFlag = (['jobs', 'timeout', 'junit', 'markdown'] as const).find(
    (flag) => flags[flag] !== undefined,
  )
  if (unusedFlag !== undefined)
    throw new UsageError(
      `--${unusedFlag} requires --matrix or --pairs. Add one of them, or leave out --${unusedFlag}.`,
    )
}

/** The flags of `exec` that `start` also has, as arguments. */
function toArguments(flags: FlagsOf<typeof execFlags>): string[] {
  const startFlagValues = Object.entries(flags).filter(
    ([name]) => Object.hasOwn(startFlags, name) && !NOT_REPEATED.includes(name),
  )
  return startFlagValues.flatMap(([name, value]) => {
    if (typeof value === 'boolean') return value ? [`--${name}`] : []
    return [value ?? []].flat().map((one) => `--${name}=${one}`)
  })
}

function artifactsOf({ report, har }: FlagsOf<typeof execFlags>): Artifact[] {
  return [
    ...(report === undefined ? [] : [{ flag: 'report', file: report } as const]),
    ...(har === undefined ? [] : [{ flag: 'har', file: har } as const]),
  ]
}

function printRun(
  sandbox: RunningSandbox,
  { json, quiet }: StartOptions,
  verbose: boolean,
  io: CommandIo,
): void {
  const run = sandbox.runReport()
  if (json) printMessage(io, JSON.stringify({ type: 'run', ...run }))
  else if (!quiet) for (const line of (verbose ? describeRun : summarizeRun)(run)) printMessage(io, line)
}

/** Lists the errors that were found, because the output of the command may have pushed their messages off the screen. */
function printErrors(findings: readonly RunFinding[], io: CommandIo): void {
  if (findings.length === 0) return
  const codes = andList(findings.map(({ code }) => code))
  printMessage(
    io,
    `Findings of severity error: ${codes}. To fail the run because of such findings, pass --fail-on error.`,
  )
}

/** Prints the findings that make the run fail. Returns whether there are none. */
function printFindings(
  failOn: Severity,
  findings: readonly RunFinding[],
  { json }: StartOptions,
  report: string | undefined,
  io: CommandIo,
): boolean {
  if (json) printMessage(io, JSON.stringify({ type: 'findings', failOn, found: findings }))
  else if (findings.length > 0) {
    printMessage(io, `--fail-on ${failOn}: ${plural(findings.length, 'finding')}.`)
    for (const finding of findings) printMessage(io, findingLine(finding))
    if (report === undefined) printMessage(io, 'To keep the events, pass --report <file>.')
  }
  return findings.length === 0
}
