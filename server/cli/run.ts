import { didYouMeanSentence } from '../domain/text/closest-match.ts'
import { inspect } from 'node:util'
import { forTerminal } from '../contract/format/terminal-text.ts'
import { tidy } from '../domain/text/tidy.ts'
import { UsageError } from '../domain/text/usage-error.ts'
import { version } from '../platform/system/version.ts'
import { commandNames, loadCommand, otherNames, type CommandName } from './commands.ts'
import { printMessage, type CliIo, type CommandIo, type Output } from './io.ts'
import { hidePasswords } from '../domain/network/credentials.ts'

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

/**
 * Makes control characters visible, so that foreign text cannot control the terminal, and hides passwords in URLs. Everything
 * that a command writes goes through this output.
 */
function toVisible(output: Output): Output {
  const visibleIn = (text: string): string => forTerminal(hidePasswords(text), output)
  return {
    isTTY: output.isTTY === true,
    hasColors: () => output.hasColors?.() === true,
    write: (text) => output.write(visibleIn(text)),
    replaceLine: (text) => output.write(`${START_OF_EMPTY_LINE}${visibleIn(text)}`),
  }
}

/** Moves the cursor to the start of its line, and clears the line. */
const START_OF_EMPTY_LINE = '\r\u001b[K'

async function runToEnd(rawArgs: readonly string[], io: CommandIo): Promise<number> {
  const args = tidyNames(rawArgs)
  try {
    return await dispatch(args, io)
  } catch (error) {
    const { exitCodeOf, explainError } = await import('./explain-error.ts')
    printMessage(io, explainError(error, args.includes('--json')) ?? inspect(error))
    return exitCodeOf(error) ?? 1
  }
}

/**
 * Removes invisible characters from the names of commands and flags. In a script with Windows line ends, the last name ends with
 * `\r`.
 */
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
  if (first === 'help') {
    return write(await (rest[0] === undefined ? generalHelp() : helpOf(readCommand(tidy(rest[0])))))
  }
  const isCommand = first !== undefined && !first.startsWith('-')
  const asksForHelp = own.includes('--help') || own.includes('-h')
  if (!isCommand && asksForHelp) return write(await generalHelp())
  if (!isCommand) await rejectLateCommand(own)
  const name = isCommand ? readCommand(first) : 'start'
  if (asksForHelp) return write(await helpOf(name))
  return (await loadCommand(name)).run(name, isCommand ? rest : args, io)
}

const generalHelp = async (): Promise<string> => (await import('./general-help.evaluated.ts')).generalHelpText

const helpOf = async (name: CommandName): Promise<string> =>
  (await import('./help.ts')).helpOf(name, await loadCommand(name))

/** Rejects a command name after a flag, unless it is the flag's value, as in `--db events`. */
async function rejectLateCommand(args: readonly string[]): Promise<void> {
  const { flags } = await loadCommand('start')
  const late = commandNames.find((name) => {
    const index = args.indexOf(name)
    const [, before = ''] = /^--(.+)/.exec(args[index - 1] ?? '') ?? []
    return index > 0 && (flags[before] === undefined || flags[before].kind === 'switch')
  })
  if (late === undefined) return
  const { usageOf } = await import('./command.ts')
  throw new UsageError(`The command comes first. Write ${usageOf(late, await loadCommand(late))}.`)
}

function readCommand(name: string): CommandName {
  const command = commandNames.find((candidate) => candidate === name)
  if (command !== undefined) return command
  // The command is empty if a variable in a script is not set.
  if (name === '') throw new UsageError('The command is empty. --help lists the commands.')
  // Unless they follow `--`, npm reads flags itself and passes on only their values.
  if (/^\d+$/.test(name)) {
    throw new UsageError(
      `Unknown command ${name}. For a port, write --port ${name}, or after npm start: npm start -- --port ${name}.`,
    )
  }
  const hint = Object.hasOwn(otherNames, name)
    ? ` Did you mean ${otherNames[name]}?`
    : didYouMeanSentence(name, [...commandNames, 'help'])
  throw new UsageError(`Unknown command ${name}.${hint} --help lists them.`)
}
