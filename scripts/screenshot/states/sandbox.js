import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSandbox, shop } from '../open-sandbox.js'
import { fill, press, see, steps } from '../state.js'

/** @typedef {import('../state.js').Given} Given */

const dialog = (/** @type {Given} */ { page }) => page.getByRole('dialog')
/** @param {string} name */
const pressInDialog = (name) => (/** @type {Given} */ given) =>
  dialog(given).getByRole('button', { name, exact: true }).click()

const changed = async (/** @type {Given} */ { sandbox }) => {
  await sandbox.control('PATCH', '/behaviors', {
    retries: '5s,30s',
    amountText: 'two-decimals',
    payId: 'same',
  })
  return '/#/sandbox'
}

/** @type {(name: string, text: string) => (given: Given) => Promise<void>} */
const typeValue =
  (name, text) =>
  async ({ page }) => {
    const field = page.getByRole('group', { name, exact: true }).getByRole('textbox')
    await field.fill(text)
    await field.press('Enter')
  }

/** @type {readonly import('../state.js').State[]} */
export const sandboxStates = [
  { name: 'sandbox-filled', at: '/#/sandbox', reach: see('before-the-sale') },
  { name: 'sandbox-empty', sandbox: 'empty', at: '/#/sandbox', reach: see(/A snapshot keeps/) },
  { name: 'sandbox-changed', sandbox: 'empty', at: changed, reach: see('Reset both') },
  {
    name: 'sandbox-one-account',
    sandbox: 'empty',
    at: changed,
    reach: steps(({ page }) => page.getByText('One account', { exact: true }).click(), see('payId')),
  },
  {
    name: 'sandbox-behaviors-open',
    at: '/#/sandbox',
    reach: steps(press('payId'), press('retries'), see('In your code:')),
  },
  {
    name: 'sandbox-behavior-found',
    at: '/#/sandbox',
    reach: fill('Find an open point', 'redirect or webhook'),
  },
  {
    name: 'sandbox-behavior-not-found',
    at: '/#/sandbox',
    reach: fill('Find an open point', 'nothing like this'),
  },
  {
    name: 'sandbox-behavior-refused',
    sandbox: 'empty',
    at: '/#/sandbox',
    reach: steps(
      typeValue('rateLimit', '0/min'),
      see('rateLimit cannot be 0/min.'),
      typeValue('retries', '5s, soon'),
      see(/It must be none or/),
    ),
  },
  {
    name: 'sandbox-compared',
    at: async ({ folder, onClose }) => {
      const on = '2026-07-01'
      const calibration = join(folder, 'paylink.calibration.json')
      const points = {
        payId: { verdict: 'confirmed', value: 'same', exchanges: 3, on },
        errorStatus: { verdict: 'confirmed', value: 'http', exchanges: 3, on },
        linkId: { verdict: 'confirmed', exchanges: 1, on },
        ownWording: { verdict: 'differs', exchanges: 2, on },
      }
      const result = {
        version: 1,
        target: 'https://dev.pay.example',
        sandbox: '0.1.0',
        points,
        differences: [],
      }
      writeFileSync(calibration, JSON.stringify(result))
      const sandbox = await openSandbox({ db: ':memory:', calibration })
      onClose(() => sandbox.close())
      return `${sandbox.url}/#/sandbox`
    },
    reach: see(/Confirmed by the service/),
  },
  { name: 'sandbox-clock-set', at: '/#/sandbox', reach: press('Set the clock') },
  {
    name: 'sandbox-clock-frozen',
    sandbox: 'empty',
    at: async ({ sandbox }) => {
      await sandbox.control('PUT', '/clock', { now: '2027-01-02T03:04:05Z', mode: 'frozen' })
      return '/#/sandbox'
    },
    reach: see('Use real time'),
  },
  { name: 'snapshot-form', at: '/#/sandbox', reach: press('Take a snapshot') },
  {
    name: 'snapshot-form-refused',
    sandbox: 'empty',
    at: '/#/sandbox',
    reach: steps(
      press('Take a snapshot'),
      fill('Name', 'Not a name'),
      pressInDialog('Take'),
      see(/It should be 1/),
    ),
  },
  {
    name: 'snapshot-form-taken',
    sandbox: 'own',
    at: '/#/sandbox',
    reach: steps(
      press('Take a snapshot'),
      fill('Name', 'before-the-sale'),
      pressInDialog('Take'),
      see('Replace before-the-sale'),
    ),
  },
  { name: 'snapshot-upload', at: '/#/sandbox', reach: press('Upload a snapshot') },
  { name: 'snapshot-delete', at: '/#/sandbox', reach: press('Delete before-the-sale') },
  {
    name: 'snapshot-restored',
    sandbox: 'own',
    at: '/#/sandbox',
    reach: steps(press('Restore before-the-sale'), see('Snapshot before-the-sale restored')),
  },
  { name: 'sandbox-reset', at: '/#/sandbox', reach: press('Reset to the seed…') },
  { name: 'sandbox-delete-everything', at: '/#/sandbox', reach: press('Delete everything…') },
  {
    name: 'sandbox-reset-undo',
    sandbox: 'own',
    at: '/#/sandbox',
    reach: steps(press('Reset to the seed…'), press('Reset'), see('Undo the last reset')),
  },
  {
    name: 'timeline-after-reset',
    sandbox: 'own',
    at: async ({ sandbox }) => {
      await sandbox.control('POST', '/reset', { to: 'seed' })
      return '/#/timeline'
    },
    reach: see('No requests yet'),
  },
  {
    name: 'timeline-account-reset',
    sandbox: 'own',
    at: async ({ sandbox }) => {
      await sandbox.control('POST', `/accounts/${shop.id}/reset`)
      return '/#/timeline'
    },
    reach: see(/Account reset/),
  },
]
