import type { ServerResponse } from 'node:http'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { inspectorOn } from '../support/inspector.ts'
import { startReceiver } from '../support/receiver.ts'
import type { OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const PAYMENTS = 12
/** Near the end of the list, so that the webhook of this order is visible without scrolling. */
const FAILED = 11
const SLOW = 7

/** Redirects the webhook of one order to a login page, like an app that protects all of its pages. */
const answer = ({ pairs }: { readonly pairs: Record<string, string> }, response: ServerResponse): void => {
  if (pairs['data[note]'] === `Order ${FAILED}`) response.writeHead(302, { location: '/login' })
  response.end()
}

/** A shop with paid orders. One webhook fails, and another receiver answers slowly. */
async function openShop(sandbox: OpenSandbox, url: string): Promise<void> {
  await sandbox.control('PUT', '/tunnels/warehouse/answer', { delayMs: 1_100 })
  for (let order = 1; order <= PAYMENTS; order++) {
    const endpoint = order === SLOW ? `${url},${sandbox.url}/tunnel/warehouse` : url
    await sandbox.createLink({ recipient_note: `Order ${order}`, payment_endpoint: endpoint })
    await sandbox.control('POST', `/links/${1000 + order}/pay`, { wait: 'accepted' })
  }
  await sandbox.settled()
}

/** Counts the actions of the user. Typing a text does not count, because no interface can save it. */
function userOf(page: Page) {
  let steps = 0
  return {
    click: async (target: Locator): Promise<void> => {
      steps += 1
      await target.click()
    },
    press: async (key: string): Promise<void> => {
      steps += 1
      await page.keyboard.press(key)
    },
    steps: (): number => steps,
  }
}

const questions = test
  .extend('receiver', async ({}, { onCleanup }) => {
    const receiver = await startReceiver(answer)
    onCleanup(() => receiver[Symbol.asyncDispose]())
    return receiver
  })
  .extend('user', ({ page }) => userOf(page))

questions('why did this webhook fail? One click on its row', async ({ sandbox, receiver, page, user }) => {
  await openShop(sandbox, receiver.url)
  const inspector = inspectorOn(page)
  await inspector.open(sandbox.url)

  await user.click(inspector.row(/webhook.*redirect/i))

  const card = inspector.details.getByRole('region', { name: 'Cause and remedy' })
  await card.getByRole('heading', { name: 'Your app redirects the webhook to its login page' }).waitFor()
  await card.getByRole('heading', { name: 'What to do' }).waitFor()
  expect(user.steps()).toBe(1)
})

questions('which webhooks belong to order 7? Two clicks', async ({ sandbox, receiver, page, user }) => {
  await openShop(sandbox, receiver.url)
  await inspectorOn(page).open(sandbox.url)

  await user.click(page.getByRole('navigation').getByRole('link', { name: /^Payments/ }))
  await user.click(page.getByRole('row', { name: new RegExp(`Order ${SLOW}\\b`) }))

  const journey = page.getByRole('region', { name: 'Payment', exact: true })
  await journey
    .getByRole('link', { name: /Webhook.*tunnel\/warehouse/i })
    .first()
    .waitFor()
  await journey
    .getByRole('link', { name: /Webhook.*\/webhook\b/i })
    .first()
    .waitFor()
  expect(user.steps()).toBe(2)
})

questions('what did I send? Two clicks', async ({ sandbox, receiver, page, user }) => {
  await openShop(sandbox, receiver.url)
  const inspector = inspectorOn(page)
  await inspector.open(sandbox.url)

  await user.click(inspector.row(/createSplitLink.*Order 12/))
  await user.click(inspector.details.getByRole('tab', { name: 'Request' }))

  await inspector.details.getByText('"Order 12"').first().waitFor()
  await inspector.details.getByText('token').first().waitFor()
  expect(user.steps()).toBe(2)
})

/** One action: open the search with its key, type, and press Enter. */
async function ask(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill(text)
  await page
    .getByRole('option', { selected: true })
    .and(page.getByRole('option', { name: /\?$/ }))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

questions('the number of an order finds questions about it, however old it is', async ({ sandbox, page }) => {
  const orders = 202
  for (let order = 1; order <= orders; order++) {
    await sandbox.createLink({
      recipient_note: `Order ${order}`,
      payment_endpoint: 'http://127.0.0.1:9/webhook',
    })
  }
  for (const order of [1, orders]) await sandbox.control('POST', `/links/${1000 + order}/pay`)
  await sandbox.settled()
  await inspectorOn(page).open(sandbox.url, '#/connect/maps')

  await ask(page, "why did order 1's webhook fail")

  await page.getByRole('heading', { name: 'Nothing listens on 127.0.0.1:9' }).waitFor()
  await page.getByRole('link', { name: 'Payment 1001' }).waitFor()
})

questions(
  'the five questions are answered by one search each, from any screen',
  async ({ sandbox, receiver, page }) => {
    await openShop(sandbox, receiver.url)
    await sandbox.control('POST', '/deliveries/1/replay', { wait: 'settled' })
    const inspector = inspectorOn(page)
    const from = (screen: string) => inspector.open(sandbox.url, `#/${screen}`)

    await from('sandbox')
    await ask(page, `why did the webhook of order ${FAILED} fail`)
    const card = page.getByRole('region', { name: 'Cause and remedy' })
    await card
      .getByText(/login page/)
      .first()
      .waitFor()

    await from('test/faults')
    await ask(page, 'which receiver is slow')
    const receivers = page.getByRole('region', { name: 'Receivers' })
    await receivers.getByRole('row', { name: /\/tunnel\/warehouse 1 0 1\.\d s/ }).waitFor()
    await expect
      .poll(() => receivers.getByRole('heading').evaluate((heading) => heading === document.activeElement))
      .toBe(true)

    await from('connect/maps')
    await ask(page, 'did a retry send the same bytes')
    await page.getByText('Sent: identical.').waitFor()

    await from('overview')
    await ask(page, 'what did my tests rely on')
    const points = page.getByRole('region', { name: 'What your integration relies on' })
    await points.getByText('payId', { exact: true }).waitFor()
    await expect
      .poll(() => points.getByRole('heading').evaluate((heading) => heading === document.activeElement))
      .toBe(true)

    await from('payments/review')
    const before = receiver.received.length
    await ask(page, `send it again with another amount, order ${PAYMENTS}`)
    const editor = page.getByRole('region', { name: 'Edit and replay' })
    const amount = editor.getByRole('textbox', { name: 'data[amount]', exact: true })
    await expect.poll(() => amount.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('65')
    await editor.getByText('data[amount]=65').waitFor()
    await page.keyboard.press('Control+Enter')
    await receiver.count(before + 1)
    expect(receiver.received.at(-1)!.pairs).toMatchObject({
      'data[amount]': '65',
      'data[note]': `Order ${PAYMENTS}`,
    })
  },
)

questions(
  'a question that matches no payment says this, and opens the empty list',
  async ({ sandbox, receiver, page }) => {
    await openShop(sandbox, receiver.url)
    await inspectorOn(page).open(sandbox.url, '#/sandbox')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('same bytes')
    await page
      .getByRole('option', {
        name: 'Did a retry send the same bytes? No webhook was sent twice.',
        selected: true,
      })
      .waitFor()

    await page.keyboard.press('Enter')

    await expect.poll(() => new URL(page.url()).hash).toBe('#/timeline?q=is:retried%2Creplay')
  },
)

questions('which receiver is slow? One click', async ({ sandbox, receiver, page, user }) => {
  await openShop(sandbox, receiver.url)
  await inspectorOn(page).open(sandbox.url)

  await user.click(page.getByRole('navigation').getByRole('link', { name: 'Overview' }))

  const receivers = page.getByRole('region', { name: 'Receivers' })
  await receivers.getByRole('row', { name: /\/tunnel\/warehouse 1 0 1\.\d s/ }).waitFor()
  await receivers.getByRole('row', { name: /\/webhook 12 1 .*ms/ }).waitFor()
  expect(user.steps()).toBe(1)
})
