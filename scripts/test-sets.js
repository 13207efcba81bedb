const { CI, PAYLINK_TEST_SIZE = CI ? 'full' : 'small' } = process.env

if (!['full', 'small'].includes(PAYLINK_TEST_SIZE)) {
  throw new Error(`PAYLINK_TEST_SIZE is ${PAYLINK_TEST_SIZE}. It must be full or small.`)
}

/** Whether tests run at full size. CI does, unless `PAYLINK_TEST_SIZE=small` says otherwise. */
export const isFullSize = PAYLINK_TEST_SIZE === 'full'

/**
 * Which test files run: those without `longTests`, or all. Only the second set includes the projects `laboratory`, `package` and
 * `postgres`.
 *
 * @typedef {'usual' | 'all'} TestSet
 */

/** The tests of the published package, which is packed and installed for them. */
export const packageTests = ['test/package/**/*.test.ts', 'test/recipes/**/*.test.ts']

/** The tests that check every shop of the laboratory. */
export const laboratoryTests = ['test/verify/laboratory/*.test.ts']

/**
 * The files that take four seconds or more, except a few that show whether the API, the checkout and the inspector work at all.
 * `npm test` leaves them to CI, unless their area is named.
 */
const longTests = [
  'test/verify/{caller-check,mistakes,receiver-check}/**',
  'test/verify/{nothing-to-see,rehearsal}.test.ts',
  'test/verify/calibration/{calibrate,payments}.test.ts',
  'test/service/{assumptions,assumptions-fuzzed,open-points}.test.ts',
  'test/service/api/{behaviors,diagnostics,document,faults,hostile-bodies,send-webhook-via-pay-id,upstream,upstream-differences,upstream-fuzzed}.test.ts',
  'test/service/checkout/{in-the-browser,killed,order,order-mishaps,other-sites-in-a-browser,page-object,pages-in-a-browser,unattended}.test.ts',
  'test/service/egress/{hostile-targets,tls-receivers}.test.ts',
  'test/service/tunnels/{durable,forward,listeners,stored}.test.ts',
  'test/service/webhooks/{dispatcher,dispatcher-alone,faults,retries,sequence}.test.ts',
  'test/cli/{background,calibrate,calibrate-answers,calibrate-fuzzed,calibrate-pay,check,commands,config,control-commands,exec,listen,odd-files,odd-values,processes,start}.test.ts',
  'test/cli/matrix/matrix.test.ts',
  'test/control/{account-ids,allowed-hosts,clock,control,document,faults,guard,har,import,login,maps,report,reset-account,retention,search-bodies,seed,seed-round-trip,snapshot-file,snapshot-rows,snapshots,stream,waits}.test.ts',
  'test/client/default-timeout.test.ts',
  'test/crash/{find-problems,one-sandbox}.test.ts',
  'test/docs/{documents,guides,pages,search}.test.ts',
  'test/domain/{compare-answers,secret-finder,split}.test.ts',
  'test/inspector/{accidents,account,checks,clock,compare,diagram,engines,faults,first-run,maps,overview,palette,payments,questions,replay,report,retries,review,sandbox,screens,search,states,timeline,translation,tunnels,upstream,widths}.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/journeys/{credentials,foreign-answers,hostile-texts,killed,killed-under-load,parallel-accounts,shops,upstream-killed}.test.ts',
  'test/mcp/{hostile-texts,tools}.test.ts',
  'test/platform/tls/tls.test.ts',
  'test/scripts/{bench,prepare,setup}.test.ts',
  'test/store/{failed-writes,full-disk,lists,log-checkpoints,same-file,writer-state-property}.test.ts',
  'test/ui/words.test.ts',
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

/** What `npm test` chose. Vitest on its own runs all tests. */
const chosenSet = /** @type {TestSet} */ (process.env.PAYLINK_TEST_SET ?? 'all')

/** The files that this run leaves out. */
export const leftOutTests = chosenSet === 'all' ? [] : longTests
