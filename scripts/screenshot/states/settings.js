import { market, productionAccount, shop } from '../open-sandbox.js'
import { fill, hit, press, see, steps } from '../state.js'

/** @typedef {import('../state.js').Given} Given */

const dialog = (/** @type {Given} */ { page }) => page.getByRole('dialog')
/** @param {string} name */
const pressInDialog = (name) => (/** @type {Given} */ given) =>
  dialog(given).getByRole('button', { name, exact: true }).click()

/** @type {readonly import('../state.js').State[]} */
const review = [
  {
    name: 'review-empty',
    sandbox: 'empty',
    at: '/#/payments/review',
    reach: see('Nothing awaits a decision'),
  },
  { name: 'review-filled', at: '/#/payments/review', reach: see('Refund blocked by dispute') },
  {
    name: 'review-selected',
    at: '/#/payments/review',
    reach: steps(see(/Bank transfer/), hit('j'), hit('j')),
  },
  {
    name: 'review-decided',
    sandbox: 'own',
    at: '/#/payments/review',
    reach: steps(see(/Bank transfer/), press(/^Reject/), see('Recent decisions')),
  },
]

/** @type {readonly import('../state.js').State[]} */
const faults = [
  { name: 'scenarios', at: '/#/test', reach: see(/seen \d+×/) },
  { name: 'faults-empty', sandbox: 'empty', at: '/#/test/faults', reach: see('No faults.') },
  {
    name: 'faults-filled',
    at: '/#/test/faults',
    reach: ({ page }) => page.getByText('1 fault done').click(),
  },
  { name: 'fault-form', at: '/#/test/faults', reach: press('New fault') },
  {
    name: 'fault-form-of-api',
    at: '/#/test/faults',
    reach: steps(press('New fault'), async (given) => {
      await dialog(given).getByLabel('Applies to').selectOption('api')
      await dialog(given).getByLabel('Frequency').selectOption('random')
    }),
  },
  {
    name: 'fault-form-refused',
    at: '/#/test/faults',
    reach: steps(press('New fault'), async (given) => {
      await dialog(given).getByLabel('Effect').selectOption('duplicate:<copies>')
      await dialog(given).getByLabel('Copies').fill('99')
      await dialog(given).getByRole('button', { name: 'Enable' }).click()
      await dialog(given).getByText('but duplicate is written').waitFor()
    }),
  },
]

/** In one case of the check, an answer is 30 s late. */
const CHECK_TIMEOUT_MS = 120_000

const receiver = (/** @type {Given} */ { page }) => page.getByRole('region', { name: 'Check a receiver' })
const caller = (/** @type {Given} */ { page }) =>
  page.getByRole('region', { name: 'Check an app that creates links' })

/** @type {(path: string) => (given: Given) => Promise<void>} */
const checkReceiver = (path) => async (given) => {
  await receiver(given)
    .getByRole('textbox', { name: 'Receiver' })
    .fill(given.app + path)
  await receiver(given).getByRole('button', { name: 'Check' }).click()
}

/** @type {(url: string) => (given: Given) => Promise<void>} */
const checkCaller = (url) => async (given) => {
  await caller(given).getByRole('textbox', { name: 'Order URL' }).fill(url)
  await caller(given).getByRole('button', { name: 'Check' }).click()
}

/**
 * Checks an example app of `fixtures/callers/`.
 *
 * @param {string} name
 * @param {RegExp} result
 */
const checkExample = (name, result) => async (/** @type {Given} */ given) => {
  const { startCaller } = await import(`../../../fixtures/callers/${name}.js`)
  const { url, close } = await startCaller({
    PAYLINK_URL: given.sandbox.url,
    PAYLINK_API_KEY: shop.apiKey,
    PORT: '0',
    SERVICE_TIMEOUT_MS: '5000',
  })
  given.onClose(close)
  await checkCaller(`${url}/orders`)(given)
  await caller(given).getByText(result).waitFor({ timeout: CHECK_TIMEOUT_MS })
}

/** @type {readonly import('../state.js').State[]} */
const checks = [
  {
    name: 'check-receiver-options',
    at: '/#/test/checks',
    reach: ({ page }) => page.getByText('Also check the order’s state').click(),
  },
  {
    name: 'check-receiver-running',
    sandbox: 'empty',
    at: '/#/test/checks',
    reach: steps(checkReceiver('/never'), see(/webhooks? sent, the latest/)),
  },
  {
    name: 'check-receiver-refused',
    sandbox: 'empty',
    at: '/#/test/checks',
    reach: async (given) => {
      await receiver(given).getByRole('textbox', { name: 'Receiver' }).fill('http://example.com/hooks')
      await receiver(given).getByRole('button', { name: 'Check' }).click()
      await receiver(given).getByRole('alert').waitFor()
    },
  },
  {
    name: 'check-receiver-passed',
    sandbox: 'empty',
    at: '/#/test/checks',
    reach: steps(checkReceiver('/webhooks'), see('The state of orders was not checked.')),
  },
  {
    name: 'check-receiver-failed',
    sandbox: 'empty',
    at: '/#/test/checks',
    reach: steps(checkReceiver('/login'), see(/✕ \d+ failed/)),
  },
  {
    name: 'check-caller-options',
    at: '/#/test/checks',
    reach: ({ page }) => page.getByText('More: request body, page texts, order state').click(),
  },
  {
    name: 'check-caller-running',
    sandbox: 'empty',
    at: '/#/test/checks',
    reach: async (given) => {
      await checkCaller(`${given.app}/never`)(given)
      await caller(given).getByText('Checking…').waitFor()
    },
  },
  {
    name: 'check-caller-refused',
    sandbox: 'empty',
    at: '/#/test/checks',
    reach: async (given) => {
      await checkCaller(`${given.app}/orders`)(given)
      await caller(given).getByRole('alert').waitFor()
    },
  },
  {
    name: 'check-caller-failed',
    sandbox: 'empty',
    at: '/#/test/checks',
    reach: checkExample('creates-a-link-for-each-click', /✕ \d+ failed/),
  },
  {
    name: 'check-caller-passed',
    sandbox: 'empty',
    at: '/#/test/checks',
    reach: checkExample('caller', /no failures/),
  },
]

/** @type {readonly import('../state.js').State[]} */
const maps = [
  { name: 'held-empty', sandbox: 'empty', at: '/#/connect/held-webhooks', reach: see('No held webhooks.') },
  {
    name: 'held-filled',
    at: '/#/connect/held-webhooks',
    reach: see('shop.example.com is not on this machine'),
  },
  { name: 'maps-filled', at: '/#/connect/maps', reach: see(/staging\.example\.com/) },
  { name: 'tunnels-filled', at: '/#/connect/tunnels', reach: see(/a-tunnel-with-a-rather/) },
  {
    name: 'tunnels-listeners',
    sandbox: 'own',
    at: '/#/connect/tunnels',
    reach: async ({ page, sandbox, app, onClose }) => {
      /** @type {typeof import('../../../server/package/index.ts')} */
      const { connectSandbox } = await import(new URL('../../../dist/server/index.js', import.meta.url).href)
      const { tunnels } = await connectSandbox(sandbox.url)
      for (const [tunnel, name, forwardTo] of /** @type {const} */ ([
        ['flower-shop', 'laptop', `${app}/webhooks`],
        ['flower-shop', 'a-colleague-with-a-long-name', `${app}/${'a-long-path/'.repeat(8)}`],
        ['inbox', 'ci', 'http://127.0.0.1:9/webhooks'],
      ])) {
        const listener = await tunnels.listen({ tunnel, name, forwardTo })
        onClose(() => listener.close())
      }
      await fetch(`${sandbox.url}/tunnel/flower-shop`, { method: 'POST', body: 'one' })
      await page.getByText('✓ connected').nth(2).waitFor()
    },
  },
  { name: 'map-form', at: '/#/connect/held-webhooks', reach: press('Map https://shop.example.com') },
  {
    name: 'map-form-refused',
    at: '/#/connect/held-webhooks',
    reach: steps(
      press('Map https://shop.example.com'),
      fill('Map to', 'localhost:3000'),
      see('It should be an address like'),
    ),
  },
  {
    name: 'map-form-valid',
    at: '/#/connect/held-webhooks',
    reach: steps(
      press('Map https://shop.example.com'),
      fill('Map to', 'http://localhost:3000'),
      see(/Saving sends/),
    ),
  },
  { name: 'tunnel-answer-form', at: '/#/connect/tunnels', reach: press('Change response') },
  {
    name: 'tunnel-answer-refused',
    sandbox: 'empty',
    at: '/#/connect/tunnels',
    reach: steps(
      press('Change response'),
      fill('Status', '99'),
      pressInDialog('Save'),
      see('It should be at least 200.'),
    ),
  },
  {
    name: 'maps-host-refused',
    sandbox: 'empty',
    at: '/#/connect/held-webhooks',
    reach: steps(
      fill('Allow another host', 'https://x.example'),
      press('Allow host'),
      see('It should be a host name like'),
    ),
  },
  {
    name: 'toast-warning',
    sandbox: 'empty',
    at: '/#/connect/held-webhooks',
    reach: steps(fill('Allow another host', '*.com'), press('Allow host'), see('allows every host below')),
  },
  {
    name: 'toast-undo',
    sandbox: 'own',
    at: '/#/connect/maps',
    reach: steps(press('Remove the map of https://staging.example.com'), see('Undo')),
  },
]

/** @type {readonly import('../state.js').State[]} */
const accounts = [
  { name: 'account-filled', at: `/#/connect/accounts/${shop.id}`, reach: see('September 2026') },
  { name: 'account-without-urls', at: `/#/connect/accounts/${market.id}`, reach: see('Keys and tokens') },
  {
    name: 'account-production',
    at: `/#/connect/accounts/${productionAccount.id}`,
    reach: see('This is a production account.'),
  },
  { name: 'account-unknown', at: '/#/connect/accounts/nobody', reach: see('There is no account “nobody”.') },
  {
    name: 'account-none',
    sandbox: 'empty',
    at: async ({ sandbox }) => {
      await sandbox.control('POST', '/reset', { to: 'empty' })
      return '/#/connect'
    },
    reach: see('There are no accounts.'),
  },
  {
    name: 'account-refused',
    sandbox: 'own',
    at: `/#/connect/accounts/${market.id}`,
    reach: steps(
      fill('Name', ''),
      press('Add a webhook URL'),
      press('Save'),
      see('It should not be empty.'),
      see('It should be an absolute http'),
    ),
  },
  {
    name: 'account-targets',
    at: `/#/connect/accounts/${shop.id}`,
    reach: steps(
      fill('Payment endpoint', 'https://staging.example.com/hook'),
      fill('Webhook URL 1', '0'),
      see(/by the map of/),
    ),
  },
  { name: 'account-new', at: `/#/connect/accounts/${shop.id}`, reach: press('New account') },
  { name: 'account-reset', at: `/#/connect/accounts/${shop.id}`, reach: press('Reset this account…') },
  { name: 'account-delete', at: `/#/connect/accounts/${shop.id}`, reach: press('Delete account…') },
  {
    name: 'account-delete-refused',
    sandbox: 'own',
    at: `/#/connect/accounts/${shop.id}`,
    reach: steps(press('Delete account…'), pressInDialog('Delete'), see(/The account has payment links/)),
  },
]

/** @type {readonly import('../state.js').State[]} */
export const settingStates = [...review, ...faults, ...checks, ...maps, ...accounts]
