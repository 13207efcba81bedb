import Database from 'better-sqlite3'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSandbox } from '../spawn-sandbox.js'
import { fuzzSeed } from './fuzz-seed.js'

/**
 * The built sandbox as a process of its own, on a free port, with its database in a folder.
 *
 * @param {string} folder
 * @param {readonly string[]} more flags
 */
export async function startSandbox(folder, more = []) {
  const seed = join(folder, 'seed.json')
  writeFileSync(seed, JSON.stringify(fuzzSeed))
  const kept = ['--db', join(folder, 'fuzz.db'), '--seed', seed, '--keep', '5000']
  const args = ['start', '--port', '0', ...kept, '--quiet', ...more]
  const { child, ready, errors, end } = spawnSandbox(args, { cwd: folder })
  // Nothing is left behind, however this ends.
  process.once('exit', () => child.kill('SIGKILL'))
  const url = await ready
  if (url === undefined) throw new Error(`The sandbox does not start: ${errors.join('\n')}`)
  return {
    url,
    /** What it has said that it should have no reason to. */
    said: errors,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** What it holds in memory, in MB. Only Linux says. */
    memory: () => memoryOf(child.pid ?? 0),
    /** Ends it as Ctrl-C does, and gives its exit code. */
    end: () => end('SIGTERM'),
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
