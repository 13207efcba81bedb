import { expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox } from '../support/sandbox.ts'

test.each(['', 'http://evil.example/'])(
  'a form that a page of another site sends is no click (%j)',
  async (referer) => {
    await using sandbox = await openSandbox()
    const { id, pay_link } = await sandbox.createLink()
    const send = (headers: Record<string, string>) =>
      fetch(pay_link, {
        method: 'POST',
        body: new URLSearchParams({ method: 'card', outcome: 'pay' }),
        headers,
        redirect: 'manual',
      })
    const statusOf = async () =>
      (await sandbox.control<{ status: string }>('GET', `/links/${id}`)).answer.status

    const stranger = await send({ 'sec-fetch-site': 'cross-site', ...(referer === '' ? {} : { referer }) })
    expect([stranger.status, await stranger.text()]).toEqual([
      403,
      expect.stringContaining('a form only when a page of the sandbox sends it'),
    ])
    expect(await statusOf()).toBe('unused')

    expect((await send({ 'sec-fetch-site': 'same-origin' })).status).toBe(303)
    expect(await statusOf()).toBe('paid')
  },
)

test('the button of a payment works in a browser, whoever led there', async () => {
  await using browser = await openBrowser()
  await using sandbox = await openSandbox()
  const { pay_link } = await sandbox.createLink()
  await using shop = await startReceiver((_received, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(`<a rel="noreferrer" href="${pay_link}">To the payment</a>`)
  })
  const page = await browser.page()
  await page.goto(shop.origin)

  await page.getByRole('link', { name: 'To the payment' }).click()
  await page.getByRole('button', { name: /^Pay €/ }).click()

  await page.getByRole('heading', { name: 'Payment complete' }).waitFor()
})
