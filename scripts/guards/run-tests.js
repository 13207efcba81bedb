import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../run.js'

/**
 * @typedef {import('./table.js').Guard['test']} Test
 * @typedef {{ passed: number, failed: number, late: number }} Counts `late` of the failed only ran out of time
 * @typedef {{ hasHung: boolean, count: (test: Test) => Counts }} Tests
 */

/** A test that waits for what no longer comes is red too. */
const TEST_TIMEOUT_MS = 40_000
/** One that never lets go of the event loop is not ended by that. */
const RUN_TIMEOUT_MS = 3 * TEST_TIMEOUT_MS

/**
 * Runs some tests of a copy of the project, each a file and part of the names in it.
 *
 * @param {string} copy
 * @param {readonly Test[]} tests
 * @param {number} [hungMs]
 * @returns {Promise<Tests>}
 */
export async function runTests(copy, tests, hungMs = RUN_TIMEOUT_MS) {
  const report = join(copy, 'guards.json')
  rmSync(report, { force: true })
  const files = [...new Set(tests.map(([file]) => file))]
  const names = [...new Set(tests.map(([, name]) => escapeRegExp(name)))]
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--project=sandbox',
      ...files,
      `--testNamePattern=${names.join('|')}`,
      `--testTimeout=${TEST_TIMEOUT_MS}`,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    // A group of its own, to be ended with those that vitest starts.
    { cwd: copy, stdio: 'ignore', detached: process.platform !== 'win32' },
  )
  let hasHung = false
  const timer = setTimeout(() => {
    hasHung = true
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-Number(child.pid), 'SIGKILL')
  }, hungMs)
  await once(child, 'close')
  clearTimeout(timer)
  const results = readResults(report, copy)
  return {
    hasHung,
    count([file, name]) {
      const of = results.filter((one) => one.file === file && one.name.includes(name))
      const counted = (/** @type {string} */ status) => of.filter((one) => one.status === status).length
      const late = of.filter((one) => one.isLate).length
      return { passed: counted('passed'), failed: counted('failed'), late }
    },
  }
}

/**
 * @param {string} report
 * @param {string} copy
 * @returns {{ file: string, name: string, status: string, isLate: boolean }[]}
 */
function readResults(report, copy) {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    return testResults.flatMap((/** @type {any} */ { name: path, assertionResults }) => {
      const file = relative(realpathSync(copy), path).replaceAll('\\', '/')
      return assertionResults.map((/** @type {any} */ { fullName, status }) => ({
        file,
        name: fullName,
        status,
      }))
    })
  } catch {
    // Not even the first file could be loaded.
    return []
  }
}

const escapeRegExp = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
