import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'

/**
 * Chromium gives every window two pages of its own, for the list below the address field, which cost more than the page
 * that is looked at. Of two such lists it takes the last, so this has Playwright's too.
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

/** Without these a browser looks for its vendor's servers at every start, and root needs the first. */
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

/** As long as a poll has. */
const LIMIT_MS = 60_000

/** One for all the files of a worker. It ends with the worker. */
let running: Promise<Browser> | undefined

const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.PAYLINK_TEST_BROWSER!, args: ARGS })

/** A page in a real browser that shares nothing with others. It is closed at the end of the test. */
export async function openPage(options: BrowserContextOptions = {}) {
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
