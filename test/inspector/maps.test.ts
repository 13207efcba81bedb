import { expect } from 'vitest'
import { violationsOn } from '../support/axe.ts'
import { openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const HOOK = 'https://shop.invalid/hook'

async function payTo(sandbox: OpenSandbox, target: string): Promise<void> {
  const { id } = await sandbox.createLink({ payment_endpoint: target })
  await sandbox.control('POST', `/links/${id}/pay`)
}

test('a map can be added, corrected, changed and removed, and sends held webhooks', async ({
  receiver,
  sandbox,
  page,
}) => {
  await payTo(sandbox, HOOK)
  await page.goto(`${sandbox.url}/#/connect/held-webhooks`)

  await page.getByRole('button', { name: 'Map https://shop.invalid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Map https://shop.invalid' })
  await dialog.getByLabel('Map to').fill('localhost:3000')
  await dialog.getByText('It should be an address like http://localhost:3000').waitFor()
  expect(await dialog.getByLabel('Map to').getAttribute('aria-invalid')).toBe('true')
  expect(await dialog.getByLabel('Map from').getAttribute('aria-invalid')).toBe('false')

  await dialog.getByLabel('Map to').fill(receiver.origin)
  await dialog.getByText('Saving sends 1 held webhook.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('https://shop.invalid is mapped. Sending 1 held webhook').waitFor()
  await receiver.count(1)
  await page.getByText('No held webhooks.').waitFor()
  expect(await violationsOn(page)).toEqual([])

  await page.goto(`${sandbox.url}/#/connect/maps`)
  await page.getByRole('button', { name: 'Edit the map of https://shop.invalid' }).click()
  await page.getByLabel('Map from').fill('https://*.invalid')
  await page.getByRole('button', { name: 'Save' }).click()
  const removal = page.getByRole('button', { name: 'Remove the map of https://*.invalid' })
  await removal.click()
  await page.getByText('No maps yet.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await removal.waitFor()
})

test('all webhooks held for a host can be sent together, and the host can be allowed permanently', async ({
  page,
}) => {
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 50 })
  for (let webhooks = 0; webhooks < 2; webhooks++) await payTo(sandbox, HOOK)
  await payTo(sandbox, 'https://other.invalid/')
  await page.goto(`${sandbox.url}/#/connect/held-webhooks`)

  await expect.poll(() => page.title()).toContain('Connect: Held webhooks')
  const shopCard = page.locator('.card', { hasText: 'shop.invalid' })
  await shopCard.getByText('Success €100.00').first().waitFor()
  await expect.poll(() => shopCard.getByRole('listitem').count()).toBe(2)
  await shopCard.getByRole('button', { name: 'Allow all 2 to shop.invalid once' }).click()
  await page.getByText('Sending 2 held webhooks to shop.invalid').waitFor()
  await page.getByRole('button', { name: 'Always allow other.invalid' }).click()
  await page.getByText('No held webhooks.').waitFor()

  await page.getByLabel('Allow another host').fill('https://x.example')
  await page.getByRole('button', { name: 'Allow host' }).click()
  await page.getByText('It should be a host name like shop.example').waitFor()
  await page.getByRole('button', { name: 'Remove other.invalid from the allowed hosts' }).click()
  await page.getByText('other.invalid is no longer allowed').waitFor()
  expect((await sandbox.control('GET', '/allowed-hosts')).answer).toEqual({ allowedHosts: [] })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Remove other.invalid from the allowed hosts' }).waitFor()
})

test('warnings are shown beside the change that caused them', async ({ sandbox, page }) => {
  await sandbox.control('PATCH', '/maps', {
    add: [{ from: 'https://shop.invalid', to: 'http://localhost:1' }],
  })
  await page.goto(`${sandbox.url}/#/connect/held-webhooks`)

  await page.getByLabel('Allow another host').fill('*.com')
  await page.getByRole('button', { name: 'Allow host' }).click()
  const note = page.locator('.toast[data-tone=warn]')
  // The first message disappears after some seconds.
  await Promise.all([
    page.getByText('*.com is allowed').waitFor(),
    note.getByText('*.com allows every host below .com').waitFor(),
  ])
  // The message stays while the pointer is over it.
  await note.hover()
  expect(await violationsOn(page)).toEqual([])
  await note.getByRole('button', { name: 'Dismiss' }).click()

  await page.goto(`${sandbox.url}/#/connect/maps`)
  // Someone else has removed the map in the meantime.
  const removal = page.getByRole('button', { name: 'Remove the map of https://shop.invalid' })
  await removal.waitFor()
  await page.route('**/_sandbox/v1/maps', async (route) => {
    await fetch(`${sandbox.url}/_sandbox/v1/maps`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ remove: ['https://shop.invalid'] }),
    })
    await route.continue()
  })
  await removal.click()
  await note.getByText('https://shop.invalid').waitFor()
})

test('a webhook held because of a map links to that map, and can be sent alone', async ({ page }) => {
  await using sandbox = await openSandbox({
    deliveryTimeoutMs: 50,
    maps: { 'https://shop.invalid': 'https://staging.invalid' },
  })
  await payTo(sandbox, HOOK)
  await page.goto(`${sandbox.url}/#/connect/held-webhooks`)

  await page.getByText('https://staging.invalid/hook mapped from https://shop.invalid/hook').waitFor()
  await page.getByRole('button', { name: 'Change the map of https://shop.invalid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the map of https://shop.invalid' })
  expect(await dialog.getByLabel('Map to').inputValue()).toBe('https://staging.invalid')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Allow delivery 1 once' }).click()
  await page.getByText('Delivery 1: no answer').waitFor()
  await page.getByRole('button', { name: 'Show' }).click()
  await page
    .getByRole('row', { name: /staging\.invalid.* mapped from https:\/\/shop\.invalid/ })
    .first()
    .waitFor()
})

test('a held webhook can be sent on its own page, and its host allowed', async ({ page }) => {
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 50 })
  await payTo(sandbox, HOOK)
  await page.goto(`${sandbox.url}/#/timeline?q=is:held`)
  await page.getByRole('row', { name: /held/ }).click()
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('heading', { name: 'Held, because shop.invalid is a public host' }).waitFor()
  expect(await details.getByRole('button', { name: 'Replay', exact: true }).count()).toBe(0)
  await details.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Always allow shop.invalid' }).click()
  await page.getByText('shop.invalid is allowed. Sending 1 held webhook').waitFor()
  await details.getByText('Allowed at').waitFor()
  await details.getByRole('button', { name: 'Map this host' }).waitFor({ state: 'detached' })
})

test('the host of a held webhook can be mapped from its details, by key', async ({
  sandbox,
  receiver,
  page,
}) => {
  await payTo(sandbox, HOOK)
  await page.goto(`${sandbox.url}/#/timeline?q=is:held`)
  await page.getByRole('row', { name: /shop\.invalid is a public host/ }).click()
  await page.getByLabel('Local address').fill(receiver.origin)
  await page.getByRole('heading', { name: 'POST shop.invalid/hook' }).click()
  await page.keyboard.press('m')
  await page.getByText('https://shop.invalid is mapped. Sending 1 held webhook').waitFor()
  await receiver.count(1)
})

test('a held webhook goes to the real host only after a confirmation', async ({ page }) => {
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 50 })
  await payTo(sandbox, HOOK)
  await page.goto(`${sandbox.url}/#/timeline?q=is:held`)
  await page.getByRole('row', { name: /held/ }).click()
  await page.getByRole('button', { name: 'Send to the real host once' }).click()
  await page.getByRole('dialog').getByText('The webhook goes to shop.invalid and is not signed.').waitFor()
  await page.getByRole('button', { name: 'Send to shop.invalid' }).click()
  await page.getByText('Delivery 1: no answer').waitFor()
})

test('URLs show where they lead while you type, in a new link and in the settings', async ({ page }) => {
  await using sandbox = await openSandbox({ maps: { 'https://*.invalid': 'http://localhost:3000' } })
  await page.goto(`${sandbox.url}/#/connect/accounts/${shop.id}`)
  const settings = page.getByRole('region', { name: 'Settings' })
  await settings.getByText(`Goes to ${sandbox.url}/tunnel/flower-shop, on this sandbox.`).waitFor()
  for (const wrong of ['localhost:3000/x', 'htp://x', '/foo', '0', '0,1']) {
    await settings.getByLabel('Payment endpoint').fill(wrong)
    await settings.getByText('It should be an absolute http or https URL, a path below /tunnel/').waitFor()
    await settings.getByLabel('Payment endpoint').fill('')
    await settings.getByText('It should be').waitFor({ state: 'detached' })
  }
  await settings.getByLabel('Payment endpoint').fill(HOOK)
  await settings.getByText('Goes to http://localhost:3000/hook by the map of https://*.invalid').waitFor()
  await page.getByLabel('Webhook URL 1', { exact: true }).fill('https://shop.example/hook')
  await page.getByText('It would be held: shop.example is not on').waitFor()
  await page.getByLabel('Webhook URL 1', { exact: true }).fill('0')
  await page.getByText('It should be an absolute http or https URL.').waitFor()

  await page.goto(`${sandbox.url}/#/payments`)
  await page.getByRole('button', { name: 'New link' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Payment endpoint').fill(`0,${HOOK},9,${HOOK},http://169.254.169.254/`)
  await form.getByText('Index 0 of the account’s webhook URLs.').waitFor()
  await form.getByText('Duplicate URL: it receives another webhook.').waitFor()
  await form.getByText('The link would be rejected.').waitFor()
  await form.getByText('It would fail: 169.254.169.254').waitFor()
  await form.getByText('Not used: the account’s payment endpoint').waitFor()
  await sandbox.control('PUT', '/maps', { maps: [] })
  await form.getByText('It would be held: shop.invalid is not on').first().waitFor()

  await page.setViewportSize({ width: 390, height: 600 })
  const button = await form.getByRole('button', { name: 'Create link' }).boundingBox()
  expect(button!.y + button!.height).toBeLessThan(600)
})
