import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { press, see, steps } from '../state.js'
import { LONG_NOTE, payments } from '../story.js'

/** @typedef {import('../state.js').Given} Given */

const LINK = `link_id=${encodeURIComponent(btoa('1001'))}`
const OPEN = `/payment?${LINK}`

/**
 * A page of the checkout of a new link.
 *
 * @param {string} name
 * @param {string} heading
 * @param {string} [path]
 * @param {(given: Given) => unknown} [prepare] what happens to the link before the page opens
 * @param {(given: Given) => unknown} [reach]
 * @param {object} [fields] of the link
 * @returns {import('../state.js').State}
 */
const checkout = (name, heading, path = OPEN, prepare, reach, fields) => ({
  name: `checkout-${name}`,
  sandbox: 'empty',
  async at(given) {
    const callback_url = 'http://localhost:3000/thanks'
    await given.sandbox.createLink({ recipient_note: 'Order 7: roses', callback_url, ...fields })
    await prepare?.(given)
    return path
  },
  async reach(given) {
    await reach?.(given)
    await given.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  },
})

/** @type {(path: string, body?: object, method?: string) => (given: Given) => Promise<unknown>} */
const ask =
  (path, body, method = 'POST') =>
  ({ sandbox }) =>
    sandbox.control(method, `/links/1001${path}`, body)

/** @type {(fields: Record<string, string>) => (given: Given) => Promise<unknown>} */
const submit =
  (fields) =>
  ({ sandbox }) =>
    fetch(sandbox.url + OPEN, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

const transfer = ask('/pay', { method: 'bank-transfer' })

/** @type {readonly import('../state.js').State[]} */
const checkouts = [
  checkout('open', '€100.00'),
  checkout('long-note', '€999,999,999.99', OPEN, undefined, undefined, {
    amount: 999_999_999.99,
    recipient_note: `שלום עולם 🌹 <b>bold</b> ${LONG_NOTE}`,
  }),
  checkout(
    'long-note-open',
    '€999,999,999.99',
    OPEN,
    undefined,
    ({ page }) => page.getByText('Whole note').click(),
    {
      amount: 999_999_999.99,
      recipient_note: `שלום עולם 🌹 <b>bold</b> ${LONG_NOTE}`,
    },
  ),
  checkout('declined', 'Your bank declined the payment', `${OPEN}&declined`, submit({ outcome: 'decline' })),
  checkout('waiting', 'Waiting for your transfer', OPEN, transfer),
  checkout('transfer-rejected', '€100.00', `${OPEN}&waiting`, steps(transfer, ask('/reject-transfer'))),
  checkout('paid', 'Payment complete', `/payment/success?${LINK}`, ask('/pay')),
  checkout('cancelled', 'Payment cancelled', `/payment/cancelled?${LINK}`, ask('/cancel')),
  checkout(
    'browser-closed',
    'Browser closed',
    `/payment/closed?${LINK}`,
    submit({ outcome: 'pay-and-close' }),
  ),
  checkout('used', 'This link has already been used', OPEN, ask('/pay')),
  checkout('ended', 'This payment was cancelled', OPEN, ask('/cancel')),
  checkout('deleted', 'This link is no longer available', OPEN, ask('', undefined, 'DELETE')),
  checkout(
    'unknown',
    'This payment link does not exist',
    `/payment?link_id=${encodeURIComponent(btoa('1002'))}`,
  ),
  checkout('other-outcome', 'This payment does not have this outcome', `/payment/success?${LINK}`),
  checkout('unknown-outcome', 'This outcome does not exist', `${OPEN}&outcome=crad`),
  checkout('navigation-rejected', 'Nothing was carried out', OPEN, undefined, async ({ page }) => {
    await page.setExtraHTTPHeaders({ 'x-purpose': 'preview' })
    await page.goto(`${page.url()}&outcome=card`)
  }),
  checkout('paid-elsewhere', 'This link has already been used', OPEN, undefined, async (given) => {
    await ask('/pay')(given)
    await press('Pay €100.00')(given)
  }),
  checkout('transfer-elsewhere', 'Waiting for your transfer', OPEN, undefined, async (given) => {
    await transfer(given)
    await press('Cancel payment')(given)
  }),
]

/**
 * The report of the story, saved as a file. States are reached at the same time, so each has its own.
 *
 * @param {string} name
 * @param {string} hash
 * @param {import('../state.js').State['reach']} reach
 * @returns {import('../state.js').State}
 */
const report = (name, hash, reach) => ({
  name: `report-${name}`,
  at: async ({ sandbox, folder }) => {
    const file = join(folder, `report-${name}.html`)
    writeFileSync(file, await (await fetch(`${sandbox.url}/_sandbox/v1/report`)).text())
    return pathToFileURL(file).href + hash
  },
  reach,
})

/** @type {readonly import('../state.js').State[]} */
const reports = [
  report('overview', '', see('Report (read only)')),
  report('timeline', '#/timeline', see('Order 25, the newest')),
  report('event', '#/timeline?q=is:failed', ({ page }) =>
    page.getByRole('row', { name: /302/ }).first().click(),
  ),
  report('payments', '#/payments', see('Order 25, the newest')),
  report('payment', `#/payments/${payments.retried}`, see('Journey')),
]

/** @type {(name: string, path: string) => import('../state.js').State} */
const document = (name, path) => ({ name: `documents-${name}`, at: path })

/** @type {readonly import('../state.js').State[]} */
const documents = [
  document('api', '/docs'),
  document('control', '/docs/control'),
  document('guides', '/docs/guides'),
  document('guides-found', '/docs/guides?search=tunnel'),
  document('guides-found-similar', '/docs/guides?search=webhokos'),
  document('guides-nothing-found', '/docs/guides?search=zebra+xylophone'),
  document('guide', '/docs/guides/webhooks'),
  document('guide-with-tables', '/docs/guides/configuration'),
  document('guide-unknown', '/docs/guides/not-a-guide'),
]

/** @type {readonly import('../state.js').State[]} */
export const pageStates = [...checkouts, ...reports, ...documents]
