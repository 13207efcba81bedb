import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** @typedef {{ cpu: number, memory: number }} Usage processor time so far in microseconds, and resident memory in bytes */
/** @typedef {Awaited<ReturnType<typeof startProcess>>} Process */
/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

const REPORT_USAGE = pathToFileURL(join(import.meta.dirname, 'report-usage.js')).href

/** Variables that would configure a sandbox by accident, or make it look like a test run. */
const EXCLUDED_VARIABLES = /^(PAYLINK_|VITEST|npm_|NODE_ENV$|TEST$)/
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !EXCLUDED_VARIABLES.test(name)))

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
/** @type {Set<string>} */
const folders = new Set()

/** Creates a folder for databases. Processes start in this folder, so that they do not read a stray configuration file. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-bench-'))
  folders.add(folder)
  return folder
}

/** @type {Set<() => void>} */
const endings = new Set()

/**
 * Runs a function when the bench ends, even if it is interrupted.
 *
 * @param {() => void} end
 */
export const runAtEnd = (end) => void endings.add(end)

/** Kills all processes and removes all folders that are left. */
export async function stopAll() {
  const left = [...running]
  for (const child of left) child.kill('SIGKILL')
  await Promise.all(left.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  for (const end of endings) end()
  endings.clear()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  folders.clear()
}

/**
 * Starts a script of this folder in another process. `ask` sends a message and waits for the answer.
 *
 * @param {string} script
 * @param {{ args?: readonly string[], cwd?: string, execArgv?: string[] }} [options]
 */
export async function startProcess(script, { args = [], cwd, execArgv = [] } = {}) {
  const child = fork(join(import.meta.dirname, script), args, {
    env,
    execArgv,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(cwd !== undefined && { cwd }),
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  /** @type {string[]} */
  const errors = []
  if (child.stderr) createInterface(child.stderr).on('line', (line) => errors.push(line))
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${script} exited with ${code ?? signal}: ${errors.join('\n')}`)
  })
  ended.catch(() => {})

  return {
    child,
    /** @type {<Answer>(event: Promise<Answer>) => Promise<Answer>} */
    orEnd: (event) => Promise.race([event, ended]),
    /**
     * @param {object | string} message
     * @returns {Promise<any>}
     */
    async ask(message) {
      const answered = once(child, 'message')
      child.send(message)
      const [answer] = await Promise.race([answered, ended])
      return answer
    },
    async end() {
      child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}

/**
 * Starts a server and waits until it prints its URL.
 *
 * @param {string} script
 * @param {{ args?: readonly string[], cwd?: string, execArgv?: string[] }} [options]
 */
export async function startServer(script, options = {}) {
  const server = await startProcess(script, { execArgv: ['--import', REPORT_USAGE], ...options })
  const url = await server.orEnd(
    new Promise((/** @type {(url: string) => void} */ resolve) => {
      // All output must be read, or a full pipe would block the server.
      createInterface(/** @type {import('node:stream').Readable} */ (server.child.stdout)).on(
        'line',
        (line) => {
          const found = /listening on (\S+)$/.exec(line)?.[1]
          if (found !== undefined) resolve(found)
        },
      )
    }),
  )
  return {
    ...server,
    url,
    /** @returns {Promise<Usage>} */
    usage: () => server.ask('usage'),
    /** @returns {Promise<number>} for how many milliseconds the process was blocked at most since the last question */
    longestPause: () => server.ask('pause'),
  }
}

/**
 * Starts the built sandbox as a user does.
 *
 * @param {string} folder
 * @param {{ db?: string, args?: readonly string[], execArgv?: string[] }} [options]
 */
export const startSandbox = (folder, { db = 'sandbox.db', args = [], ...options } = {}) =>
  startServer('../../dist/server/cli.js', {
    args: ['--port', '0', '--db', db, ...args],
    cwd: folder,
    ...options,
  })
