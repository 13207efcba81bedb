import { findOrFetchBrowser } from '../../scripts/find-browser.js'
import { buildIfStale } from '../../scripts/build-if-stale.js'

/** Finds a browser, and builds the inspector and the command line if they are out of date. */
export async function setup(): Promise<void> {
  process.env.PAYLINK_TEST_BROWSER = findOrFetchBrowser()
  buildIfStale()
}
