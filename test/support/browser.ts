import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { assertNotFast } from './size.ts'

/**
 * Chromium opens two pages of its own for the list below the address field of every window, and they take more time than the
 * page under test. Chromium uses only the last list of features, so this list also contains Playwright's.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/** Without these arguments, Chromium connects to its vendor's servers at every start. Root needs `--no-sandbox`. */
const ARGS = [
  `--disable-features=${WITHOUT.join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The same as the limit of `expect.poll`. */
const LIMIT_MS = 180_000

/** One browser for all files of a worker. It ends with the worker. */
let running: Promise<Browser> | undefined

const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.PAYLINK_TEST_BROWSER!, args: ARGS })

/** Opens a page in a real browser with its own cookies and storage. It is closed after the test. */
export async function openPage(options: BrowserContextOptions = {}) {
  assertNotFast()
  const browser = await (running ??= launch())
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  context.setDefaultTimeout(LIMIT_MS)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return Object.assign(page, { problems })
}
