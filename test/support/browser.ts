import { chromium, type BrowserContextOptions } from 'playwright-core'

/** Without these a browser looks for its vendor's servers at every start, and root needs the first. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real browser, closed at the end of the test. */
export async function openBrowser() {
  const browser = await chromium.launch({ executablePath: process.env.PAYLINK_TEST_BROWSER!, args: ARGS })
  return {
    async page(options: BrowserContextOptions = {}) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text())
      })
      return Object.assign(page, { problems })
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
