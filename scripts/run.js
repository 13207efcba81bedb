import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a program in the project's folder. Its output goes to stderr, so that stdout contains only the output of this script.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ shell?: boolean, timeout?: number, env?: NodeJS.ProcessEnv }} [options]
 * @returns {boolean} whether it succeeded
 */
export function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
  return status === 0
}

/**
 * Prints what went wrong and what to do, and exits with 2.
 *
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
