import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The folder of one sandbox, in the folder that the runner empties after the job.
 *
 * @typedef {ReturnType<typeof homeAt>} Home
 */

/** Creates a folder. A second sandbox of the same job gets a folder of its own. */
export function createHome() {
  const base = join(process.env.RUNNER_TEMP ?? '', 'paylink-sandbox')
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? base : `${base}-${number}`
    try {
      mkdirSync(folder)
      return homeAt(folder)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

/** @param {string} folder */
export const homeAt = (folder) => ({
  folder,
  /** What the sandbox prints to stdout: one line when it is ready. */
  ready: join(folder, 'ready.jsonl'),
  log: join(folder, 'sandbox.log'),
  pid: join(folder, 'pid'),
})

/**
 * @typedef {{
 *   url: string,
 *   certificate?: { file: string },
 *   accounts: { id: string, apiKey: string, recipientToken: string }[]
 * }} Ready
 */

/**
 * Returns what the sandbox printed when it was ready, or `undefined` if it is not.
 *
 * @param {Home} home
 * @returns {Ready | undefined}
 */
export function readReady({ ready }) {
  const text = readIfExists(ready)
  return text.includes('\n') ? JSON.parse(text.split('\n')[0] ?? '') : undefined
}

/** @param {string} file */
export function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
