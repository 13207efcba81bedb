import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_AND_DARK, problemsAt, violationsIn, WIDE_AND_NARROW } from '../support/axe.ts'
import { freePort } from '../support/free-port.ts'
import { startReceiver } from '../support/receiver.ts'
import { type OpenSandbox, courier, market, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const waitUntilLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
const form = (page: Page) => page.getByRole('dialog', { name: 'New link' })
const details = (page: Page) => page.getByRole('region', { name: 'Payment', exact: true })

/**
 * Checks the page with axe, and its width, in both color schemes, in a wide and a narrow window, and a dialog in a narrow
 * window.
 */
async function checkLayout(page: Page): Promise<void> {
  expect(await problemsAt(WIDE_AND_NARROW, LIGHT_AND_DARK, page)).toEqual([])
  const overflow = await page.evaluate(() => {
    const dialog = document.querySelector('dialog[open]')
    return dialog ? dialog.scrollWidth - dialog.clientWidth : 0
  })
  expect(overflow).toBe(0)
}

test('deleting a link asks first', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink()
  await inspector.open(sandbox.url, '#/payments/1001')
  await page.getByRole('button', { name: 'Delete link…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the link of payment 1001?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete link…' }).click()
  await dialog.getByRole('button', { name: 'Delete link' }).click()

  await inspector.row(/1001.*Deleted/).waitFor()
  expect(page.problems).toEqual([])
})

test('a split link can be created by keyboard, and the preview has the exact cents', async ({
  sandbox,
  page,
}) => {
  await page.goto(`${sandbox.url}/#/payments`)
  await waitUntilLive(page)

  await page.keyboard.press('n')
  await form(page).getByLabel('Account').waitFor()
  const type = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  }
  const tabTo = async (name: string | RegExp) => {
    const wanted = form(page).getByLabel(name, { exact: true }).or(form(page).getByRole('button', { name }))
    for (let presses = 0; presses < 30; presses++) {
      if (await wanted.evaluateAll((elements) => elements.includes(document.activeElement as HTMLElement)))
        return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${name}`)
  }
  await tabTo('Amount in euros')
  await type('0.10')
  await tabTo('Note')
  await type('Order 7')
  await tabTo('Share of recipient 0, in percent')
  await type('33.3')
  await tabTo('Add a recipient')
  await page.keyboard.press('Enter')
  await tabTo('Recipient 1')
  await page.keyboard.press('ArrowDown')
  await tabTo('Share of recipient 1, in percent')
  await type('33.3')
  const preview = form(page).getByLabel('Payout preview')
  await expect
    .poll(() => preview.textContent())
    .toBe('Bike Courier €0.03Market Hall €0.03Flower Shop (owner) €0.04Total €0.10')
  await page.keyboard.press('Enter')

  await details(page).getByRole('heading', { name: 'Payment 1001 €0.10 Unused' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('details')
  expect(new URL(page.url()).hash).toBe('#/payments/1001')
  const { answer } = await sandbox.control('GET', '/links/1001')
  expect(answer).toMatchObject({
    note: 'Order 7',
    payout: { recipients: [{ amount: 0.03 }, { amount: 0.03 }], owner: 0.04 },
  })
  const { answer: journal } = await sandbox.control('GET', '/events?type=api.request')
  expect(journal.events).toMatchObject([
    { operation: 'createSplitLink', accountId: shop.id, assumed: expect.arrayContaining(['shareRounding']) },
  ])
  expect(page.problems).toEqual([])
})

test('a rejected link keeps the form, with the error of the API beside the field', async ({
  sandbox,
  page,
}) => {
  await page.goto(`${sandbox.url}/#/payments`)
  await waitUntilLive(page)
  await page.getByRole('button', { name: 'New link' }).first().click()
  await form(page).getByRole('button', { name: 'Add a recipient' }).click()
  await form(page).getByLabel('Recipient 1', { exact: true }).selectOption('Custom token')
  await form(page).getByLabel('Token of recipient 1').fill('rcpNobody')
  await form(page).getByLabel('Share of recipient 1').fill('10')
  await form(page).getByLabel('Note').fill('Keep me')
  await form(page).getByRole('button', { name: 'Create link' }).click()

  await form(page).getByText('The link was not created: Invalid recipient token at index 1').waitFor()
  // The text field, not the list beside it.
  const pasted = form(page).getByLabel('Token of recipient 1')
  await expect.poll(() => pasted.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => pasted.evaluate((field) => field === document.activeElement)).toBe(true)
  // The keys are pressed faster than the page renders.
  await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('n')])
  expect(await form(page).getByLabel('Note').inputValue()).toBe('Keep me')
  expect(await form(page).getByLabel('Token of recipient 1').inputValue()).toBe('rcpNobody')

  await form(page).getByLabel('Token of recipient 1').fill(courier.recipientToken)
  await form(page).getByRole('button', { name: 'Create link' }).click()
  await details(page)
    .getByRole('heading', { name: /Payment 1001/ })
    .waitFor()
  expect(page.problems).toEqual([])
})

test('a selected recipient stays selected if its token is rotated meanwhile', async ({ sandbox, page }) => {
  await page.goto(`${sandbox.url}/#/payments`)
  await waitUntilLive(page)
  await page.keyboard.press('n')
  await form(page).getByLabel('Recipient 0', { exact: true }).selectOption({ label: 'Market Hall' })

  const loadedAgain = page.waitForResponse((response) => response.url().includes('/_sandbox/v1/accounts?'))
  await sandbox.control('POST', `/accounts/${market.id}/rotate`, { secret: 'recipientToken' })
  await (await loadedAgain).finished()
  const { answer } = await sandbox.control('GET', `/accounts/${market.id}`)
  await expect.poll(() => form(page).getByLabel('Payout preview').textContent()).toContain('Market Hall')
  await form(page).getByRole('button', { name: 'Create link' }).click()

  await details(page)
    .getByRole('heading', { name: /Payment 1001/ })
    .waitFor()
  const { answer: link } = await sandbox.control('GET', '/links/1001')
  expect(link.payout.recipients).toMatchObject([{ accountId: market.id, token: answer.recipientToken }])
})

test('the form of a link shows where each URL leads while you type', async ({ sandbox, page }) => {
  await page.goto(`${sandbox.url}/#/payments`)
  await waitUntilLive(page)
  await page.keyboard.press('n')
  await form(page).getByText(`${sandbox.url}/tunnel/flower-shop`).waitFor()

  await form(page).getByLabel('Payment endpoint').fill('1, https://shop.example/hook, 7')
  await form(page).getByLabel('Callback URL').fill('0,1')
  await form(page).getByText('http://localhost:3000/webhooks/second').waitFor()
  await form(page).getByText('It would be held: shop.example is not on this machine').waitFor()
  await form(page).getByText('payment_endpoint index 7 is out of range').waitFor()
  await form(page).getByText('Not used, because only the first URL is used.').waitFor()
})

test('the page of a payment shows each step as it happens, and can replay the webhook', async ({
  sandbox,
  page,
}) => {
  await sandbox.createLink({ callback_url: 'http://localhost:3000/thanks' })
  await page.goto(`${sandbox.url}/#/payments/1001`)
  await details(page).getByText('List', { exact: true }).click()
  await details(page).getByText('Created by API').waitFor()
  await details(page).getByRole('button', { name: 'Pay by card' }).click()

  const webhook = details(page).getByRole('listitem').filter({ hasText: 'Webhook →' })
  await webhook.getByText('○ stored').first().waitFor()
  await webhook.getByRole('link', { name: 'in the tunnel' }).waitFor()
  await webhook.getByRole('button', { name: 'Replay', exact: true }).click()
  await webhook.getByText('Replay →').waitFor()
  await expect
    .poll(() => details(page).locator('.journey-section > .journey > li > .step > p').allTextContents())
    .toEqual([
      expect.stringContaining('Created by API createSplitLink ✓ created'),
      expect.stringContaining('Paid by card €100.00 · simulated ✓ paid'),
      expect.stringContaining('Redirect → localhost:3000/thanks?pay_id=1001&status=Success'),
      expect.stringContaining('/tunnel/flower-shop status: Success ○ stored, in the tunnel'),
    ])
  await details(page).locator('summary', { hasText: 'Simulate' }).click()
  await details(page).getByText('Not possible now').click()
  expect(await details(page).getByRole('button', { name: 'Pay by card' }).isDisabled()).toBe(true)
  await details(page).getByText('The link is already paid').waitFor()

  await details(page).getByRole('listitem').filter({ hasText: 'Created by API' }).getByRole('link').click()
  await page.getByRole('row', { name: /createSplitLink/, selected: true }).waitFor()
})

/** Payments with delivered, failed and held webhooks, and one that waits for a transfer. */
async function addPayments(sandbox: OpenSandbox): Promise<void> {
  const gone = `http://127.0.0.1:${await freePort()}/hooks`
  const add = async (note: string, endpoint: string | undefined, json: object = {}) => {
    await sandbox.createLink({ recipient_note: note, ...(endpoint && { payment_endpoint: endpoint }) })
    const { answer } = await sandbox.control('GET', '/links?limit=1')
    await sandbox.control('POST', `/links/${answer.links[0]!.id}/pay`, json)
  }
  await add('delivered', undefined)
  await add('failed', gone)
  await add('held', 'https://shop.example/a,https://shop.example/b')
  await add('transfer', undefined, { method: 'bank-transfer' })
  await sandbox.control('POST', '/settle', {})
}

test('payments show what happened to their webhooks, in groups with counts', async ({ sandbox, page }) => {
  await addPayments(sandbox)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${sandbox.url}/#/payments`)
  await waitUntilLive(page)
  const row = (note: string) => page.getByRole('row', { name: note, exact: false }).filter({ hasText: note })
  await row('1002').getByText('failed', { exact: true }).first().waitFor()
  await row('1003').getByText('2 held').waitFor()
  await row('1001').getByText('Flower Shop').waitFor()
  await row('1001').getByText('Split among').waitFor()
  await page.getByRole('link', { name: /^Payments\s*2\b/ }).waitFor()

  const notes = () => page.locator('.note-cell bdi').allTextContents()
  const group = (name: string) => page.getByRole('button', { name, exact: true })
  await group('Missed by your app 2').click()
  await expect.poll(notes).toEqual(['held', 'failed'])
  await group('Held webhooks 1').click()
  await expect.poll(notes).toEqual(['held'])
  expect(new URL(page.url()).hash).toBe('#/payments?q=webhooks:held')
  expect(await group('Held webhooks 1').getAttribute('aria-pressed')).toBe('true')
  await group('All 4').click()

  const search = page.getByLabel('Filter payments')
  for (const [text, found] of [
    ['webhooks:held,failed', ['held', 'failed']],
    ['status:paid -webhooks:held', ['failed', 'delivered']],
    ['method:bank-transfer', ['transfer']],
    ['€100 flower', ['transfer', 'held', 'failed', 'delivered']],
    ['is:split order:deliv', ['delivered']],
    ['host:shop.example', ['held']],
    ['payment:1003,1004', ['transfer', 'held']],
  ] as const) {
    await search.fill(text)
    await expect.poll(notes).toEqual(found)
  }
  await search.fill('webhooks:lost')
  await page.getByText('There is no webhooks:lost.').first().waitFor()
  await search.fill('')
  await search.press('Escape')

  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('dialog', { name: 'Keyboard and filter' }).getByText('webhooks:failed').waitFor()
  await page.keyboard.press('Escape')

  const head = (name: string) => page.getByRole('columnheader', { name })
  await head('Order').getByRole('button').click()
  await expect.poll(notes).toEqual(['delivered', 'failed', 'held', 'transfer'])
  expect(await head('Order').getAttribute('aria-sort')).toBe('ascending')
  await head('Order').getByRole('button').press('Enter')
  await expect.poll(notes).toEqual(['transfer', 'held', 'failed', 'delivered'])
  expect(await head('Age').getAttribute('aria-sort')).toBe(null)
  expect(new URL(page.url()).hash).toBe('#/payments?sort=-order')
  await page.reload()
  await expect.poll(notes).toEqual(['transfer', 'held', 'failed', 'delivered'])
  expect(page.problems).toEqual([])
})

test('the list of payments counts several delivered webhooks of a payment', async ({
  sandbox,
  receiver,
  page,
}) => {
  const targets = [1, 2, 3, 4, 5].map((target) => `${receiver.url}/${target}`)
  await sandbox.createLink({ payment_endpoint: targets.join() })
  await sandbox.control('POST', '/links/1001/pay')
  await page.goto(`${sandbox.url}/#/payments`)
  await page.getByRole('row', { name: /5 delivered/ }).waitFor()
})

test('the page of a missed payment begins with what is wrong, and can send the webhook again', async ({
  sandbox,
  receiver,
  page,
}) => {
  await addPayments(sandbox)
  await page.goto(`${sandbox.url}/#/payments/1002`)
  const card = details(page).getByRole('region', { name: 'Cause and remedy' })
  await card.getByRole('heading', { name: 'Your app missed this payment' }).waitFor()
  await card.getByText(/^1 attempt to 127\.0\.0\.1:\d+\/hooks got no answer\.$/).waitFor()
  await sandbox.control('PUT', '/maps', {
    maps: [{ from: (await targetOf(sandbox, 1002)).replace(/\/hooks$/, ''), to: receiver.origin }],
  })
  await card.getByRole('button', { name: 'Replay', exact: true }).click()
  await receiver.count(1)
  await card.waitFor({ state: 'hidden' })

  await page.goto(`${sandbox.url}/#/payments/1003`)
  await details(page).getByRole('heading', { name: '2 webhooks are held' }).waitFor()
  await details(page).getByRole('link', { name: 'Open the webhook' }).click()
  await page.getByRole('row', { name: /held/, selected: true }).waitFor()
})

const targetOf = async (sandbox: OpenSandbox, link: number): Promise<string> =>
  (await sandbox.control('GET', `/deliveries?link=${link}`)).answer.deliveries[0]!.target

test('a note does not reorder the text around it', async ({ sandbox, page }) => {
  await sandbox.createLink({ recipient_note: 'Order \u202e 7' })
  await page.goto(`${sandbox.url}/#/payments/1001`)
  await details(page).locator('bdi', { hasText: 'Order' }).waitFor()
  expect(await page.locator('.note-cell > bdi').count()).toBe(1)
})

test('payments are accessible in light and dark, wide and narrow', async ({ sandbox, page }) => {
  await page.goto(`${sandbox.url}/#/payments`)
  await waitUntilLive(page)
  await page.getByRole('button', { name: 'Copy command' }).waitFor()
  await checkLayout(page)

  await sandbox.createLink({ recipient_note: 'Order 7', payment_endpoint: '0,https://shop.example/hook' })
  await page.getByRole('row', { name: /1001/ }).waitFor()
  await checkLayout(page)
  await page.goto(`${sandbox.url}/#/payments/1001`)
  await details(page).getByText('Not possible now').click()
  await checkLayout(page)
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.call('refundPayment', { pay_id: 1001, refund_amount: 40 })
  await details(page).getByRole('link', { name: 'Open Review' }).waitFor()
  await checkLayout(page)
  expect(page.problems).toEqual([])
})

test('the dialogs are accessible in light and dark, wide and narrow', async ({ sandbox, page }) => {
  await sandbox.createLink()
  await page.goto(`${sandbox.url}/#/payments/1001`)
  await details(page).getByRole('button', { name: 'QR' }).click()
  await page.getByRole('img', { name: /^QR code of/ }).waitFor()
  await page.getByText('A phone cannot open this address').waitFor()
  await checkLayout(page)
  await page.keyboard.press('Escape')

  await page.keyboard.press('n')
  await form(page).getByLabel('Payment endpoint').fill('0,https://shop.example/hook,9')
  await form(page).getByText('It would be held').waitFor()
  await checkLayout(page)
  await form(page).getByLabel('Share of recipient 0').fill('0')
  await form(page).getByRole('button', { name: 'Create link' }).click()
  await form(page).getByText('The link was not created').waitFor()
  await checkLayout(page)
  expect(page.problems).toEqual([])
})

test('all failed webhooks are sent again at once', async ({ sandbox, page }) => {
  let status = 503
  await using receiver = await startReceiver((_received, response) => response.writeHead(status).end())
  for (const id of [1001, 1002]) {
    await sandbox.createLink({ payment_endpoint: receiver.url })
    await sandbox.control('POST', `/links/${id}/pay`)
  }
  await sandbox.createLink({ payment_endpoint: `${sandbox.url}/tunnel/inbox` })
  await sandbox.control('POST', '/links/1003/pay')
  await page.goto(`${sandbox.url}/#/payments`)
  await waitUntilLive(page)
  await page.getByRole('button', { name: 'Missed by your app 2' }).click()
  expect(await violationsIn(LIGHT_AND_DARK, page)).toEqual([])
  await page.getByRole('button', { name: 'Replay all 2' }).click()
  await page.getByText('2 webhooks replayed: 0 delivered, 2 failed').waitFor()

  status = 200
  await page.getByRole('button', { name: 'Replay all 2' }).click()
  await page.getByText('2 webhooks replayed: 2 delivered, 0 failed').waitFor()
  await page.getByRole('button', { name: 'Missed by your app 0' }).waitFor()
  await page.getByText('The webhooks of 1 of 3 paid payments are stored in a tunnel.').waitFor()
  await page.getByRole('button', { name: 'Held webhooks 0' }).click()
  await page.getByRole('heading', { name: 'No webhook is held.' }).waitFor()
  await page.getByRole('button', { name: 'Show all payments' }).click()
  await page.getByRole('row', { name: '1003' }).waitFor()
  expect(receiver.received.length).toBe(6)
  expect(page.problems).toEqual([])
})
