import { createServer } from 'node:http'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findOrFetchBrowser } from '../find-browser.js'
import { root } from '../run.js'
import { withClosing } from './closing.js'

/** @type {typeof import('../../server/runtime/sandbox.ts')} */
const { runSandbox } = await import(new URL('../../dist/server/sandbox.js', import.meta.url).href)

const SHOP = 'devFlowerShopFakeApiKey00001'
const MARKET = 'devMarketHallFakeApiKey00003'
const COURIER_TOKEN = 'rcpBikeCourierFakeToken0002'
const START = Date.parse('2026-11-20T20:18:00.000Z')
/** With these arguments, Chromium draws every corner the same way each time. */
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-partial-raster', '--num-raster-threads=1']
const NOW = new Date(START + 120_000)

const shop = await startShop()
let clock = START
const sandbox = await runSandbox({ now: () => new Date(clock), publicUrl: 'http://127.0.0.1:4400' })
await withClosing(async (onClose) => {
  onClose(shop.close)
  onClose(sandbox.close)
  await createEvents()
  await takePictures(onClose)
})

/** A webhook endpoint that answers the first webhook with 500 and all others with 200. */
async function startShop() {
  let received = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1
      response.writeHead(received === 1 ? 500 : 200, { 'content-type': 'text/plain' })
      response.end(received === 1 ? 'Database is locked' : 'ok')
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

async function createEvents() {
  const endpoint = { payment_endpoint: `${shop.origin}/webhooks/paylink` }
  const split = {
    recipients: [{ token: COURIER_TOKEN, share: 30 }],
    callback_url: 'http://localhost:3000/thanks',
  }
  const order = (/** @type {number} */ amount, /** @type {string} */ recipient_note) =>
    callApi('createSplitLink', { amount, recipient_note, ...split, ...endpoint })

  await order(100, 'Order 7')
  await openCheckout(1001)
  await pay(1001, { method: 'card' })
  await control('POST', '/deliveries/1/replay')
  await callApi('createSplitLink', { amount: 42, ...split, recipients: [{ token: 'rcpUnknown', share: 30 }] })
  await order(42.5, 'Order 8')
  await openCheckout(1002)
  await control('POST', '/links/1002/cancel')
  await order(19.9, 'Order 9')
  await pay(1003, { method: 'bank-transfer' })
  await callApi('createLink', { amount: 250, recipient_note: 'Stall 12, March', ...endpoint }, MARKET)
  await pay(1004, { method: 'card', browser: 'closes' })
  await callApi('refundPayment', { pay_id: 1004, refund_amount: 300 }, MARKET)
  await callApi('refundPayment', { pay_id: 1004, refund_amount: 50 }, MARKET)
  await order(64, 'Order 10')
  await openCheckout(1005)
  await control('POST', '/links/1005/decline')
  await pay(1005, { method: 'card' })
  await callApi('sendWebhookViaPayId', { pay_ids: '1005', status: 'Success' })
}

/**
 * @param {string} operation
 * @param {object} body
 */
function callApi(operation, body, token = SHOP) {
  return send('POST', `/api/v2/${operation}`, body, { token })
}

/** @param {number} payId */
function openCheckout(payId) {
  return send('GET', `/payment?link_id=${encodeURIComponent(btoa(String(payId)))}`)
}

/**
 * @param {number} payId
 * @param {object} how
 */
function pay(payId, how) {
  return control('POST', `/links/${payId}/pay`, how)
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
function control(method, path, body = {}) {
  return send(method, `/_sandbox/v1${path}`, body)
}

/**
 * Moves the clock a few seconds forward, then sends a request.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {Record<string, string>} [headers]
 */
async function send(method, path, body, headers = {}) {
  clock += 3_217
  const content = body && {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  }
  const response = await fetch(sandbox.url + path, { method, ...content })
  if (!response.ok)
    throw new Error(`${method} ${path} was answered with ${response.status}: ${await response.text()}`)
  await sandbox.settled()
}

/** @param {import('./closing.js').OnClose} onClose */
async function takePictures(onClose) {
  const browser = await chromium.launch({
    executablePath: findOrFetchBrowser(),
    args: ARGS,
  })
  onClose(() => browser.close())
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      colorScheme,
      timezoneId: 'Europe/Berlin',
      locale: 'en',
      reducedMotion: 'reduce',
    })
    await page.clock.setFixedTime(NOW)
    await page.route('**/_sandbox/**', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: replaceAddresses(await response.text()) })
    })
    await page.routeWebSocket('**/_sandbox/**', (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => socket.send(replaceAddresses(String(message))))
    })
    await page.goto(`${sandbox.url}/#/timeline`)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('row', { name: /webhook.*500/ }).click()
    await page.getByRole('tab', { name: 'Request' }).click()
    await page.getByText('As sent').waitFor()
    await page.mouse.move(0, 0)
    const pathOf = (/** @type {string} */ name) => join(root, '.github', `${name}-${colorScheme}.png`)
    await page.screenshot({ animations: 'disabled', path: pathOf('timeline') })

    await page.goto(`${sandbox.url}/#/payments/1001`)
    const diagram = page.getByRole('region', { name: 'Payment', exact: true })
    await diagram.getByRole('link', { name: /500/ }).first().waitFor()
    await page.setViewportSize({ width: 1440, height: 640 })
    await diagram.screenshot({ animations: 'disabled', path: pathOf('diagram') })

    await page.setViewportSize({ width: 1260, height: 700 })
    await page.goto(`${sandbox.url}/#/overview`)
    await page.getByRole('region', { name: 'Receivers' }).waitFor()
    await page.screenshot({ animations: 'disabled', path: pathOf('overview') })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
  }
}

/**
 * Replaces the free ports of this run with the ports that a reader uses.
 *
 * @param {string} text
 */
function replaceAddresses(text) {
  return text
    .replaceAll(shop.origin, 'http://localhost:3000')
    .replaceAll(new URL(shop.origin).host, 'localhost:3000')
    .replaceAll(sandbox.url, 'http://127.0.0.1:4400')
}
