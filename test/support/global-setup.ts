import { findOrFetchBrowser } from '../../scripts/find-browser.js'
import { buildIfStale } from '../../scripts/build-if-stale.js'

/** The tests drive the built inspector in a real browser, and the built command line. */
export async function setup(): Promise<void> {
  process.env.PAYLINK_TEST_BROWSER = await findOrFetchBrowser()
  buildIfStale()
}
