import { atEvent, press, see, steps } from '../state.js'
import { payments } from '../story.js'

/** @param {string} name */
const tab =
  (name) =>
  async (/** @type {import('../state.js').Given} */ { page }) => {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('tab', { name, selected: true }).waitFor()
  }

/**
 * An event and its tabs.
 *
 * @param {string} name
 * @param {string} type
 * @param {Record<string, unknown>} [fields]
 * @param {readonly string[]} [tabs]
 * @returns {import('../state.js').State[]}
 */
const event = (name, type, fields, tabs = ['Overview']) =>
  tabs.map((title) => ({
    name: `event-${name}${tabs.length > 1 ? `-${title.toLowerCase()}` : ''}`,
    at: atEvent(type, fields),
    reach: tab(title),
  }))

const ALL = ['Overview', 'Request', 'Response', 'Attempts']
const { delivered, held, longNote, manyTargets, redirected, retried, rightToLeft, unreachable } = payments

/** @type {readonly import('../state.js').State[]} */
export const eventStates = [
  ...event('call', 'api.request', { payId: longNote }, ALL.slice(0, 3)),
  ...event('call-refused', 'api.request', { operation: 'createSplitLink', code: 0 }),
  ...event('webhook', 'delivery.attempted', { deliveryId: 1 }, ALL),
  ...event('webhook-retried', 'delivery.attempted', { payId: retried }, ['Overview', 'Attempts']),
  ...event('webhook-redirected', 'delivery.attempted', { payId: redirected }, ['Overview', 'Response']),
  ...event('webhook-unreachable', 'delivery.attempted', { payId: unreachable }, ['Overview', 'Response']),
  ...event('webhook-held', 'delivery.held', { payId: held }),
  ...event('webhook-held-long-host', 'delivery.held', { payId: manyTargets }),
  ...event('webhook-right-to-left', 'delivery.attempted', { payId: rightToLeft }, ['Request']),
  ...event('payment', 'link.paid', { payId: delivered }),
  ...event('redirect', 'redirect.sent', { payId: delivered }),
  ...event('page', 'checkout.viewed', { payId: delivered }),
  ...event('captured', 'tunnel.captured', {}, ALL.slice(0, 3)),
  ...event('clock', 'clock.changed'),
  ...event('fault', 'fault.added'),
  { name: 'event-unknown', at: '/#/timeline/4711', reach: see(/is not in this journal/) },
  {
    name: 'event-copy-menu',
    at: atEvent('delivery.attempted', { deliveryId: 1 }),
    eachWidth: true,
    reach: press(/^Copy as/),
  },
  {
    name: 'event-more-menu',
    at: atEvent('delivery.attempted', { deliveryId: 1 }),
    eachWidth: true,
    reach: press('More actions'),
  },
  {
    name: 'event-assumptions',
    at: atEvent('api.request', { payId: delivered }),
    reach: ({ page }) =>
      page
        .getByText(/\d assumptions/)
        .first()
        .click(),
  },
  {
    name: 'event-allow-dialog',
    at: atEvent('delivery.held', { payId: held }),
    reach: steps(press('Send to the real host once'), see(/is not signed/)),
  },
  {
    name: 'event-raw-body',
    at: atEvent('delivery.attempted', { payId: longNote }),
    reach: steps(tab('Request'), ({ page }) => page.getByRole('checkbox', { name: 'Pretty' }).uncheck()),
  },
  ...['Decoded', 'Raw'].map((layout) => ({
    name: `compare-${layout.toLowerCase()}`,
    at: comparison,
    reach: steps(see('Fields sent'), ({ page }) => page.getByText(layout, { exact: true }).click()),
  })),
  {
    name: 'compare-choose',
    at: comparison,
    eachWidth: true,
    reach: press('Change the later event'),
  },
  { name: 'compare-unknown', at: '/#/timeline/3?with=4711', reach: see(/not in this journal/) },
]

/** @param {import('../state.js').Given} given */
async function comparison({ sandbox }) {
  const { seq: one } = await sandbox.findEvent('delivery.attempted', {
    payId: payments.replayed,
    httpStatus: 500,
  })
  const { seq: other } = await sandbox.findEvent('delivery.attempted', {
    payId: payments.replayed,
    httpStatus: 200,
  })
  return `/#/timeline/${one}?with=${other}`
}
