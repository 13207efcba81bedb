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

/** The files that take longest: `npm test` leaves them to CI, unless it is told their area. */
const longTests = [
  'test/verify/{caller-check,receiver-check}/**',
  'test/verify/calibration/calibrate.test.ts',
  'test/service/checkout/pages-in-a-browser.test.ts',
  'test/cli/{calibrate,calibrate-answers,calibrate-fuzzed,calibrate-pay}.test.ts',
  'test/cli/matrix/matrix.test.ts',
  'test/control/{login,report,snapshot-file,snapshot-rows}.test.ts',
  'test/docs/pages.test.ts',
  'test/inspector/{accidents,account,clock,compare,diagram,faults,maps,payments,questions,report,retries,review,sandbox,states,timeline,translation,tunnels,upstream,widths}.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/journeys/{killed-under-load,parallel-accounts,shops,upstream-killed}.test.ts',
  'test/scripts/bench.test.ts',
  'test/service/tunnels/durable.test.ts',
]

/** Further files that need a browser, new processes or some seconds, and areas with many such files. */
const slowTests = [
  'test/{cli,docs,inspector,mcp,service/tunnels}/**',
  'test/control/*.test.ts',
  'test/service/api/upstream-fuzzed.test.ts',
  'test/service/checkout/{in-the-browser,killed,page-object,other-sites-in-a-browser,qr,unattended}.test.ts',
  'test/client/default-timeout.test.ts',
  'test/service/egress/{hostile-targets,tls-receivers}.test.ts',
  'test/journeys/{environment-proxy,first-payment,foreign-answers,hostile-texts,killed,newcomer}.test.ts',
  'test/crash/**',
  'test/scripts/{machine-paths,setup}.test.ts',
  'test/store/{full-disk,same-file}.test.ts',
  'test/platform/tls/tls.test.ts',
  'test/ui/batch.test.ts',
  'test/verify/laboratory.test.ts',
  'test/service/webhooks/retries.test.ts',
  'test/verify/calibration/payments.test.ts',
]

/** @type {Readonly<Record<TestSet, readonly string[]>>} */
const leftOut = { fast: [...longTests, ...slowTests], usual: longTests, all: [] }

/** The files that this run leaves out. `npm test` chooses the set, and Vitest on its own runs all. */
export const leftOutTests = leftOut[/** @type {TestSet} */ (process.env.PAYLINK_TEST_SET ?? 'all')]
