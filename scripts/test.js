import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrFetchBrowser } from './find-browser.js'
import { buildIfStale } from './build-if-stale.js'
import { fail, root } from './run.js'
import { setUp } from './setup.js'

// `npm test` runs all tests, `npm test -- checkout` those below test/checkout. Flags and paths go to Vitest.
// `npm run test:fast` adds --fast: no browser, no new processes.

const { isFast, args } = readArguments(process.argv.slice(2))

await setUp()
/** @type {NodeJS.ProcessEnv} */
const env = { ...process.env }
if (isFast) {
  env.PAYLINK_TEST_FAST = 'true'
} else {
  env.PAYLINK_TEST_BROWSER = await findOrFetchBrowser()
  buildIfStale()
}

const folder = mkdtempSync(join(tmpdir(), 'paylink-tests-'))
const report = join(folder, 'report.json')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], {
  cwd: root,
  stdio: 'inherit',
  env,
})
printTotals()
rmSync(folder, { recursive: true, force: true })
process.exitCode = status ?? 1

/**
 * Turns the name of a folder below test/ into its path, and leaves everything else to Vitest.
 *
 * @param {readonly string[]} given
 */
function readArguments(given) {
  const fast = given.includes('--fast')
  const rest = given.filter((arg) => arg !== '--fast')
  const areas = readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'support')
    .map(({ name }) => name)
  const selected = rest.map((arg, index) => {
    // A word after a flag such as `-t` is its value.
    if (!/^[a-z][a-z-]*$/.test(arg) || rest[index - 1]?.startsWith('-')) return arg
    if (!areas.includes(arg)) fail(`There is no folder test/${arg}. There are ${areas.join(', ')}.`)
    return `test/${arg}/`
  })
  return { isFast: fast, args: fast ? ['--project', 'sandbox', ...selected] : selected }
}

/** Prints one line that any CI can read. */
function printTotals() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
    process.stdout.write(`\n${numPassedTests} passed, ${numFailedTests} failed${skipped}\n`)
  } catch {
    process.stdout.write('\nThe test run ended without a report.\n')
  }
}
