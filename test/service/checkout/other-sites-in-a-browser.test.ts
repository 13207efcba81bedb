import { expect } from 'vitest'
import { startReceiver } from '../../support/receiver.ts'
import type { OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

async function journalOf(sandbox: OpenSandbox): Promise<string[]> {
  await sandbox.settled()
  const { answer } = await sandbox.control('GET', '/events?link=1001')
  return answer.events.map(({ type }) => type).filter((type) => type !== 'api.request')
}

test('a page of another site cannot pay by image, frame or script, but a link in a shop can', async ({
  sandbox,
  page,
}) => {
  const link = await sandbox.createLink()
  const address = `${link.pay_link}&outcome=card`
  await using elsewhere = await startReceiver((_received, response) => {
    response.setHeader('content-type', 'text/html').end(
      `<img src="${address}"><iframe src="${address}"></iframe>
       <script>fetch(${JSON.stringify(address)}, { mode: 'no-cors' })</script><a href="${address}">Pay</a>`,
    )
  })

  await page.goto(elsewhere.origin)
  const { status } = await sandbox.control('POST', '/events/wait', {
    match: { type: 'checkout.viewed', page: 'navigation rejected', status: 403 },
    count: 3,
  })
  expect(status).toBe(200)
  expect(await journalOf(sandbox)).not.toContain('link.paid')

  await page.getByRole('link', { name: 'Pay' }).click()
  await page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  await page.reload()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Payment complete')
  expect((await journalOf(sandbox)).filter((type) => type === 'link.paid')).toHaveLength(1)
})

test('if a page of another site links to a pay URL, the browser shows the payment page', async ({
  sandbox,
  page,
}) => {
  const link = await sandbox.createLink()
  await page.route('https://evil.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${link.pay_link}&outcome=card">A present</a>`,
    }),
  )

  await page.goto('https://evil.example/')
  await page.getByRole('link', { name: 'A present' }).click()
  await page.getByRole('heading', { name: 'Nothing was carried out' }).waitFor()
  await page.getByText('A page of another site sent the request.').waitFor()
  expect(await journalOf(sandbox)).toEqual(['link.created', 'checkout.viewed'])
  await page.getByRole('link', { name: 'Open the payment' }).click()
  await page.getByRole('button', { name: 'Pay €100.00' }).waitFor()
})

test('the payment button works in a browser, whatever page led to it', async ({ sandbox, page }) => {
  const { pay_link } = await sandbox.createLink()
  await using shop = await startReceiver((_received, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(`<a rel="noreferrer" href="${pay_link}">To the payment</a>`)
  })
  await page.goto(shop.origin)

  await page.getByRole('link', { name: 'To the payment' }).click()
  await page.getByRole('button', { name: /^Pay €/ }).click()

  await page.getByRole('heading', { name: 'Payment complete' }).waitFor()
})
