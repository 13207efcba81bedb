import { once } from 'node:events'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

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

/** How long a page that hangs delays the end of a failed test. */
const ANSWER_MS = 10_000

/** One browser for all files of a worker. It ends with the worker. */
let running: Promise<Browser> | undefined

const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.PAYLINK_TEST_BROWSER!, args: ARGS })

/** Opens a page in a real browser with its own cookies and storage. It is closed after the test. */
export async function openPage(options: BrowserContextOptions = {}) {
  const browser = await (running ??= launch())
  const context = await browser.newContext(options)
  context.setDefaultTimeout(LIMIT_MS)
  const page = await context.newPage()
  const problems: string[] = []
  const messages = messagesOf(page)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printPage(page, problems, messages)
    await context.close()
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return Object.assign(page, { problems })
}

/** The beginning of each message that the sandbox sends to the page by WebSocket, with its length and time. */
function messagesOf(page: Page): readonly string[] {
  const messages: string[] = []
  const add = (text: string): unknown => messages.push(`${new Date().toISOString()} ${text}`)
  page.on('websocket', (socket) => {
    add(`open ${socket.url()}`)
    socket.on('framereceived', ({ payload }) => add(`${payload.length} ${payload.slice(0, 80)}`))
    socket.on('close', () => add('close'))
  })
  return messages
}

/** Prints what the page shows when a test fails, because the error of a locator only says what was not found. */
async function printPage(
  page: Page,
  problems: readonly string[],
  messages: readonly string[],
): Promise<void> {
  const text = page.evaluate(() => document.body.innerText).catch(String)
  const tooLate = once(AbortSignal.timeout(ANSWER_MS), 'abort').then(() => 'The page does not answer.')
  const shown = await Promise.race([text, tooLate])
  console.error([`The page ${page.url()} at the end:`, shown, ...problems, ...messages.slice(-20)].join('\n'))
}
