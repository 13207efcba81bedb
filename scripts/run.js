import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a program in the project's folder and shows what it prints on stderr, so that stdout stays for
 * whoever called this script.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ shell?: boolean, timeout?: number, env?: NodeJS.ProcessEnv }} [options]
 * @returns {boolean} whether it ended well
 */
export function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
  return status === 0
}

/**
 * Says what went wrong and what to do, and ends.
 *
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
