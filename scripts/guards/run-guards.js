import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyProject } from './copy-project.js'
import { whyNotFound } from './find-guards.js'
import { runTests } from './run-tests.js'
import { guards } from './table.js'

/** The time limit for the tests of all guards together, with unchanged code. */
const BASELINE_TIMEOUT_MS = 60 * 60_000

/**
 * @typedef {import('./table.js').Guard} Guard
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {'caught' | 'missed' | 'invalid'} outcome `caught`: the test fails without the guard. `invalid`: the row of
 *   the table is out of date, or its test proves nothing on this machine.
 * @property {string | null} why `null` for `caught`
 */

/**
 * Removes one guard after another from copies of the project, and checks that its test fails.
 *
 * @param {{ only: string, jobs: number }} options a part of the names of the guards, and how many run at once
 * @param {(result: Result) => void} onResult
 */
export async function runGuards({ only, jobs }, onResult) {
  const chosen = guards.filter(({ name }) => name.includes(only))
  /** @type {Result[]} */
  const results = []
  if (chosen.length === 0) return results
  const first = copyProject()
  const copies = [first, ...Array.from({ length: Math.min(jobs, chosen.length) - 1 }, copyProject)]
  try {
    const tests = chosen.map(({ test }) => test)
    const baseline = await runTests(first.path, tests, BASELINE_TIMEOUT_MS)
    /** @param {string} copy @param {Guard} guard */
    const runGuard = async (copy, guard) => {
      const outcome = whyInvalid(copy, guard, baseline) ?? (await runWithoutGuard(copy, guard))
      const result = { name: guard.name, ...outcome }
      results.push(result)
      onResult(result)
    }
    const waiting = chosen.filter(({ needsBuild }) => !needsBuild)
    await Promise.all(
      copies.map(async ({ path }) => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await runGuard(path, next)
      }),
    )
    // Guards that need a build run last, one after another.
    for (const guard of chosen.filter(({ needsBuild }) => needsBuild)) await runGuard(first.path, guard)
  } finally {
    for (const copy of copies) copy.remove()
  }
  return results
}

/** @returns {{ outcome: 'invalid', why: string }} */
const invalid = (/** @type {string} */ why) => ({ outcome: 'invalid', why })

/** @param {Guard['test']} test */
const testName = ([file, name]) => `${file}, "${name}"`

/**
 * Returns why a guard in `table.js` proves nothing, or `undefined`.
 *
 * @param {string} copy
 * @param {Guard} guard
 * @param {import('./run-tests.js').TestRun} baseline
 */
function whyInvalid(copy, { file, text, test }, baseline) {
  const why = whyNotFound(copy, { file, text })
  if (why !== undefined) return invalid(why)
  const { passed, failed } = baseline.count(test)
  if (failed > 0) return invalid(`${testName(test)} fails with the guard too`)
  return passed === 0 ? invalid(`there is no test ${testName(test)}`) : undefined
}

/**
 * @param {string} copy
 * @param {Guard} guard
 * @returns {Promise<Omit<Result, 'name'>>}
 */
async function runWithoutGuard(copy, { file, text, replacement, test, needsBuild = false }) {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const { atime, mtime } = statSync(path)
  const write = (/** @type {string} */ content) => {
    writeFileSync(path, content)
    // Keeps the timestamp, so that nothing is rebuilt for a test that does not use the build.
    if (!needsBuild) utimesSync(path, atime, mtime)
  }
  write(source.replace(text, () => replacement))
  const run = await runTests(copy, [test])
  write(source)

  const { failed, passed, timedOut } = run.count(test)
  // On a slow machine, the test may also time out with the guard.
  if (failed === timedOut && (run.hasHung || timedOut > 0) && !(await passes(copy, test)))
    return invalid(`${testName(test)} times out with the guard too`)
  if (run.hasHung || failed > 0) return { outcome: 'caught', why: null }
  if (passed === 0) return invalid(`${testName(test)} does not start without the guard`)
  return { outcome: 'missed', why: `${testName(test)} passes without the guard` }
}

/**
 * @param {string} copy
 * @param {Guard['test']} test
 */
async function passes(copy, test) {
  const { hasHung, count } = await runTests(copy, [test])
  const { passed, failed } = count(test)
  return !hasHung && failed === 0 && passed > 0
}
