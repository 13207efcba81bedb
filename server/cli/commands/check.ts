import type { CheckResult, CheckReport, CheckOptions } from '../../contract/check.ts'
import { type Verdict, interruptedText, summaryOf } from '../reports/verdict.ts'
import { type FlagsOf, readArguments, duration } from '../read-arguments.ts'
import { quoteIfNeeded } from '../../domain/http/curl.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { createInterruption } from '../interruption.ts'
import type { CheckRunOptions } from '../../receiver-check/check-run-options.ts'
import { reportsToStdout, createReportFiles, writeReports } from '../reports/write-reports.ts'
import { validateOptions } from '../../receiver-check/validate-options.ts'
import { type CommandIo, note, print } from '../io.ts'
import { checkCases } from '../../receiver-check/cases.ts'
import { loadOrderStateModule } from './order-state-module.ts'
import { type Sandbox, connectSandbox } from '../../client/connect-sandbox.ts'
import { connect } from '../connect.ts'
import { printable, toneText } from '../../format/terminal-lines.ts'

/** Turns a result into a verdict for reports. */
export function verdictOf(result: CheckResult, command: (name: string) => string): Verdict {
  const { name, group, outcome, ms, title, why, expected, seen, sameAs, repeat } = result
  const base = { name, group, outcome, ms }
  if (outcome === 'passed') return base
  if (outcome === 'skipped') return { ...base, message: seen }
  if (sameAs !== null) return { ...base, message: `same cause as ${sameAs}` }
  return {
    ...base,
    message: seen,
    details: [`Sent: ${title}`, `Expected: ${expected}`, `Seen: ${seen}`, `Why: ${why}`].join('\n'),
    repeat: repeat ?? command(name),
  }
}

/** Flags that a repeated command leaves out. */
const NOT_REPEATED = new Set(['only', 'skip', 'list', 'json', 'junit', 'markdown', 'admin-token'])

/** The command that repeats one case. */
export function commandOf(receiver: string, flags: FlagsOf<'check'>): (name: string) => string {
  const given = Object.entries(flags).flatMap(([flag, value]) => {
    if (NOT_REPEATED.has(flag) || value === undefined || typeof value === 'boolean') return []
    return [value].flat().map((one) => `--${flag} ${quoteIfNeeded(one)}`)
  })
  return (name) =>
    ['npx paylink-sandbox check', quoteIfNeeded(receiver), ...given, `--only ${name}`].join(' ')
}

type Flags = FlagsOf<'check'>

/** Checks a webhook receiver with the cases of the receiver check. */
export async function check(args: readonly string[], io: CommandIo): Promise<number> {
  const { flags, operands } = readArguments('check', args)
  const [receiver] = operands
  if (flags.list) return list(flags.json, io)
  if (receiver === undefined) {
    throw new UsageError(
      'check requires the address of your receiver. Write paylink-sandbox check http://localhost:3000/webhooks, or check --list.',
    )
  }
  const repeat = commandOf(receiver, flags)
  using interruption = createInterruption(io)
  const tried: Verdict[] = []
  const options: CheckRunOptions = {
    ...(await optionsOf(flags, io)),
    signal: interruption.signal,
    onResult(result) {
      if (interruption.signal.aborted) return
      const verdict = verdictOf(result, repeat)
      tried.push(verdict)
      noteResult(verdict, io)
    },
  }
  if (flags.json && reportsToStdout(flags)) {
    throw new UsageError('--json and a report cannot both use stdout. Pass a file for the report.')
  }
  const cases = validateOptions(receiver, options)
  using _ = await createReportFiles(flags, io)

  const suite = `paylink-sandbox check ${receiver}`
  await using there = await sandboxFor(flags, options, io)
  const report = await there.sandbox.check(receiver, options).catch((error: unknown) => {
    if (!interruption.signal.aborted) throw error
  })
  const code = interruption.exitCode()
  if (report === undefined || code !== undefined) {
    const rest = cases.slice(tried.length).map(({ name, group }) => interrupted(name, group))
    await writeReports(suite, [...tried, ...rest], flags, io)
    note(io, interruptedText(tried.length, cases.length))
    return code ?? 1
  }
  const verdicts = report.results.map((result) => verdictOf(result, repeat))
  await writeReports(suite, verdicts, flags, io)
  const summary = `${summaryOf(verdicts)}. ${CHECKED[report.judged]}`
  const say = reportsToStdout(flags)
    ? (line: string) => note(io, line)
    : (line: string) => print(io, false, undefined, () => line)
  if (flags.json) print(io, true, report, () => '')
  else
    for (const line of [...causesIn(report), ...(report.advice === null ? [] : [report.advice]), summary])
      say(line)
  return report.failed === 0 ? 0 : 1
}

/** One line for each cause with several failures. */
const causesIn = ({ results }: CheckReport): string[] => {
  const known = results.flatMap(({ sameAs }) => sameAs ?? [])
  return [...new Set(known)].map((first) => {
    const others = known.filter((one) => one === first).length
    return `${others + 1} failures have one cause: see ${first}.`
  })
}

const interrupted = (name: string, group: string): Verdict => ({
  name,
  group,
  outcome: 'skipped',
  ms: 0,
  message: 'interrupted',
})

const CHECKED = {
  answers: 'Orders were not checked: pass --state-url or --order-state-module to check them too.',
  orders:
    'Answers and orders were checked, but not how often an order was fulfilled: pass --count-pointer, or return `times` from --order-state-module.',
  fulfilments: 'Answers, orders and fulfilments were checked.',
} as const satisfies Record<CheckReport['judged'], string>

function list(isJson: boolean, io: CommandIo): number {
  for (const { name, group, title, why } of checkCases) {
    print(io, isJson, { name, group, title, why }, () => `${name.padEnd(26)}${title}`)
  }
  return 0
}

/** The names in a flag that can be repeated, and can hold several with commas between them. */
const names = (given: readonly string[]): string[] =>
  given.flatMap((text) => text.split(',')).map((name) => name.trim())

async function optionsOf(flags: Flags, io: CommandIo): Promise<CheckOptions> {
  const only = names(flags.only)
  return {
    ...(flags['order-state-module'] === undefined
      ? {}
      : await loadOrderStateModule(flags['order-state-module'], io)),
    stateUrl: flags['state-url'],
    statePointer: flags['state-pointer'],
    paidValue: flags['paid-value'],
    countPointer: flags['count-pointer'],
    orderUrl: flags['order-url'],
    orderBody: flags['order-body'],
    only: only.length === 0 ? undefined : only,
    skip: names(flags.skip),
    timeoutMs: duration('timeout', flags.timeout),
  }
}

/** The sandbox that the app uses, else a new one in memory. */
async function sandboxFor(
  flags: Flags,
  { orderUrl, createOrder }: CheckOptions,
  io: CommandIo,
): Promise<{ readonly sandbox: Sandbox } & AsyncDisposable> {
  if (flags.sandbox !== undefined || io.env.PAYLINK_URL) {
    const sandbox = await connect(flags, io)
    return { sandbox, [Symbol.asyncDispose]: () => sandbox.close() }
  }
  if (orderUrl !== undefined || createOrder !== undefined) {
    throw new UsageError(
      'Your app makes its orders with the sandbox that it is pointed at. Name it: pass --sandbox, or set PAYLINK_URL.',
    )
  }
  const { openMemorySandbox } = await import('../open-sandbox.ts')
  const running = await openMemorySandbox(io)
  const sandbox = await connectSandbox(running.url)
  return { sandbox, [Symbol.asyncDispose]: () => running.close() }
}

const TONE_AND_MARK = {
  passed: ['ok', '✓'],
  failed: ['err', '✕'],
  skipped: ['plain', '○'],
} as const satisfies Record<CheckResult['outcome'], unknown>

function noteResult({ name, outcome, message, details, repeat }: Verdict, io: CommandIo): void {
  const [tone, mark] = TONE_AND_MARK[outcome]
  const reason = message === undefined || details !== undefined ? '' : `: ${printable(message)}`
  note(io, `${toneText(tone, mark, io.stderr)} ${name}${reason}`)
  for (const line of details?.split('\n') ?? []) note(io, `    ${printable(line)}`)
  if (repeat !== undefined) note(io, `    Repeat: ${printable(repeat)}`)
}
