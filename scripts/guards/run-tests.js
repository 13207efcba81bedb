import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../run.js'

/**
 * @typedef {import('./table.js').Guard['test']} Test
 *
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} timedOut how many of the failed tests only ran out of time
 *
 * @typedef {{ hasHung: boolean, count: (test: Test) => Counts }} TestRun `hasHung`: the run was killed
 */

/** A test that waits for something that no longer happens fails after this time. */
const TEST_TIMEOUT_MS = 40_000
/** A test that blocks the event loop does not time out, so the whole run is killed after this time. */
const RUN_TIMEOUT_MS = 3 * TEST_TIMEOUT_MS

/**
 * Runs tests of a copy of the project. Each test is a file and a part of the test names in it.
 *
 * @param {string} copy
 * @param {readonly Test[]} tests
 * @param {number} [timeoutMs]
 * @returns {Promise<TestRun>}
 */
export async function runTests(copy, tests, timeoutMs = RUN_TIMEOUT_MS) {
  const report = join(copy, 'guards.json')
  rmSync(report, { force: true })
  const files = [...new Set(tests.map(([file]) => file))]
  const names = [...new Set(tests.map(([, name]) => escapeRegExp(name)))]
  const projects = new Set(files.map((file) => (file.startsWith('test/postgres/') ? 'postgres' : 'sandbox')))
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...[...projects].map((project) => `--project=${project}`),
      ...files,
      `--testNamePattern=${names.join('|')}`,
      `--testTimeout=${TEST_TIMEOUT_MS}`,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    // A separate process group, so that the processes of vitest can also be killed.
    {
      cwd: copy,
      // Cache entries would contain the path of the copy, so no other run could use them.
      env: { ...process.env, PAYLINK_TEST_NO_CACHE: '1' },
      stdio: 'ignore',
      detached: process.platform !== 'win32',
    },
  )
  let hasHung = false
  const timer = setTimeout(() => {
    hasHung = true
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-Number(child.pid), 'SIGKILL')
  }, timeoutMs)
  await once(child, 'close')
  clearTimeout(timer)
  const results = readResults(report, copy)
  return {
    hasHung,
    count([file, name]) {
      const matches = results.filter((one) => one.file === file && one.name.includes(name))
      const countOf = (/** @type {string} */ status) => matches.filter((one) => one.status === status).length
      const timedOut = matches.filter((one) => one.hasTimedOut).length
      return { passed: countOf('passed'), failed: countOf('failed'), timedOut }
    },
  }
}

/**
 * @param {string} report
 * @param {string} copy
 * @returns {{ file: string, name: string, status: string, hasTimedOut: boolean }[]}
 */
function readResults(report, copy) {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    return testResults.flatMap((/** @type {any} */ { name: path, assertionResults }) => {
      const file = relative(realpathSync(copy), path).replaceAll('\\', '/')
      return assertionResults.map((/** @type {any} */ { fullName, status, failureMessages }) => ({
        file,
        name: fullName,
        status,
        hasTimedOut: status === 'failed' && String(failureMessages).includes('Test timed out in'),
      }))
    })
  } catch {
    // No test file could be loaded, so there is no report.
    return []
  }
}

const escapeRegExp = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
