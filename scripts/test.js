import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrFetchBrowser } from './find-browser.js'
import { buildIfStale } from './build-if-stale.js'
import { root } from './run.js'
import { setUp } from './setup.js'

await setUp()
const browser = await findOrFetchBrowser()
buildIfStale()

const folder = mkdtempSync(join(tmpdir(), 'paylink-tests-'))
const report = join(folder, 'report.json')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PAYLINK_TEST_BROWSER: browser },
})
printTotals()
rmSync(folder, { recursive: true, force: true })
process.exitCode = status ?? 1

/** One line that any CI can read. */
function printTotals() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
    process.stdout.write(`\n${numPassedTests} passed, ${numFailedTests} failed${skipped}\n`)
  } catch {
    process.stdout.write('\nThe test run ended without a report.\n')
  }
}
