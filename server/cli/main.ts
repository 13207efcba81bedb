#!/usr/bin/env node
import { SandboxError } from '../client/request.ts'
import { didYouMeanSentence, UsageError } from '../domain/text/usage-error.ts'
import { version } from '../system/version.ts'
import { flags as startFlags, type Flag } from '../config/flags.ts'
import { commandNames, usageOf, type CommandName } from './command-table.ts'
import { help, helpFor } from './help.ts'

type Run = (args: readonly string[]) => Promise<number>

/** Each is loaded when it is asked for: who waits for an event needs no database. */
const load: Readonly<Record<CommandName, () => Promise<Run>>> = {
  start: async () => (await import('./commands/start.ts')).start,
  exec: async () => (await import('./commands/exec.ts')).exec,
  create: async () => (await import('./commands/create.ts')).create,
  pay: async () => (await import('./commands/pay.ts')).pay,
  cancel: async () => (await import('./commands/cancel.ts')).cancel,
  events: async () => (await import('./commands/events.ts')).events,
  replay: async () => (await import('./commands/replay.ts')).replay,
  wait: async () => (await import('./commands/wait.ts')).wait,
  listen: async () => (await import('./commands/listen.ts')).listen,
  check: async () => (await import('./commands/check.ts')).check,
  reset: async () => (await import('./commands/reset.ts')).reset,
  settle: async () => (await import('./commands/settle.ts')).settle,
  health: async () => (await import('./commands/health.ts')).health,
}

/** 0 is fine, 1 did not happen, 2 was asked for wrongly: usage, configuration, or no sandbox there. */
async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  if (own.includes('--version')) return write(`${version}\n`)
  if (first === 'help') return write(rest[0] === undefined ? help() : helpFor(readCommand(rest[0])))
  const isCommand = first !== undefined && !first.startsWith('-')
  const asksForHelp = own.includes('--help') || own.includes('-h')
  if (!isCommand) {
    if (asksForHelp) return write(help())
    refuseLateCommand(own)
    return (await load.start())(args)
  }
  const name = readCommand(first)
  return asksForHelp ? write(helpFor(name)) : (await load[name]())(rest)
}

/** The name of a command that follows flags. It may be the value of one: `--db events`. */
function refuseLateCommand(args: readonly string[]): void {
  const late = commandNames.find((name) => {
    const index = args.indexOf(name)
    return index > 0 && !takesValue(args[index - 1]!)
  })
  if (late !== undefined) throw new UsageError(`The command comes first. Write ${usageOf(late)}.`)
}

const takesValue = (arg: string): boolean =>
  Object.entries<Flag>(startFlags).some(([name, { kind }]) => arg === `--${name}` && kind !== 'switch')

function readCommand(name: string): CommandName {
  const command = commandNames.find((known) => known === name)
  if (command !== undefined) return command
  throw new UsageError(
    `Unknown command ${name}.${didYouMeanSentence(name, [...commandNames, 'help'])} --help lists them.`,
  )
}

function write(text: string): number {
  process.stdout.write(text)
  return 0
}

/** By name, so that nothing is loaded for what it may throw. */
const USAGE = new Set(['UsageError', 'CheckError', 'DatabaseProblem', 'ListenProblem'])

/** What the sandbox says no to as things are. Whatever else it refuses was asked for wrongly. */
const NOT_HAPPENED = new Set([200, 408, 409, 429])

function exitCodeOf(error: unknown): 1 | 2 | undefined {
  if (error instanceof SandboxError) return NOT_HAPPENED.has(error.status ?? 0) ? 1 : 2
  return error instanceof Error && USAGE.has(error.name) ? 2 : undefined
}

/** Whoever read has seen enough, like `head`. That ends a list; what else there is to do is done all the same. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (stream === process.stdout && process.argv[2] === 'events') process.exit(0)
  })
}

async function run(): Promise<number> {
  try {
    return await main(process.argv.slice(2))
  } catch (error) {
    const code = exitCodeOf(error)
    if (code === undefined) console.error(error)
    else process.stderr.write(`${(error as Error).message}\n`)
    return code ?? 1
  }
}

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()))

const code = await run()
await Promise.all([process.stdout, process.stderr].map(written))
// What a configuration file leaves open would keep this process for ever.
process.exit(code)
