import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyProject } from './copy-project.js'
import { runTests } from './run-tests.js'
import { guards } from './table.js'

/** For all tests at once, as they are. */
const BASELINE_TIMEOUT_MS = 60 * 60_000

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {'noticed' | 'unnoticed' | 'unfit'} outcome
 * @property {string | null} why where it is not noticed
 */

/**
 * Takes one guard after another out of copies of the project, and looks whether the test that stands for it turns red.
 *
 * @param {{ only: string, jobs: number }} options part of the names of those to take, and how many at a time
 * @param {(result: Result) => void} onResult
 */
export async function runGuards({ only, jobs }, onResult) {
  const chosen = guards.filter(({ name }) => name.includes(only))
  // Those that need a build each are last, and one after another.
  const [plain, built] = [chosen.filter((one) => !one.built), chosen.filter((one) => one.built)]
  /** @type {Result[]} */
  const results = []
  if (chosen.length === 0) return results
  const first = copyProject()
  const copies = [first, ...Array.from({ length: Math.min(jobs, chosen.length) - 1 }, copyProject)]
  try {
    const tests = chosen.map(({ test }) => test)
    const baseline = await runTests(first.path, tests, BASELINE_TIMEOUT_MS)
    /** @param {string} copy @param {import('./table.js').Guard} guard */
    const take = async (copy, guard) => {
      const result = {
        name: guard.name,
        ...(whyInvalid(copy, guard, baseline) ?? (await runWithoutGuard(copy, guard))),
      }
      results.push(result)
      onResult(result)
    }
    const waiting = [...plain]
    await Promise.all(
      copies.map(async ({ path }) => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await take(path, next)
      }),
    )
    for (const guard of built) await take(first.path, guard)
  } finally {
    for (const copy of copies) copy.remove()
  }
  return results
}

/** @returns {{ outcome: 'unfit', why: string }} */
const invalid = (/** @type {string} */ why) => ({ outcome: 'unfit', why })

/** @param {import('./table.js').Guard['test']} test */
const testName = ([file, name]) => `${file}, "${name}"`

/**
 * Why a row says nothing. `undefined` where it fits.
 *
 * @param {string} copy
 * @param {import('./table.js').Guard} guard
 * @param {import('./run-tests.js').Tests} asItIs
 */
function whyInvalid(copy, { file, text, test }, asItIs) {
  const places = readFileSync(join(copy, file), 'utf8').split(text).length - 1
  if (places !== 1)
    return invalid(`${file} has ${places} places with ${JSON.stringify(text)}, and should have one`)
  const { passed, failed } = asItIs.count(test)
  if (failed > 0) return invalid(`${testName(test)} is red as things are`)
  return passed === 0 ? invalid(`${testName(test)} is no test`) : undefined
}

/**
 * @param {string} copy
 * @param {import('./table.js').Guard} guard
 * @returns {Promise<Omit<Result, 'name'>>}
 */
async function runWithoutGuard(copy, { file, text, by, test, built = false }) {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const { atime, mtime } = statSync(path)
  const write = (/** @type {string} */ content) => {
    writeFileSync(path, content)
    // What no built file has to do with is not to be built for.
    if (!built) utimesSync(path, atime, mtime)
  }
  write(source.replace(text, () => by))
  const without = await runTests(copy, [test])
  write(source)

  const { failed, passed, late } = without.count(test)
  // On a machine that is too slow for it, the test takes as long with the guard.
  if (failed === late && (without.hasHung || late > 0) && !(await passes(copy, test)))
    return invalid(`${testName(test)} takes too long here to tell, with the guard as well`)
  if (without.hasHung || failed > 0) return { outcome: 'noticed', why: null }
  if (passed === 0) return invalid(`without it ${testName(test)} does not even start`)
  return { outcome: 'unnoticed', why: `${testName(test)} is green without it` }
}

/**
 * @param {string} copy
 * @param {import('./table.js').Guard['test']} test
 */
async function passes(copy, test) {
  const { hasHung, count } = await runTests(copy, [test])
  const { passed, failed } = count(test)
  return !hasHung && failed === 0 && passed > 0
}
