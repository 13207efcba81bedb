import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createCheckout } from '../../../server/package/checkout.ts'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { freePort } from '../../support/free-port.ts'
import { startReceiver } from '../../support/receiver.ts'
import { test } from '../../support/test.ts'

/** Opens a link of a new account. */
async function openLink(page: Page, url: string, fields: Record<string, unknown> = {}) {
  const sandbox = await connectSandbox(url)
  const account = await sandbox.createAccount({ bankTransfer: false })
  const link = await account.createLink({ amount: 5, ...fields })
  const checkout = createCheckout(page)
  await checkout.open(link)
  return { account, link, checkout }
}

/** The message of the error. */
const whyNot = (action: Promise<void>): Promise<string> =>
  action.then(
    () => 'It did not fail.',
    (error: unknown) => String(error),
  )

test('the error of checkout.cancel names the button that the page lacks', async ({ sandbox, page }) => {
  const { checkout, link } = await openLink(page, sandbox.url, { cancellable: false })

  expect(await whyNot(checkout.cancel())).toBe(
    `Error: checkout.cancel found no button "Cancel payment" at ${link.payLink}. The link is not cancellable: it was created with cancellable: false.`,
  )
})

test.for(['pay', 'cancel', 'decline'] as const)(
  'the error of checkout.%s says what the page of a used link shows',
  async (action, { sandbox, page }) => {
    const { checkout, link, account } = await openLink(page, sandbox.url)
    await account.pay(link)
    await page.reload()

    const buttons = { pay: 'Pay €…', cancel: 'Cancel payment', decline: 'Decline the card' }
    expect(await whyNot(checkout[action]())).toBe(
      `Error: checkout.${action} found no button "${buttons[action]}" at ${link.payLink}. It shows "This link has already been used". Only a link that is not used yet has it, so create a link for each payment.`,
    )
  },
)

test('the error names a bank transfer that the link does not offer', async ({ sandbox, page }) => {
  const { checkout, link } = await openLink(page, sandbox.url)

  expect(await whyNot(checkout.pay({ method: 'bank-transfer' }))).toBe(
    `Error: checkout.pay found no choice "Bank transfer" at ${link.payLink}. The link can only be paid by card. Create it with bankTransfer: true.`,
  )
})

test('the error names a page that is not the checkout, even if it has the same buttons', async ({ page }) => {
  await using shopPage = await startReceiver((_received, response) => {
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end('<button>Pay €5.00</button><button>Cancel payment</button><button>Decline the card</button>')
  })
  await page.goto(shopPage.url)
  const checkout = createCheckout(page)

  const reasons = await Promise.all([checkout.pay(), checkout.cancel(), checkout.decline()].map(whyNot))

  expect(reasons).toEqual(
    ['pay', 'cancel', 'decline'].map(
      (action) =>
        `Error: checkout.${action} needs the checkout page, and the browser is at ${shopPage.url}. Open the pay link with checkout.open(link), or make your app redirect the browser to it.`,
    ),
  )
})

test('after a payment, the error names a shop that does not answer', async ({ sandbox, page }) => {
  const callbackUrl = `http://127.0.0.1:${await freePort()}/thanks`
  const { checkout, link, account } = await openLink(page, sandbox.url, { callbackUrl })

  expect(await whyNot(checkout.pay())).toBe(
    `Error: After checkout.pay the browser could not open ${callbackUrl}?pay_id=${link.payId}&status=Success: net::ERR_CONNECTION_REFUSED. Start your app before the test, or create the link without a callback URL.`,
  )
  expect((await account.link(link)).status).toBe('paid')
})

test('pay waits for an app that redirects to the checkout with a delay', async ({ sandbox, page }) => {
  const { checkout, link, account } = await openLink(page, sandbox.url)
  await using slow = await startReceiver((_received, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<script>addEventListener('load', () => { location.href = ${JSON.stringify(link.payLink)} })</script>`,
      )
  })
  await page.goto(slow.url)

  await checkout.pay()

  expect((await account.link(link)).status).toBe('paid')
})

test('wrong arguments of the page object are rejected', async ({ page }) => {
  const checkout = createCheckout(page)

  expect(await whyNot(checkout.open(undefined as never))).toBe(
    'TypeError: checkout.open needs a pay link, or an object with payLink, such as the result of createLink, not undefined.',
  )
  expect(await whyNot(checkout.open({ pay_link: 'x' } as never))).toContain('not an object with pay_link.')
  expect(await whyNot(checkout.pay({ method: 'paypal' as never }))).toBe(
    'TypeError: checkout.pay: method is card or bank-transfer, not "paypal".',
  )
  expect(await whyNot(checkout.pay({ browser: 'crashes' as never }))).toContain(
    'browser is returns or closes',
  )
})
