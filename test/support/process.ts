import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createCondition } from './condition.ts'

export const BUILT_CLI = fileURLToPath(new URL('../../dist/server/cli.js', import.meta.url))

/** The Node that runs commands: the Node of the tests, unless `TEST_NODE` names a different one. */
export const TEST_NODE = process.env.TEST_NODE ?? process.execPath

/** Creates a folder that is deleted when it is disposed of. */
export function temporaryFolder(parent = tmpdir()) {
  mkdirSync(parent, { recursive: true })
  const path = mkdtempSync(join(parent, 'paylink-'))
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Variables that configure a sandbox, or tell a program that it runs within these tests. */
const REMOVED_VARIABLES = /^(PAYLINK_|VITEST|npm_|NODE_ENV$|TEST$)/

export const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !REMOVED_VARIABLES.test(name)))

/** Runs the built command line in a new process to its end. */
export async function runBuiltCli(
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
) {
  const child = spawn(TEST_NODE, [BUILT_CLI, ...args], {
    cwd: options.cwd,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const [code] = await once(child, 'close')
  return { code: code as number | null, ...output }
}

/** Starts the built command line in a new process group, as a shell with job control does. After `timeout`, it is killed. */
export function startBuiltCli(
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; timeout?: number; killSignal?: NodeJS.Signals },
) {
  const child = spawn(TEST_NODE, [BUILT_CLI, ...args], {
    ...options,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const lines: string[] = []
  const errors: string[] = []
  const { notify, until } = createCondition()
  const keep = (kept: string[]) => (line: string) => {
    kept.push(line)
    notify()
  }
  createInterface(child.stdout).on('line', keep(lines))
  createInterface(child.stderr).on('line', keep(errors))
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>

  return {
    child,
    lines,
    errors,
    /** Its exit code, or the signal that ended it. */
    closed: closed.then(([code, signal]) => signal ?? code),
    /** Resolves when the output meets a condition. */
    until,
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill('SIGKILL')
      await closed
    },
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Starts a sandbox by the built command line in a new process, and waits for its ready line. */
export async function spawnSandbox(
  args: readonly string[],
  options: {
    cwd: string
    env?: NodeJS.ProcessEnv
    /** A program with arguments that runs the command line, such as `unshare`. */ through?: readonly string[]
  },
) {
  const [program = '', ...rest] = [...(options.through ?? []), process.execPath, BUILT_CLI, ...args]
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const errors: string[] = []
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  const reader = createInterface(child.stdout)
  const ready = new Promise<string>((resolve, reject) => {
    reader.on('line', (line) => {
      lines.push(line)
      const url =
        /^Sandbox listening on (\S+)$/.exec(line)?.[1] ?? /^\{"type":"ready","url":"([^"]+)"/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('close', (code) => reject(new Error(`The sandbox ended with ${code}: ${errors.join('\n')}`)))
  })
  const url = await ready
  const closed = once(child, 'close')

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await closed
    return child.exitCode
  }
  return {
    url,
    pid: child.pid!,
    lines,
    errors,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    end,
    [Symbol.asyncDispose]: () => end('SIGKILL') as Promise<unknown> as Promise<void>,
  }
}
