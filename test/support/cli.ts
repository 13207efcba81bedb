import { EventEmitter } from 'node:events'
import { run } from '../../server/cli/run.ts'
import { cleanEnvironment, temporaryFolder } from './process.ts'
import { createCondition } from './condition.ts'

interface Options {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  readonly stdin?: NodeJS.ReadableStream
}

/** Runs a command in this process to its end. */
export async function runCli(args: readonly string[], { env, ...options }: Options) {
  const output = { stdout: '', stderr: '' }
  const code = await run(args, {
    ...options,
    env: { ...cleanEnvironment(), ...env },
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
  })
  return { code, ...output }
}

/** Runs a command line as typed in a shell, in an empty folder. Quotes keep words together. */
export async function runLine(line: string, env: NodeJS.ProcessEnv) {
  using folder = temporaryFolder()
  const words = line.match(/"[^"]*"|\S+/g) ?? []
  const args = words.map((word) => word.replace(/^"|"$/g, ''))
  return runCli(args, { cwd: folder.path, env })
}

/** Splits what is written into complete lines. */
function lineWriter(lines: string[], onLine: () => void) {
  let rest = ''
  return {
    write(text: string): void {
      const parts = (rest + text).split('\n')
      rest = parts.pop()!
      lines.push(...parts)
      if (parts.length > 0) onLine()
    },
  }
}

/** Starts a command in this process. Disposing of it sends SIGTERM twice, which ends it at once. */
export function startCli(args: readonly string[], { env, ...options }: Options) {
  const lines: string[] = []
  const errors: string[] = []
  const { notify, until } = createCondition()
  const signals = new EventEmitter()
  const closed = run(args, {
    ...options,
    env: { ...cleanEnvironment(), ...env },
    stdout: lineWriter(lines, notify),
    stderr: lineWriter(errors, notify),
    signals,
  })
  void closed.then(notify)

  return {
    lines,
    errors,
    closed,
    interrupt: (signal: NodeJS.Signals): void => void signals.emit(signal),
    /** Resolves when the output meets a condition. */
    until,
    async [Symbol.asyncDispose](): Promise<void> {
      signals.emit('SIGTERM')
      signals.emit('SIGTERM')
      await closed
    },
  }
}

/** Runs `start` in this process and waits for its ready line. */
export async function startSandboxCli(args: readonly string[], options: Options) {
  const running = startCli(args, options)
  const readyUrl = (): string | undefined =>
    running.lines
      .map(
        (line) =>
          /^Sandbox listening on (\S+)$/.exec(line)?.[1] ??
          /^\{"type":"ready","url":"([^"]+)"/.exec(line)?.[1],
      )
      .find((url) => url !== undefined)
  let code: number | undefined
  void running.closed.then((ended) => (code = ended))
  await running.until(() => readyUrl() !== undefined || code !== undefined)
  const url = readyUrl()
  if (url === undefined) throw new Error(`The sandbox ended with ${code}: ${running.errors.join('\n')}`)

  function end(signal: NodeJS.Signals): Promise<number> {
    running.interrupt(signal)
    return running.closed
  }
  return {
    url,
    lines: running.lines,
    errors: running.errors,
    /** Sends a signal, and resolves with the exit code. */
    end,
    async [Symbol.asyncDispose](): Promise<void> {
      await end('SIGTERM')
    },
  }
}
