import { expect } from 'vitest'
import { violationsOn } from '../support/axe.ts'
import { listenAt } from '../support/listen-at.ts'
import { startRawReceiver } from '../support/raw-receiver.ts'
import { courier, market, openSandbox, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test.for([
  ['without a public address', undefined],
  ['with one', 'https://pay.example'],
] as const)(
  '%s: a URL elsewhere is not marked as a tunnel of the sandbox',
  async ([_how, publicUrl], { page }) => {
    await using sandbox = await openSandbox({ publicUrl })
    const send = (id: string, paymentEndpoint: string) =>
      sandbox.control('PATCH', `/accounts/${id}`, { paymentEndpoint })
    await send(courier.id, 'https://shop.example/tunnel/elsewhere')
    await send(market.id, `${sandbox.url}/tunnel/written-out`)
    await page.goto(`${sandbox.url}/#/connect/tunnels`)

    await page.getByText(`Payment endpoint of ${shop.name}`).waitFor()
    await page.getByText(`Payment endpoint of ${market.name}`).waitFor()
    await expect
      .poll(() => page.locator('.card h3').allTextContents())
      .toEqual(['flower-shop', 'written-out'])
  },
)

test('requests captured by a tunnel appear at once', async ({ sandbox, page }) => {
  await page.goto(`${sandbox.url}/#/connect/tunnels`)
  const card = page.locator('.card', { hasText: 'flower-shop' })
  await card.getByText('0 requests received').waitFor()

  await card.getByRole('button', { name: 'Send a sample' }).click()
  await card.getByText('1 request received').waitFor()
  await fetch(`${sandbox.url}/tunnel/flower-shop/more`, { method: 'PUT' })
  await card.getByText('2 requests received').waitFor()
  await card.getByText('PUT /more').waitFor()
})

test('a card shows listeners and their waiting requests, removes them, and sets the answer', async ({
  sandbox,
  page,
}) => {
  await using app = await startRawReceiver()
  const listener = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: `${app.origin}/hooks`,
    name: 'laptop',
  })
  await sandbox.control('POST', '/snapshots', { name: 'known' })
  await page.goto(`${sandbox.url}/#/connect/tunnels`)
  const card = page.locator('.card', { hasText: 'flower-shop' })
  await card.getByText('✓ connected').waitFor()
  await card.getByText(`→ ${app.origin}/hooks`).waitFor()

  await listener.close()
  await card.getByText('✓ connected').waitFor({ state: 'detached' })
  await sandbox.control('POST', '/snapshots/known/restore')
  await card.getByRole('button', { name: 'Send a sample' }).click()
  await card.getByText('1 request queued, since').waitFor()
  await card.getByRole('button', { name: 'Remove listener laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove listener laptop?' })
  await dialog.getByText('does not forward its 1 queued request').waitFor()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await card.getByRole('button', { name: 'Remove listener laptop' }).waitFor({ state: 'detached' })

  await card.getByRole('button', { name: 'Change response' }).click()
  await page.getByLabel('Status').fill('99')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'It should be at least 200.' }).waitFor()
  await page.getByLabel('Status').fill('503')
  await page.getByLabel('Body').fill('later')
  await page.getByRole('button', { name: 'Save' }).click()
  await card.getByText('responds with 503').waitFor()
  expect(await (await fetch(`${sandbox.url}/tunnel/flower-shop`, { method: 'POST' })).text()).toBe('later')
  expect(await violationsOn(page)).toEqual([])
})

test('a listener that someone ended is not shown as a failure', async ({ sandbox, page }) => {
  await using app = await startRawReceiver()
  const listener = await listenAt(sandbox.url, { tunnel: 'tea', forwardTo: app.origin, name: 'laptop' })
  await listener.close()
  await page.goto(`${sandbox.url}/#/timeline`)
  await page.getByRole('row', { name: '– disconnected Listener of tea laptop: it was ended' }).waitFor()
})

test('a request that a listener answered has a row in the timeline, with both sides', async ({
  sandbox,
  page,
}) => {
  await using app = await startRawReceiver((response) => response.writeHead(418).end('short and stout'))
  await using _listener = await listenAt(sandbox.url, {
    tunnel: 'tea',
    forwardTo: `${app.origin}/pot`,
    name: 'laptop',
  })
  await page.goto(`${sandbox.url}/#/timeline`)
  await fetch(`${sandbox.url}/tunnel/tea/cup`, { method: 'POST', body: 'milk?' })

  await page.getByText('by laptop').click()
  await page.getByRole('tab', { name: 'Request' }).click()
  await page.getByText(`${app.origin}/pot/cup`).waitFor()
  await page.getByText('milk?').waitFor()
  await page.getByRole('tab', { name: 'Response' }).click()
  await page.getByText('short and stout').waitFor()
})

test('every screen shows a webhook as stored until a listener fetches it', async ({ sandbox, page }) => {
  await using app = await startRawReceiver()
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  await page.goto(`${sandbox.url}/#/timeline?q=is:stored`)

  const row = page.getByRole('row', { name: 'Stored in tunnel flower-shop' })
  await row.getByText('stored', { exact: true }).waitFor()
  await row.click()
  const card = page.getByRole('region', { name: 'Cause and remedy' })
  await card.getByText('Your app has not seen this webhook.').waitFor()
  await card.getByText(/^npx paylink-sandbox listen flower-shop --since \d+ --forward-to/).waitFor()
  expect(await violationsOn(page)).toEqual([])
  await page.goto(`${sandbox.url}/#/payments/1001?q=webhook:stored`)
  await page.getByText('The webhook is stored').waitFor()
  const payment = page.getByRole('row', { name: 'stored' })
  await payment.waitFor()
  expect(await violationsOn(page)).toEqual([])
  await page.goto(`${sandbox.url}/#/overview`)
  await page.getByText('0 at the first try, 1 stored in a tunnel').waitFor()

  await using _listener = await listenAt(sandbox.url, {
    tunnel: 'flower-shop',
    forwardTo: app.origin,
    name: 'laptop',
    since: 'all',
  })
  await page.getByText('1 at the first try', { exact: true }).waitFor()
  await page.goto(`${sandbox.url}/#/payments/1001`)
  await page.getByRole('row', { name: 'delivered' }).waitFor()
  await page.getByText('The webhook is stored').waitFor({ state: 'detached' })
  await page.goto(`${sandbox.url}/#/timeline?q=kind:webhook`)
  await page.getByRole('row', { name: 'fetched by listener laptop' }).getByText('200').waitFor()
})
