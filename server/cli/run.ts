import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import { inspect } from 'node:util'
import { forTerminal } from '../contract/format/terminal-lines.ts'
import { tidy } from '../domain/text/tidy.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { version } from '../platform/system/version.ts'
import { commandNames, otherNames, startFlags, usageOf, type CommandName } from './command-table.ts'
import { exitCodeOf, explainError } from './explain-error.ts'
import { help, helpFor } from './help.ts'
import { note, type CliIo, type CommandIo, type Output } from './io.ts'
import { hidePasswords } from '../domain/network/credentials.ts'

type Command = (args: readonly string[], io: CommandIo) => Promise<number>

/** Loads each command when it is used, so that a command like `wait` does not load the database. */
const load: Readonly<Record<CommandName, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.ts')).start,
  stop: async () => (await import('./commands/stop.ts')).stop,
  exec: async () => (await import('./commands/exec.ts')).exec,
  create: async () => (await import('./commands/create.ts')).create,
  pay: async () => (await import('./commands/pay.ts')).pay,
  cancel: async () => (await import('./commands/cancel.ts')).cancel,
  decline: async () => (await import('./commands/decline.ts')).decline,
  refund: async () => (await import('./commands/refund.ts')).refund,
  events: async () => (await import('./commands/events.ts')).events,
  release: async () => (await import('./commands/release.ts')).release,
  replay: async () => (await import('./commands/replay.ts')).replay,
  wait: async () => (await import('./commands/wait.ts')).wait,
  listen: async () => (await import('./commands/listen.ts')).listen,
  check: async () => (await import('./commands/check.ts')).check,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  calibrate: async () => (await import('./commands/calibrate.ts')).calibrate,
  accounts: async () => (await import('./commands/accounts.ts')).accounts,
  clock: async () => (await import('./commands/clock.ts')).clock,
  faults: async () => (await import('./commands/faults.ts')).faults,
  invoices: async () => (await import('./commands/invoices.ts')).invoices,
  maps: async () => (await import('./commands/maps.ts')).maps,
  snapshot: async () => (await import('./commands/snapshot.ts')).snapshot,
  reset: async () => (await import('./commands/reset.ts')).reset,
  sample: async () => (await import('./commands/sample.ts')).sample,
  import: async () => (await import('./commands/import.ts')).importHar,
  settle: async () => (await import('./commands/settle.ts')).settle,
  health: async () => (await import('./commands/health.ts')).health,
}

/**
 * Runs one command line, such as `['pay', '1001', '--json']`, and resolves with its exit code.
 * 0: success. 1: failed or timed out. 2: usage error, or no sandbox reachable.
 *
 * It uses the process through `io` only, so it also runs inside a test:
 *
 *     const output = { stdout: '', stderr: '' }
 *     const code = await run(['pay', '1001'], {
 *       stdout: { write: (text) => (output.stdout += text) },
 *       stderr: { write: (text) => (output.stderr += text) },
 *       env: { PAYLINK_URL: sandbox.url },
 *       cwd: folder.path,
 *     })
 *
 * It never rejects: an error is written to `stderr` and becomes the exit code.
 */
export function run(args: readonly string[], io: CliIo): Promise<number> {
  return new Promise((resolve) => {
    const stdout = toVisible(io.stdout)
    const stderr = toVisible(io.stderr)
    void runToEnd(args, { ...io, stdout, stderr, exit: resolve, child: io }).then(resolve)
  })
}

/** Everything that a command writes goes through here, so no text of somebody else can control the terminal, and no password of a URL is shown. */
const toVisible = (output: Output): Output => ({
  isTTY: output.isTTY === true,
  hasColors: () => output.hasColors?.() === true,
  write: (text) => output.write(forTerminal(hidePasswords(text), output)),
})

async function runToEnd(given: readonly string[], io: CommandIo): Promise<number> {
  const args = tidyNames(given)
  try {
    return await dispatch(args, io)
  } catch (error) {
    note(io, explainError(error, args.includes('--json')) ?? inspect(error))
    return exitCodeOf(error) ?? 1
  }
}

/** Tidies the names of the command and of flags. In a script with the line ends of Windows, the last one ends with `\r`. */
function tidyNames(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  return args.map((arg, index) => {
    const isName = index === 0 || (index < end && arg.startsWith('-') && !arg.includes('='))
    return isName ? tidy(arg) : arg
  })
}

async function dispatch(args: readonly string[], io: CommandIo): Promise<number> {
  const write = (text: string): number => {
    io.stdout.write(text)
    return 0
  }
  const [first, ...rest] = args
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  if (own.includes('--version')) return write(`${version}\n`)
  if (first === 'help') return write(rest[0] === undefined ? help() : helpFor(readCommand(tidy(rest[0]))))
  const isCommand = first !== undefined && !first.startsWith('-')
  const asksForHelp = own.includes('--help') || own.includes('-h')
  if (!isCommand) {
    if (asksForHelp) return write(help())
    rejectLateCommand(own)
    return (await load.start())(args, io)
  }
  const name = readCommand(first)
  return asksForHelp ? write(helpFor(name)) : (await load[name]())(rest, io)
}

/** Rejects a command name after a flag, unless it is the value of that flag, as in `--db events`. */
function rejectLateCommand(args: readonly string[]): void {
  const late = commandNames.find((name) => {
    const index = args.indexOf(name)
    return index > 0 && !hasValue(args[index - 1]!)
  })
  if (late !== undefined) throw new UsageError(`The command comes first. Write ${usageOf(late)}.`)
}

const hasValue = (arg: string): boolean =>
  Object.entries(startFlags).some(([name, { kind }]) => arg === `--${name}` && kind !== 'switch')

function readCommand(name: string): CommandName {
  const command = commandNames.find((known) => known === name)
  if (command !== undefined) return command
  // In a script, an unset variable passes an empty command.
  if (name === '') throw new UsageError('The command is empty. --help lists the commands.')
  const meant = Object.hasOwn(otherNames, name)
    ? ` Did you mean ${otherNames[name]}?`
    : didYouMeanSentence(name, [...commandNames, 'help'])
  throw new UsageError(`Unknown command ${name}.${meant} --help lists them.`)
}
