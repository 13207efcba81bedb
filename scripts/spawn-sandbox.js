import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './run.js'

/** @typedef {import('node:stream').Readable} Readable */

const CLI = join(root, 'dist', 'server', 'cli.js')

/**
 * Starts the built sandbox in another process. Returns before it is ready.
 *
 * @param {readonly string[]} args
 * @param {{ cwd: string, execArgv?: readonly string[] }} options
 */
export function spawnSandbox(args, { cwd, execArgv = [] }) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PAYLINK_|VITEST|NODE_ENV$)/.test(name)),
  )
  const child = /** @type {import('node:child_process').ChildProcessByStdio<null, Readable, Readable>} */ (
    spawn(process.execPath, [...execArgv, CLI, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
  )
  const closed = once(child, 'close')
  /** @type {string[]} */
  const errors = []
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  /** @type {Promise<string | undefined>} its URL, or `undefined` if it exits before it is ready */
  const ready = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /^Sandbox listening on (\S+)$/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
    void closed.then(() => resolve(undefined))
  })
  return {
    child,
    ready,
    closed,
    errors,
    /** @param {NodeJS.Signals} signal */
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await closed
      return child.exitCode
    },
  }
}

/** Finds a free port, so that a sandbox can be restarted on it. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port was found.')
  return address.port
}
