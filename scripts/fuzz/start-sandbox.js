import Database from 'better-sqlite3'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../run.js'

/** The built sandbox as a process of its own, on a free port, with its database in a folder. */
export async function startSandbox(/** @type {string} */ folder) {
  const args = [
    join(root, 'dist', 'server', 'cli.js'),
    'start',
    '--port',
    '0',
    '--db',
    join(folder, 'fuzz.db'),
    '--keep',
    '5000',
    '--quiet',
  ]
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PAYLINK_')))
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  /** What it has said that it should have no reason to. @type {string[]} */
  const said = []
  createInterface(child.stderr).on('line', (line) => said.push(line))
  const closed = once(child, 'close')
  // Nothing is left behind, however this ends.
  process.once('exit', () => child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)
  const url = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /^Sandbox listening on (\S+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('close', (code) => reject(new Error(`The sandbox ended with ${code}: ${said.join('\n')}`)))
  })
  return {
    url: String(url),
    said,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** What it holds in memory, in MB. Only Linux says. */
    memory: () => memoryOf(child.pid ?? 0),
    /** Ends it as Ctrl-C does, and gives its exit code. */
    async end() {
      if (child.exitCode === null) child.kill('SIGTERM')
      await closed
      return child.exitCode
    },
  }
}

/** @param {number} pid */
function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** What is wrong with the database that a sandbox has left. */
export function databaseProblems(/** @type {string} */ folder) {
  const db = new Database(join(folder, 'fuzz.db'), { readonly: true })
  try {
    const checked = /** @type {{ integrity_check: string }[]} */ (db.pragma('integrity_check'))
    const stray = /** @type {unknown[]} */ (db.pragma('foreign_key_check'))
    return [
      ...checked.map((row) => row.integrity_check).filter((line) => line !== 'ok'),
      ...stray.map((row) => `stray reference: ${JSON.stringify(row)}`),
    ]
  } finally {
    db.close()
  }
}
