import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './run.js'
import { setUp } from './setup.js'
import { isFullSize } from './test-sets.js'

// `npm run test:all` adds --all. Everything else goes to Vitest.
const args = process.argv.slice(2)
const vitestArgs = args.filter((arg) => arg !== '--all')
// If a part of a path or a project is named, all of its tests run. The value of a flag such as `-t` does not count as a name.
const isNamed = vitestArgs.some(
  (arg, index) =>
    arg.startsWith('--project') || !(arg.startsWith('-') || vitestArgs[index - 1]?.startsWith('-')),
)

const isAll = isFullSize || isNamed || args.includes('--all')
/** @type {import('./test-sets.js').TestSet} */
const set = isAll ? 'all' : 'usual'

setUp()

const folder = mkdtempSync(join(tmpdir(), 'paylink-tests-'))
const report = join(folder, 'report.json')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
// The other projects start PostgreSQL, install the package and check every shop of the laboratory.
const projects = set !== 'all' ? ['--project', 'sandbox'] : []
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const { status } = spawnSync(process.execPath, [vitest, 'run', ...projects, ...reporters, ...vitestArgs], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PAYLINK_TEST_SET: set },
})
printTotals()
if (set === 'usual')
  process.stdout.write(
    'The tests that take longest were left out. CI runs them, as `npm run test:all` does.\n',
  )
rmSync(folder, { recursive: true, force: true })
process.exitCode = status ?? 1

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
