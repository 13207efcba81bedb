import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { courier, market, openSandbox, shop } from '../support/sandbox.ts'

let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser[Symbol.asyncDispose]())

test.each([
  ['without a public address', undefined],
  ['with one', 'https://pay.example'],
])('%s, an address elsewhere is not taken for a tunnel of the sandbox', async (_how, publicUrl) => {
  await using sandbox = await openSandbox({ publicUrl })
  const send = (id: string, paymentEndpoint: string) =>
    sandbox.control('PATCH', `/accounts/${id}`, { paymentEndpoint })
  await send(courier.id, 'https://shop.example/tunnel/elsewhere')
  await send(market.id, `${sandbox.url}/tunnel/written-out`)
  const page = await browser.page()
  await page.goto(`${sandbox.url}/#/maps`)

  await page.getByText(`Payment endpoint of ${shop.name}`).waitFor()
  await page.getByText(`Payment endpoint of ${market.name}`).waitFor()
  expect(await page.locator('.card h3').allTextContents()).toEqual(['flower-shop', 'written-out'])
})

test('what a tunnel captures is there at once, the second and the third too', async () => {
  await using sandbox = await openSandbox()
  const page = await browser.page()
  await page.goto(`${sandbox.url}/#/maps`)
  const card = page.locator('.card', { hasText: 'flower-shop' })
  await card.getByText('0 requests captured').waitFor()

  await card.getByRole('button', { name: 'Send a sample' }).click()
  await card.getByText('1 request captured').waitFor()
  await fetch(`${sandbox.url}/tunnel/flower-shop/more`, { method: 'PUT' })
  await card.getByText('2 requests captured').waitFor()
  await card.getByText('PUT /more').waitFor()
})
