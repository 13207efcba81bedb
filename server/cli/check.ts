import { checkCases } from '../check/cases.ts'
import type { CheckOptions } from '../check/check-options.ts'
import type { CheckReport, CheckResult } from '../check/check-result.ts'
import { connectSandbox, type Sandbox } from '../client/connect-sandbox.ts'
import { UsageProblem } from '../usage-problem.ts'
import { commandOf, verdictOf } from './check-verdict.ts'
import { connect } from './connect.ts'
import { print, printable, tell, toneText } from './print.ts'
import { duration, readArguments, type FlagsOf } from './read-arguments.ts'
import { readOracle } from './read-oracle.ts'
import { keepVerdicts, prepareVerdicts, takesStdout } from './reports/keep-verdicts.ts'
import { summaryOf, type Verdict } from './reports/verdict.ts'

type Flags = FlagsOf<'check'>

/** Tries a receiver with everything it has to stand. */
export async function check(args: readonly string[]): Promise<number> {
  const { flags, operands } = readArguments('check', args)
  const [receiver] = operands
  if (flags.list) return list(flags.json)
  if (receiver === undefined) {
    throw new UsageProblem(
      'check needs the address of your receiver. Write paylink-sandbox check http://localhost:3000/webhooks, or check --list.',
    )
  }
  const repeat = commandOf(receiver, flags)
  const options: CheckOptions = {
    ...(await optionsOf(flags)),
    onResult: (result) => tellResult(verdictOf(result, repeat)),
  }
  if (flags.json && takesStdout(flags)) {
    throw new UsageProblem('--json and a report both want stdout. Name a file for the report.')
  }
  await prepareVerdicts(flags)

  await using there = await sandboxFor(flags, options)
  const report = await there.sandbox.check(receiver, options)
  const verdicts = report.results.map((result) => verdictOf(result, repeat))
  await keepVerdicts(`paylink-sandbox check ${receiver}`, verdicts, flags)
  const summary = `${summaryOf(verdicts)} (judged by ${JUDGED[report.judged]})`
  if (flags.json) print(true, report, () => '')
  else if (takesStdout(flags)) tell(summary)
  else print(false, undefined, () => summary)
  return report.failed === 0 ? 0 : 1
}

const JUDGED = {
  answers: 'answers alone: --state-url or --oracle tells of orders',
  orders: 'answers and orders, not by how often they were fulfilled: --count-pointer or the oracle tells',
  fulfilments: 'answers and orders',
} as const satisfies Record<CheckReport['judged'], string>

function list(isJson: boolean): number {
  for (const { name, group, title, why } of checkCases) {
    print(isJson, { name, group, title, why }, () => `${name.padEnd(26)}${title}`)
  }
  return 0
}

async function optionsOf(flags: Flags): Promise<CheckOptions> {
  const only = flags.only.flatMap((names) => names.split(',')).map((name) => name.trim())
  return {
    ...(flags.oracle === undefined ? {} : await readOracle(flags.oracle)),
    stateUrl: flags['state-url'],
    statePointer: flags['state-pointer'],
    paid: flags.paid,
    countPointer: flags['count-pointer'],
    orderUrl: flags['order-url'],
    orderBody: flags['order-body'],
    only: only.length === 0 ? undefined : only,
    patienceMs: duration('patience', flags.patience),
  }
}

/** The one that the app is pointed at, else one of its own, in memory. */
async function sandboxFor(
  flags: Flags,
  { orderUrl, createOrder }: CheckOptions,
): Promise<{ readonly sandbox: Sandbox } & AsyncDisposable> {
  if (flags.sandbox !== undefined || process.env.PAYLINK_URL) {
    const sandbox = await connect(flags)
    return { sandbox, [Symbol.asyncDispose]: () => sandbox.close() }
  }
  if (orderUrl !== undefined || createOrder !== undefined) {
    throw new UsageProblem(
      'Your app makes its orders with the sandbox that it is pointed at. Name it: pass --sandbox, or set PAYLINK_URL.',
    )
  }
  const { runSandbox } = await import('../sandbox.ts')
  const running = await runSandbox()
  const sandbox = await connectSandbox(running.url)
  return { sandbox, [Symbol.asyncDispose]: () => running.close() }
}

const SHOWN = {
  passed: ['ok', '✓'],
  failed: ['err', '✕'],
  skipped: ['plain', '○'],
} as const satisfies Record<CheckResult['outcome'], unknown>

function tellResult({ name, outcome, message, details, repeat }: Verdict): void {
  const [tone, mark] = SHOWN[outcome]
  tell(`${toneText(tone, mark, process.stderr)} ${name}${outcome === 'skipped' ? `: ${message}` : ''}`)
  for (const line of details?.split('\n') ?? []) tell(`    ${printable(line)}`)
  if (repeat !== undefined) tell(`    Repeat: ${printable(repeat)}`)
}
