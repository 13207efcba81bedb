import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, problemsAt, WIDE_AND_NARROW } from '../../support/axe.ts'
import { openPage } from '../../support/browser.ts'
import { courier, openSandbox, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const LINK = 'link_id=MTAwMQ%3D%3D'
const OPEN = `/payment?${LINK}`

/** A long note without spaces, in two text directions, and with HTML in it. */
const NOTE = `שלום עולם ${'unbroken'.repeat(40)} </p><b>bold</b> ${'and so on '.repeat(40)}`

const submitting = (fields: Record<string, string>) => (sandbox: OpenSandbox) =>
  sandbox.submit(sandbox.url + OPEN, fields)

const asking =
  (...calls: readonly [method: string, path: string, body?: unknown][]) =>
  async (sandbox: OpenSandbox) => {
    for (const call of calls) await sandbox.rawControl(...call)
  }

const transfer = ['POST', '/links/1001/pay', { method: 'bank-transfer' }] as const

/** Posts a form that no button of the page would send. */
const postForm = (page: Page, fields: Record<string, string>): Promise<void> =>
  page.evaluate((entries) => {
    const form = document.querySelector('form')!
    for (const [name, value] of entries) {
      const input = document.createElement('input')
      Object.assign(input, { type: 'hidden', name, value })
      form.prepend(input)
    }
    form.submit()
  }, Object.entries(fields))

type State = readonly [
  name: string,
  heading: string,
  path: string,
  prepare?: (sandbox: OpenSandbox) => Promise<unknown>,
  act?: (page: Page, sandbox: OpenSandbox) => Promise<unknown>,
]

const states: readonly State[] = [
  ['open', '€999,999,999.99', OPEN],
  ['declined', 'Your bank declined the payment', `${OPEN}&declined`, submitting({ outcome: 'decline' })],
  ['waiting', 'Waiting for your transfer', OPEN, asking([...transfer])],
  [
    'rejected transfer',
    '€999,999,999.99',
    `${OPEN}&waiting`,
    asking([...transfer], ['POST', '/links/1001/reject-transfer']),
  ],
  ['success', 'Payment complete', `/payment/success?${LINK}`, asking(['POST', '/links/1001/pay'])],
  ['cancelled', 'Payment cancelled', `/payment/cancelled?${LINK}`, asking(['POST', '/links/1001/cancel'])],
  ['browser closed', 'Browser closed', `/payment/closed?${LINK}`, submitting({ outcome: 'pay-and-close' })],
  ['used', 'This link has already been used', OPEN, asking(['POST', '/links/1001/pay'])],
  ['ended', 'This payment was cancelled', OPEN, asking(['POST', '/links/1001/cancel'])],
  ['deleted', 'This link is no longer available', OPEN, asking(['DELETE', '/links/1001'])],
  ['unknown', 'This payment link does not exist', '/payment?link_id=MTAwMg%3D%3D'],
  ['different outcome', 'This payment does not have this outcome', `/payment/success?${LINK}`],
  ['unknown outcome', 'This outcome does not exist', `${OPEN}&outcome=crad`],
  [
    'navigation rejected',
    'Nothing was carried out',
    OPEN,
    undefined,
    async (page) => {
      await page.setExtraHTTPHeaders({ 'x-purpose': 'preview' })
      await page.goto(`${page.url()}&outcome=card`)
    },
  ],
  [
    'bad form',
    'This form is not valid',
    OPEN,
    undefined,
    (page) => postForm(page, { method: 'x'.repeat(300) }),
  ],
  [
    'refused, paid by someone else',
    'This link has already been used',
    OPEN,
    undefined,
    async (page, sandbox) => {
      await sandbox.control('POST', '/links/1001/pay')
      await page.getByRole('button', { name: 'Pay €999,999,999.99' }).click()
    },
  ],
  [
    'refused, a transfer is on its way',
    'Waiting for your transfer',
    OPEN,
    undefined,
    async (page, sandbox) => {
      await sandbox.control(...transfer)
      await page.getByRole('button', { name: 'Cancel payment' }).click()
    },
  ],
]

test('every page is accessible in light, dark and forced colors, wide, narrow and enlarged', async () => {
  const page = await openPage()
  for (const [name, heading, path, prepare, act] of states) {
    await using sandbox = await openSandbox()
    await sandbox.createLink({ amount: 999_999_999.99, recipient_note: NOTE })
    await prepare?.(sandbox)

    await page.goto(sandbox.url + path)
    await act?.(page, sandbox)
    await page.setExtraHTTPHeaders({})
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    // The heading of the next page exists before its style sheet is loaded.
    await page.waitForLoadState()
    expect(await page.locator('meta[name=robots]').getAttribute('content'), name).toBe('noindex')
    expect(await page.getByRole('link', { name: 'Open in inspector' }).isVisible(), name).toBe(true)

    // A window of 1440 pixels has 720 pixels at a zoom of 200 %.
    for (const width of [1440, 720, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await sidewaysScroll(page), name).toBe(0)
      expect(await smallTargets(page), name).toEqual([])
    }
    expect(await problemsAt(WIDE_AND_NARROW, LIGHT_DARK_AND_FORCED, page), name).toEqual([])
    await page.mouse.wheel(0, 10_000)
    const banner = page.getByText('No real money moves on this page.')
    expect(await banner.boundingBox(), name).toMatchObject({ y: 0 })
  }
})

test('elements have the names that tests rely on, and each button says what it does', async ({
  sandbox,
  page,
}) => {
  const link = await sandbox.createLink({ callback_url: 'http://localhost:3000/thanks' })
  await page.goto(link.pay_link)

  const { form, controls } = {
    form: page.locator('.card form'),
    controls: page.getByRole('complementary', { name: 'Sandbox controls' }),
  }
  expect(await form.ariaSnapshot()).toBe(
    `- group "How do you want to pay?":
  - text: How do you want to pay?
  - radio "Card" [checked]
  - text: Card Confirmed at once
  - radio "Bank transfer"
  - text: Bank transfer Confirmed when the money has arrived
- button "Pay €100.00"
- button "Cancel payment"`,
  )
  expect(await controls.locator('form').ariaSnapshot()).toBe(
    `- button "Decline the card"
- paragraph: The customer can try again. No webhook is sent.
- button "Pay, then close the browser"
- paragraph: The payment succeeds, but the redirect is lost. Only the webhook arrives.`,
  )
  expect(
    await page
      .locator('[name=method]:not([type=hidden])')
      .evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value)),
  ).toEqual(['card', 'bank-transfer'])
})

test('the sandbox controls are beside the card on a wide screen, and below it on a phone', async ({
  sandbox,
}) => {
  const link = await sandbox.createLink({
    callback_url: 'http://localhost:3000/thanks',
    recipient_note: 'Order 7',
  })
  const page = await openPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(link.pay_link)
  const boxes = async () => ({
    card: (await page.locator('.card').boundingBox())!,
    controls: (await page.getByRole('complementary', { name: 'Sandbox controls' }).boundingBox())!,
  })

  const wide = await boxes()
  expect(wide.controls.x).toBeGreaterThan(wide.card.x + wide.card.width)
  expect(wide.controls.y + wide.controls.height).toBeLessThan(900)
  expect(wide.card.x + wide.card.width / 2).toBe(720)
  expect(wide.card.width).toBe(26 * 16)

  await page.setViewportSize({ width: 390, height: 844 })
  const narrow = await boxes()
  expect(narrow.controls.y).toBeGreaterThan(narrow.card.y + narrow.card.height)
})

test.for([0.01, 1234.5, 999_999_999.99])(
  '€%s is formatted for customers',
  async (amount, { sandbox, page }) => {
    const { envelope } = await sandbox.call<{ pay_link: string }>('createLink', { amount })
    await page.goto(envelope.data.pay_link)

    const text = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(amount)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(text)
    expect(await page.getByRole('button', { name: 'Pay ' }).first().textContent()).toBe(`Pay ${text}`)
  },
)

test('a long note is folded, keeps its text direction, and is shown in full without scripts', async ({
  sandbox,
}) => {
  const link = await sandbox.createLink({ recipient_note: NOTE })
  const page = await openPage({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  await page.goto(link.pay_link)

  const whole = page.getByText('and so on and so on', { exact: false }).last()
  expect(await whole.isVisible()).toBe(false)
  await page.getByText('Whole note').click()
  expect(await whole.textContent()).toBe(NOTE)
  expect(await whole.isVisible()).toBe(true)
  const less = page.getByText('Less', { exact: true })
  expect((await less.boundingBox())!.y).toBeGreaterThan((await whole.boundingBox())!.y)
  expect(await whole.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
})

test('a very long payee name does not break the layout', async ({ sandbox }) => {
  await sandbox.control('PATCH', '/accounts/00000000-0000-4000-8000-000000000002', {
    name: `<i>${'Courier'.repeat(28)}`,
  })
  const { envelope } = await sandbox.call<{ pay_link: string }>(
    'createLink',
    { amount: 5 },
    { token: courier.apiKey },
  )
  const page = await openPage({ viewport: { width: 390, height: 844 } })
  await page.goto(envelope.data.pay_link)

  expect(await sidewaysScroll(page)).toBe(0)
  expect(await page.getByRole('button', { name: 'Pay €5.00' }).isVisible()).toBe(true)
  expect(await page.locator('.payee strong').textContent()).toMatch(/^<i>Courier.*…$/)
})

const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Buttons, fields and links that are too small for a thumb. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, label, a, summary')]
      .filter((element) => element.getBoundingClientRect().height < 44)
      .map((element) => element.textContent ?? ''),
  )
