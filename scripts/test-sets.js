import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.js'

const { CI, PAYLINK_TEST_SIZE = CI ? 'full' : 'small' } = process.env

if (!['full', 'small'].includes(PAYLINK_TEST_SIZE)) {
  throw new Error(`PAYLINK_TEST_SIZE is ${PAYLINK_TEST_SIZE}. It must be full or small.`)
}

/** Whether tests run at full size. CI does, unless `PAYLINK_TEST_SIZE=small` says otherwise. */
export const isFullSize = PAYLINK_TEST_SIZE === 'full'

/**
 * Which test files run: those that need no browser, no new process and little time, those without `longTests`, or all. Only
 * the last set includes the projects `postgres` and `package`.
 *
 * @typedef {'fast' | 'usual' | 'all'} TestSet
 */

/** The tests of the published package, which is packed and installed for them. */
export const packageTests = ['test/package/**/*.test.ts', 'test/recipes/**/*.test.ts']

/** The tests that check every shop of the laboratory. */
export const laboratoryTests = ['test/verify/laboratory/*.test.ts']

/** The files that take longest. `npm test` leaves them to CI, unless their area is named. */
const longTests = [
  'test/verify/{caller-check,receiver-check}/**',
  'test/verify/calibration/calibrate.test.ts',
  'test/service/checkout/{in-the-browser,page-object,pages-in-a-browser}.test.ts',
  'test/cli/{background,calibrate,calibrate-answers,calibrate-fuzzed,calibrate-pay,processes}.test.ts',
  'test/cli/matrix/matrix.test.ts',
  'test/control/{har,login,report,snapshot-file,snapshot-rows}.test.ts',
  'test/crash/one-sandbox.test.ts',
  'test/docs/pages.test.ts',
  'test/inspector/{accidents,account,clock,compare,diagram,engines,faults,maps,palette,payments,questions,replay,report,retries,review,sandbox,states,timeline,translation,tunnels,upstream,widths}.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/journeys/{credentials,killed-under-load,parallel-accounts,shops,upstream-killed}.test.ts',
  'test/scripts/bench.test.ts',
  'test/service/api/upstream-fuzzed.test.ts',
  'test/service/tunnels/durable.test.ts',
  'test/store/failed-writes.test.ts',
]

/**
 * The files that a run starts first, in this sequence, so that none of them runs alone at the end. The first ones take minutes.
 */
export const firstTests = [
  'test/cli/matrix/matrix.test.ts',
  'test/journeys/shops.test.ts',
  'test/package/{guides,failure-tests}.test.ts',
  'test/recipes/shops.test.ts',
  ...longTests,
]

/** Areas with many tests that need a browser, a new process or the build, and other files that take several seconds. */
export const slowTests = [
  'test/{cli,crash,docs,inspector,mcp,service/tunnels}/**',
  'test/control/*.test.ts',
  'test/client/default-timeout.test.ts',
  'test/service/checkout/unattended.test.ts',
  'test/service/egress/hostile-targets.test.ts',
  'test/service/webhooks/retries.test.ts',
  'test/scripts/machine-paths.test.ts',
  'test/verify/calibration/payments.test.ts',
]

/** What a test imports or uses as a fixture if it starts a process or a browser. */
const STARTS_A_PROCESS =
  /support\/(browser|checked-app|inspector|laboratory|process|programs|replicas|run-document)\.ts|\(\{[^}]*\b(page|inspector)\b[^}]*\}\) =>/

/** Lists the test files that start a process or a browser. */
function testsWithProcesses() {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => STARTS_A_PROCESS.test(readFileSync(join(root, name), 'utf8')))
}

/** @type {Readonly<Record<TestSet, () => readonly string[]>>} */
const leftOut = {
  fast: () => [...longTests, ...slowTests, ...testsWithProcesses()],
  usual: () => longTests,
  all: () => [],
}

/** What `npm test` chose. Vitest on its own runs all tests. */
const chosenSet = /** @type {TestSet} */ (process.env.PAYLINK_TEST_SET ?? 'all')

/** Whether some shops of the laboratory stand for all of them. */
export const isSample = chosenSet !== 'all'

/** The files that this run leaves out. */
export const leftOutTests = leftOut[chosenSet]()
