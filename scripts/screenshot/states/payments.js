import { fill, hit, press, see, steps } from '../state.js'
import { payments } from '../story.js'

/** @typedef {import('../state.js').Given} Given */

/** @param {string} query */
const at = (query) => `/#/payments?q=${query}`

const details = (/** @type {Given} */ { page }) => page.getByRole('region', { name: 'Payment', exact: true })

/** @param {Given} given */
const drawn = (given) =>
  details(given)
    .getByRole('group', { name: /^Journey of payment/ })
    .waitFor()

/** @type {(name: keyof typeof payments, fileName: string) => import('../state.js').State} */
const payment = (name, fileName) => ({
  name: `payment-${fileName}`,
  at: `/#/payments/${payments[name]}`,
  reach: drawn,
})

/** @param {string} title */
const openLine = (title) => (/** @type {Given} */ given) =>
  details(given).locator('summary', { hasText: title }).first().click()

const form = (/** @type {Given} */ { page }) => page.getByRole('dialog', { name: 'New link' })
const openForm = steps(hit('n'), (given) => form(given).getByLabel('Account').waitFor())

/** @type {readonly import('../state.js').State[]} */
export const paymentStates = [
  { name: 'payments-empty', sandbox: 'empty', at: '/#/payments', reach: press('Copy command') },
  { name: 'payments-all', at: '/#/payments', reach: see('Order 25, the newest') },
  { name: 'payments-failed', at: at('is:missed'), reach: see(/^Replay all/) },
  { name: 'payments-found', at: at('order 15'), reach: see(/Order 15/) },
  { name: 'payments-nothing-found', at: at('order 4711'), reach: see(/4711/) },
  { name: 'payments-unknown-term', at: at('webhooks:lost'), reach: see('There is no webhooks:lost.') },
  {
    name: 'payments-replayed',
    sandbox: 'own',
    at: at('is:missed'),
    reach: steps(press(/^Replay all/), see(/webhooks replayed/)),
  },
  payment('delivered', 'delivered'),
  payment('retried', 'webhook-retried'),
  payment('unreachable', 'webhook-failed'),
  payment('held', 'webhook-held'),
  payment('manyTargets', 'many-targets'),
  payment('longNote', 'long-note'),
  payment('rightToLeft', 'right-to-left'),
  payment('emoji', 'emoji'),
  payment('refundRequested', 'refund-requested'),
  payment('refunded', 'refunded'),
  payment('disputed', 'disputed'),
  payment('disputeLost', 'dispute-lost'),
  payment('transferWaiting', 'transfer-waiting'),
  payment('transferRejected', 'transfer-rejected'),
  payment('cancelled', 'cancelled'),
  payment('declined', 'declined'),
  payment('unused', 'unused'),
  { name: 'payment-unknown', at: '/#/payments/4711', reach: see(/is not in this journal/) },
  {
    name: 'payment-list',
    at: `/#/payments/${payments.manyTargets}`,
    reach: steps(drawn, ({ page }) => page.getByText('List', { exact: true }).click(), see('Created by API')),
  },
  {
    name: 'payment-lines-open',
    at: `/#/payments/${payments.manyTargets}`,
    reach: steps(drawn, openLine('Split'), openLine('Link'), openLine('Simulate'), see('Forge a webhook')),
  },
  {
    name: 'payment-forge',
    at: `/#/payments/${payments.unused}`,
    reach: steps(drawn, openLine('Forge a webhook'), openLine('Not possible now')),
  },
  {
    name: 'payment-copy-menu',
    at: `/#/payments/${payments.delivered}`,
    eachWidth: true,
    reach: steps(drawn, press('Copy as')),
  },
  {
    name: 'payment-test-menu',
    at: `/#/payments/${payments.delivered}`,
    eachWidth: true,
    reach: steps(drawn, press('Download as test')),
  },
  {
    name: 'payment-qr',
    at: `/#/payments/${payments.unused}`,
    reach: steps(press('QR'), ({ page }) => page.getByRole('img', { name: /^QR code of/ }).waitFor()),
  },
  { name: 'new-link-form', at: '/#/payments', reach: openForm },
  {
    name: 'new-link-targets',
    at: '/#/payments',
    reach: steps(
      openForm,
      fill(
        'Payment endpoint',
        '0,https://shop.example/hook,9,https://shop.example/hook,http://169.254.169.254/',
      ),
      fill('Callback URL', '0,1'),
      see('It would be held'),
    ),
  },
  {
    name: 'new-link-refused',
    at: '/#/payments',
    sandbox: 'own',
    reach: steps(openForm, press('Add a recipient'), async (given) => {
      await form(given).getByLabel('Recipient 1', { exact: true }).selectOption('Custom token')
      await form(given).getByLabel('Token of recipient 1').fill('rcpNobody')
      await form(given).getByLabel('Share of recipient 1').fill('10')
      await form(given).getByRole('button', { name: 'Create link' }).click()
      await form(given).getByText('The link was not created').waitFor()
    }),
  },
]
