import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** @typedef {{ cpu: number, memory: number }} Usage Microseconds of processor time so far, and resident bytes. */
/** @typedef {Awaited<ReturnType<typeof startProcess>>} Process */
/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

const REPORT_USAGE = pathToFileURL(join(import.meta.dirname, 'report-usage.js')).href

/** What would configure a sandbox by accident, or make a program believe that it is a test. */
const EXCLUDED_VARIABLES = /^(PAYLINK_|VITEST|npm_|NODE_ENV$|TEST$)/
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !EXCLUDED_VARIABLES.test(name)))

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
/** @type {Set<string>} */
const folders = new Set()

/** A folder for databases. Processes are started in it, so that none reads the configuration of another. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-bench-'))
  folders.add(folder)
  return folder
}

/** Ends every process and removes every folder that is left. */
export async function stopAll() {
  const left = [...running]
  for (const child of left) child.kill('SIGKILL')
  await Promise.all(left.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  folders.clear()
}

/**
 * A script of this folder, or the command line, in a process of its own that answers one question after another.
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
    throw new Error(`${script} ended with ${code ?? signal}: ${errors.join('\n')}`)
  })
  ended.catch(() => {})

  return {
    child,
    /** @type {<Answer>(event: Promise<Answer>) => Promise<Answer>} */
    orEnd: (event) => Promise.race([event, ended]),
    /**
     * @param {object | string} question
     * @returns {Promise<any>}
     */
    async ask(question) {
      const answered = once(child, 'message')
      child.send(question)
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
 * A process that says at which address it listens.
 *
 * @param {string} script
 * @param {{ args?: readonly string[], cwd?: string, execArgv?: string[] }} [options]
 */
export async function startServer(script, options = {}) {
  const server = await startProcess(script, { execArgv: ['--import', REPORT_USAGE], ...options })
  const url = await server.orEnd(
    new Promise((/** @type {(url: string) => void} */ resolve) => {
      // Read on to the end, or a server that writes much would have to wait.
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
  }
}

/**
 * The built command line's sandbox, as it is started by whoever installs it.
 *
 * @param {string} folder
 * @param {{ args?: readonly string[], execArgv?: string[] }} [options]
 */
export const startSandbox = (folder, { args = [], ...options } = {}) =>
  startServer('../../dist/server/cli.js', {
    args: ['--port', '0', '--db', 'sandbox.db', ...args],
    cwd: folder,
    ...options,
  })
