import { openSandbox } from '../open-sandbox.js'
import { atEvent, hit, press, see, steps } from '../state.js'

/** @typedef {import('../state.js').Given} Given */

const ADMIN_TOKEN = 'open sesame'

const palette = (/** @type {string} */ text) =>
  steps(hit('Control+k'), async ({ page }) => {
    await page.getByRole('combobox', { name: 'Command' }).fill(text)
  })

/** The answer to each request of the control API, which fails as if the sandbox had a problem. */
const failControl = async (/** @type {Given} */ { page }, /** @type {string} */ pattern) => {
  const message =
    'The database is locked. Another process writes to it. Stop that process, or use another file.'
  await page.route(pattern, (route) => route.fulfill({ status: 503, json: { detail: message } }))
}

/**
 * A screen whose request fails.
 *
 * @param {string} name
 * @param {string} pattern the address of the request
 * @param {string} at
 * @param {string} text what the screen shows
 */
const notLoaded = (name, pattern, at, text) => ({
  name,
  at: async (/** @type {Given} */ given) => {
    await failControl(given, pattern)
    return at
  },
  reach: see(text),
})

/** A sandbox with a login, whose browser has not logged in. */
const atLogin =
  (/** @type {string} */ path) =>
  async (/** @type {Given} */ { onClose }) => {
    const sandbox = await openSandbox({ db: ':memory:', adminToken: ADMIN_TOKEN })
    onClose(() => sandbox.close())
    return sandbox.url + path
  }

/** @type {readonly import('../state.js').State[]} */
export const shellStates = [
  { name: 'overview-empty', sandbox: 'empty', at: '/#/overview', reach: see('Nothing found.') },
  { name: 'overview-all', at: '/#/overview', reach: see('Findings by cause') },
  {
    name: 'overview-last-hour',
    at: '/#/overview',
    reach: ({ page }) => page.getByText('Last hour', { exact: true }).click(),
  },
  { name: 'palette-open', at: '/#/timeline', reach: palette('') },
  { name: 'palette-found', at: '/#/timeline', reach: palette('order 15') },
  {
    name: 'palette-guides-found',
    at: '/#/timeline',
    reach: steps(palette('slow receiver'), see('Checking your receiver')),
  },
  {
    name: 'palette-question',
    at: '/#/timeline',
    reach: steps(palette('cancel payment'), async ({ page }) => {
      await page
        .getByRole('option', { name: /^Cancel payment/ })
        .first()
        .click()
    }),
  },
  {
    name: 'palette-nothing-found',
    at: '/#/timeline',
    reach: steps(palette('zebra xylophone'), see('No command or guide contains')),
  },
  {
    name: 'help-open',
    at: '/#/timeline',
    reach: steps(
      ({ page }) => page.locator('dialog.help').waitFor({ state: 'attached' }),
      hit('?'),
      ({ page }) => page.getByRole('dialog').waitFor(),
    ),
  },
  {
    name: 'clock-menu',
    at: '/#/timeline',
    eachWidth: true,
    reach: ({ page }) => page.getByRole('button', { name: /^Clock/ }).click(),
  },
  {
    name: 'clock-advanced',
    sandbox: 'own',
    at: '/#/timeline',
    reach: steps(
      ({ sandbox }) => sandbox.control('POST', '/clock/advance', { to: 'next-month' }),
      see(/Invoice for/),
    ),
  },
  {
    name: 'navigation-more-menu',
    at: '/#/timeline',
    eachWidth: true,
    reach: async ({ page }) => {
      const more = page.getByRole('navigation').getByRole('button', { name: 'More' })
      if (await more.isVisible()) await more.click()
    },
  },
  {
    name: 'options-menu',
    at: '/#/timeline',
    eachWidth: true,
    reach: async ({ page }) => {
      const options = page.getByRole('button', { name: 'Options' })
      if (await options.isVisible()) await options.click()
    },
  },
  { name: 'screen-unknown', at: '/#/acounts', reach: see(/There is no screen “acounts”/) },
  {
    name: 'stream-lost',
    sandbox: 'own',
    at: '/#/timeline',
    reach: steps(({ sandbox }) => sandbox.close(), see('Reconnecting…')),
  },
  {
    name: 'request-failed',
    sandbox: 'own',
    at: '/#/timeline?q=kind:webhook',
    reach: steps(
      async ({ page, sandbox }) => {
        await page.getByRole('row', { name: /✓ 200/ }).first().click()
        await page.getByRole('tab', { name: 'Overview' }).waitFor()
        await sandbox.close()
      },
      press(/^Replay/),
      see('The sandbox cannot be reached.'),
    ),
  },
  notLoaded(
    'account-not-loaded',
    '**/_sandbox/v1/accounts*',
    '/#/connect',
    'The accounts could not be loaded',
  ),
  notLoaded('faults-not-loaded', '**/_sandbox/v1/faults', '/#/test/faults', 'The database is locked'),
  notLoaded(
    'sandbox-not-loaded',
    '**/_sandbox/v1/{behaviors,snapshots,clock}*',
    '/#/sandbox',
    'The database is locked',
  ),
  {
    name: 'event-not-loaded',
    at: async (given) => {
      await failControl(given, '**/_sandbox/v1/events/*')
      return atEvent('api.request')(given)
    },
    reach: steps(
      ({ page }) => page.getByRole('tab', { name: 'Request' }).click(),
      see('The database is locked'),
    ),
  },
  {
    name: 'session-expired',
    at: atLogin(`/?admin_token=${encodeURIComponent(ADMIN_TOKEN)}`),
    reach: async ({ page }) => {
      const context = page.context()
      const cookies = await context.cookies()
      await context.addCookies(cookies.map((cookie) => ({ ...cookie, value: 'expired' })))
      await page.reload()
    },
  },
  { name: 'login-form', at: atLogin('/'), reach: see('Admin token') },
  { name: 'login-refused', at: atLogin('/?admin_token=wrong'), reach: see('Admin token') },
]
