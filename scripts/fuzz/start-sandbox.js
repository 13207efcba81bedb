import Database from 'better-sqlite3'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSandbox } from '../spawn-sandbox.js'
import { fuzzSeed } from './fuzz-seed.js'

/**
 * Starts the built sandbox in another process, on a free port, with its database in a folder.
 *
 * @param {string} folder
 * @param {readonly string[]} [moreFlags]
 */
export async function startSandbox(folder, moreFlags = []) {
  const seed = join(folder, 'seed.json')
  writeFileSync(seed, JSON.stringify(fuzzSeed))
  const kept = ['--db', join(folder, 'fuzz.db'), '--seed', seed, '--keep', '5000']
  const args = ['start', '--port', '0', ...kept, '--quiet', ...moreFlags]
  const { child, ready, errors, end } = spawnSandbox(args, { cwd: folder })
  // The sandbox must not outlive this process.
  process.once('exit', () => child.kill('SIGKILL'))
  const url = await ready
  if (url === undefined) throw new Error(`The sandbox did not start: ${errors.join('\n')}`)
  return {
    url,
    /** The lines on stderr. There should be none. */
    errors,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** The resident memory in MB. 0 without /proc. */
    memory: () => memoryOf(child.pid ?? 0),
    /** Stops it as Ctrl-C does. Returns its exit code. */
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

/** Returns the problems of a database that a sandbox has closed. */
export function databaseProblems(/** @type {string} */ folder) {
  const db = new Database(join(folder, 'fuzz.db'), { readonly: true })
  try {
    const checked = /** @type {{ integrity_check: string }[]} */ (db.pragma('integrity_check'))
    const dangling = /** @type {unknown[]} */ (db.pragma('foreign_key_check'))
    return [
      ...checked.map((row) => row.integrity_check).filter((line) => line !== 'ok'),
      ...dangling.map((row) => `dangling reference: ${JSON.stringify(row)}`),
    ]
  } finally {
    db.close()
  }
}
