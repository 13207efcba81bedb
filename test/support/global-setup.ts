import { existsSync } from 'node:fs'
import { findOrFetchBrowser } from '../../scripts/find-browser.js'
import { buildIfStale } from '../../scripts/build-if-stale.js'

/** Finds a browser, and builds the inspector and the command line if they are out of date. */
export async function setup(): Promise<void> {
  if (process.env.PAYLINK_TEST_SET === 'fast') {
    // Fast tests run the source code. They only read the built report, so an older build is good enough.
    if (!existsSync(new URL('../../dist/report/index.html', import.meta.url))) buildIfStale()
    return
  }
  process.env.PAYLINK_TEST_BROWSER = findOrFetchBrowser()
  buildIfStale()
}
