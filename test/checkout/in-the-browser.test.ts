import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { violationsOn } from '../support/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { openSandbox } from '../support/sandbox.ts'
import { startReceiver } from '../support/receiver.ts'

let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser[Symbol.asyncDispose]())

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, javaScriptEnabled: false }

test.each([
  ['Pay €100.00', 'Success'],
  ['Cancel payment', 'cancel'],
])('a customer without scripts clicks "%s" and lands in the shop with %s', async (button, status) => {
  await using shop = await startReceiver((_received, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Back in the shop</h1>')
  })
  await using sandbox = await openSandbox()
  const link = await sandbox.createLink({ callback_url: `${shop.origin}/thanks?lang=de` })
  const page = await browser.page(phone)

  await page.goto(link.pay_link)
  await page.getByRole('button', { name: button }).click()

  expect(page.url()).toBe(`${shop.origin}/thanks?lang=de&pay_id=1001&status=${status}`)
  expect(await page.getByRole('heading').textContent()).toBe('Back in the shop')
})

test('a customer without scripts pays by bank transfer, and the page goes on when it is approved', async () => {
  await using shop = await startReceiver((_received, response) => response.end('thanks'))
  await using sandbox = await openSandbox()
  const link = await sandbox.createLink({ callback_url: `${shop.origin}/thanks` })
  const page = await browser.page(phone)

  await page.goto(link.pay_link)
  await page.getByLabel('Bank transfer').check()
  await page.getByRole('button', { name: 'Pay €100.00' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Waiting for your transfer')

  await sandbox.control('POST', `/links/${link.id}/approve-transfer`)
  await page.waitForURL(`${shop.origin}/thanks?pay_id=1001&status=Success`)
})

test('with scripts the waiting page goes on by itself, and its questions are not in the journal', async () => {
  await using shop = await startReceiver((_received, response) => response.end('thanks'))
  await using sandbox = await openSandbox()
  const link = await sandbox.createLink({ callback_url: `${shop.origin}/thanks` })
  const page = await browser.page()

  await page.goto(link.pay_link)
  await page.getByLabel('Bank transfer').check()
  await page.getByRole('button', { name: 'Pay €100.00' }).click()
  await page.waitForResponse(/payment\/status/)
  await sandbox.control('POST', `/links/${link.id}/approve-transfer`)
  await page.waitForURL(`${shop.origin}/thanks?pay_id=1001&status=Success`)

  const { answer } = await sandbox.control<{ events: object[] }>(
    'GET',
    '/events?type=page.shown,redirect.sent',
  )
  expect(answer.events).toMatchObject([{ page: 'checkout' }, { page: 'waiting' }, { type: 'redirect.sent' }])
  expect(page.problems).toEqual([])
})

test('a declined customer tries again', async () => {
  await using sandbox = await openSandbox()
  const link = await sandbox.createLink()
  const page = await browser.page(phone)

  await page.goto(link.pay_link)
  await page.getByRole('button', { name: 'Decline the card' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('Your bank declined the payment')
  await page.getByRole('button', { name: 'Pay €100.00' }).click()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Payment complete')
})

test('markup in a note is text', async () => {
  await using sandbox = await openSandbox()
  const note = '</p><script>document.title="owned"</script><img src=x onerror=alert(1)>'
  const link = await sandbox.createLink({ recipient_note: note })
  const page = await browser.page()

  await page.goto(link.pay_link)
  expect(await page.locator('.note').textContent()).toBe(note)
  expect(await page.title()).toBe('Pay €100.00 to Flower Shop')
  expect(page.problems).toEqual([])
})

const states: readonly [
  name: string,
  path: string,
  prepare: (sandbox: Awaited<ReturnType<typeof openSandbox>>) => Promise<unknown>,
][] = [
  ['open', '/payment?link_id=MTAwMQ', async () => {}],
  [
    'waiting',
    '/payment?link_id=MTAwMQ',
    (sandbox) => sandbox.control('POST', '/links/1001/pay', { method: 'bank-transfer' }),
  ],
  ['used', '/payment?link_id=MTAwMQ', (sandbox) => sandbox.control('POST', '/links/1001/pay')],
  ['success', '/payment/success?link_id=MTAwMQ', (sandbox) => sandbox.control('POST', '/links/1001/pay')],
  [
    'cancelled',
    '/payment/cancelled?link_id=MTAwMQ',
    (sandbox) => sandbox.control('POST', '/links/1001/cancel'),
  ],
  ['deleted', '/payment?link_id=MTAwMQ', (sandbox) => sandbox.control('DELETE', '/links/1001')],
  ['unknown', '/payment?link_id=x', async () => {}],
]

test.each(states)(
  'the %s page is fit for everyone, light and dark, wide and narrow',
  async (_name, path, prepare) => {
    await using sandbox = await openSandbox()
    await sandbox.createLink({
      recipient_note: 'A note that is rather long, as notes of real orders sometimes are',
    })
    await prepare(sandbox)

    const page = await browser.page()
    await page.goto(sandbox.url + path)
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1440]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 844 })
        expect(await violationsOn(page)).toEqual([])
        expect(await sidewaysScroll(page)).toBe(0)
        expect(await smallTargets(page)).toEqual([])
      }
    }
  },
)

const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Buttons, choices and links a thumb would miss. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, label, a')]
      .filter((element) => element.getBoundingClientRect().height < 44)
      .map((element) => element.textContent ?? ''),
  )
