import SQLite from 'better-sqlite3'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_AND_DARK, problemsAt, WIDE_AND_NARROW } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { startSandboxCli } from '../support/cli.ts'
import { spawnSandbox } from '../support/process.ts'
import { callsOf, courier, market, openSandbox, production, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

async function openAccount(url: string, place = `/${shop.id}`, path = 'connect/accounts') {
  const page = await openPage()
  await page.goto(`${url}/#/${path}${place}`)
  await page.getByText('Live', { exact: true }).waitFor()
  return page
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
/** The text field whose label starts with a name. A hint may follow. */
const field = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) })
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

const focusedName = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )

/** Presses Tab until a button has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: unknown[] = []
  while (passed.length < 100) {
    await page.keyboard.press('Tab')
    const reached = await focusedName(page)
    if (reached === name) return
    passed.push(reached)
  }
  throw new Error(`The Tab key passed ${passed.join(', ')}, and never ${name}`)
}

test('URLs can be edited and sorted by keyboard, and links use the new indexes', async ({ sandbox }) => {
  const before = await sandbox.createLink({ payment_endpoint: '0' })
  const page = await openAccount(sandbox.url)
  await field(page, 'Webhook URL 0').waitFor()

  await tabTo(page, 'Webhook URL 0')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('http://localhost:3000/edited')
  await tabTo(page, 'Move Webhook URL 0 down')
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedName(page)).toBe('Move Webhook URL 1 up')
  await tabTo(page, 'Add a webhook URL')
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedName(page)).toBe('Webhook URL 2')
  await page.keyboard.type('http://localhost:3000/added')
  await page.keyboard.press('Enter')
  await said(page, 'Flower Shop saved')

  const resolved = async (given: string) =>
    (await sandbox.createLink({ payment_endpoint: given })).paymentEndpoint
  expect(await resolved('0')).toBe(shop.webhookUrls[1])
  expect(await resolved('1')).toBe('http://localhost:3000/edited')
  expect(await resolved('2')).toBe('http://localhost:3000/added')
  expect(before.paymentEndpoint).toBe(shop.webhookUrls[0])
  const { answer } = await sandbox.control('GET', `/links/${before.id}`)
  expect(answer.targets).toMatchObject([{ url: shop.webhookUrls[0] }])
})

test('a removed URL can be put back in its place', async ({ sandbox }) => {
  const page = await openAccount(sandbox.url)

  await button(page, 'Delete Callback URL 0').click()
  await expect.poll(() => field(page, 'Callback URL 0').inputValue()).toBe(shop.callbackUrls[1])
  expect(await focusedName(page)).toBe('Delete Callback URL 0')
  await button(page, 'Undo').click()
  await expect.poll(() => field(page, 'Callback URL 0').inputValue()).toBe(shop.callbackUrls[0])
  await button(page, 'Save').waitFor({ state: 'detached' })

  await button(page, 'Delete Callback URL 1').click()
  await button(page, 'Save').click()
  await said(page, 'Flower Shop saved')
  expect((await sandbox.accounts())[0]!.callbackUrls).toEqual([shop.callbackUrls[0]])
})

test('a rejected value stays in its field, with the reason beside it', async ({ sandbox }) => {
  const page = await openAccount(sandbox.url)

  await field(page, 'Webhook URL 1').fill('shop.test/hooks')
  await field(page, 'Webhook URL 1').press('Enter')
  const row = page.getByRole('listitem').filter({ has: field(page, 'Webhook URL 1') })
  await row.getByText('It should be an absolute http or https URL.').waitFor()
  expect(await field(page, 'Webhook URL 1').inputValue()).toBe('shop.test/hooks')
  expect(await field(page, 'Webhook URL 1').getAttribute('aria-invalid')).toBe('true')

  await field(page, 'Name').fill('')
  await field(page, 'Service fee, in percent').fill('much')
  await button(page, 'Save').click()
  await page.getByText('It should not be empty.').waitFor()
  await page.getByText('It should be a percentage like 1.0.').waitFor()
  expect(await field(page, 'Service fee, in percent').inputValue()).toBe('much')
  expect((await sandbox.accounts())[0]).toMatchObject({ name: shop.name, webhookUrls: shop.webhookUrls })

  await button(page, 'Discard').first().click()
  await expect.poll(() => field(page, 'Name').inputValue()).toBe(shop.name)
})

test('every setting and the billing address are saved', async ({ sandbox }) => {
  const page = await openAccount(sandbox.url)

  await field(page, 'Name').fill('Rose Shop')
  await field(page, 'Payment endpoint').fill('/tunnel/roses')
  await field(page, 'Service fee, in percent').fill('2.5')
  await page.getByRole('checkbox', { name: 'Links offer bank transfer' }).uncheck()
  await field(page, 'City').fill('Bremen')
  await page.getByRole('checkbox', { name: /Reverse charge/ }).check()
  await button(page, 'Save').click()
  await said(page, 'Flower Shop saved')

  expect((await sandbox.accounts())[0]).toEqual({
    ...shop,
    name: 'Rose Shop',
    paymentEndpoint: '/tunnel/roses',
    serviceFee: '2.5',
    bankTransfer: false,
    billing: { ...shop.billing, city: 'Bremen', reverseCharge: true },
  })
  await expect.poll(() => field(page, 'Payment endpoint').inputValue()).toBe(`${sandbox.url}/tunnel/roses`)
  await page.getByRole('link', { name: 'Rose Shop' }).waitFor()
})

test('after rotating a key, the API accepts the new one only', async ({ sandbox }) => {
  const page = await openAccount(sandbox.url)
  await page.getByText(shop.apiKey, { exact: true }).waitFor()

  await button(page, 'Rotate API key').click()
  await said(page, 'API key rotated')
  const shown = await page.getByText(/^dev[0-9a-f]{32}$/).textContent()

  const message = async (token: string) =>
    (await sandbox.call('createSplitLink', {}, { token })).envelope.ResponseMsg
  expect(await message(shop.apiKey)).toBe('No user found with the provided API key.')
  expect(await message(shown!)).toBe('Please enter amount')

  await button(page, 'Undo').click()
  await page.getByText(shop.apiKey, { exact: true }).waitFor()
  expect(await message(shop.apiKey)).toBe('Please enter amount')
})

test('the .env lines and the tokens are copied completely', async ({ sandbox }) => {
  const page = await openAccount(sandbox.url)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())

  await button(page, 'Copy the .env lines').click()
  await said(page, '.env lines copied')
  expect(await clipboard()).toBe(
    [
      `PAYLINK_URL=${sandbox.url}`,
      `PAYLINK_API_KEY=${shop.apiKey}`,
      `PAYLINK_USER_ID=${shop.id}`,
      `PAYLINK_RECIPIENT_TOKEN=${courier.recipientToken}`,
    ].join('\n'),
  )
  await button(page, 'Copy Recipient token').click()
  await said(page, 'Recipient token copied')
  expect(await clipboard()).toBe(shop.recipientToken)
})

test('unsaved input survives a change by someone else, which is announced', async ({ sandbox }) => {
  const [mine, theirs] = await Promise.all([openAccount(sandbox.url), openAccount(sandbox.url)])
  await field(mine, 'Name').fill('Mine')
  await field(mine, 'City').fill('Bremen')

  await field(theirs, 'Name').fill('Theirs')
  await field(theirs, 'Service fee, in percent').fill('3')
  await button(theirs, 'Save').click()

  await mine.getByText('Changed elsewhere to Theirs').waitFor()
  expect(await field(mine, 'Service fee, in percent').inputValue()).toBe('3')
  expect(await field(mine, 'Name').inputValue()).toBe('Mine')
  expect(await field(mine, 'City').inputValue()).toBe('Bremen')
  await mine.getByRole('link', { name: 'Timeline' }).click()
  await mine.goBack()
  await button(mine, 'Save').click()

  await expect.poll(() => field(theirs, 'Name').inputValue()).toBe('Mine')
  expect((await sandbox.accounts())[0]).toMatchObject({
    name: 'Mine',
    serviceFee: '3',
    billing: { city: 'Bremen' },
  })
  await field(mine, 'City').fill('Cologne')
  await sandbox.control('PATCH', `/accounts/${shop.id}`, { billing: { city: 'Emden' } })
  await mine.getByText('Changed elsewhere to Emden').waitFor()
  await button(mine, 'Use that value').click()
  await expect.poll(() => field(mine, 'City').inputValue()).toBe('Emden')
})

test('unsaved input survives while the sandbox is unreachable, and errors go once it is back', async ({
  folder,
}) => {
  const db = join(folder.path, 'sandbox.db')
  const first = await spawnSandbox(['--port', '0', '--db', db], { cwd: folder.path })
  const page = await openAccount(first.url)
  // The page loads this part only after a second, and cannot load it from a sandbox that has stopped.
  await page.getByRole('link', { name: 'Maps' }).click()
  await button(page, 'New map').waitFor()
  await page.getByRole('link', { name: 'Accounts' }).click()
  await field(page, 'Name').fill('Typed before')

  await first.end('SIGKILL')
  await page.getByText('Reconnecting…').waitFor()
  await button(page, 'Save').click()
  // Other data that fails to load has the same error.
  await page.getByText('The sandbox cannot be reached.').first().waitFor()
  expect(await field(page, 'Name').inputValue()).toBe('Typed before')
  await page.getByRole('link', { name: 'Maps' }).click()
  await button(page, 'New map').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Map from').fill('https://shop.example')
  await dialog.getByLabel('Map to').fill('http://localhost:3000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The sandbox cannot be reached.').waitFor()

  await using second = await startSandboxCli(['--port', new URL(first.url).port, '--db', db], {
    cwd: folder.path,
  })
  await page.getByText('Live', { exact: true }).waitFor()
  await dialog.getByText('The sandbox cannot be reached.').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Accounts' }).click()
  await field(page, 'Name').waitFor()
  expect(await page.getByText('The sandbox cannot be reached.').count()).toBe(0)
  await button(page, 'Save').click()
  await said(page, 'Flower Shop saved')
  const { answer } = await callsOf(second.url).control('GET', `/accounts/${shop.id}`)
  expect(answer.name).toBe('Typed before')
})

test('an account can be created, opened by its URL, and deleted unless it has links', async ({ sandbox }) => {
  await sandbox.createLink()
  const page = await openAccount(sandbox.url)

  await button(page, 'New account').click()
  await page.getByRole('dialog').getByRole('textbox').fill('Test 7')
  await button(page, 'Create account').click()
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('Test 7')
  const made = (await sandbox.accounts()).find(({ name }) => name === 'Test 7')!
  expect(new URL(page.url()).hash).toBe(`#/connect/accounts/${made.id}`)
  await page.getByText('No invoices yet.').waitFor()

  await page.getByRole('link', { name: 'Flower Shop development' }).click()
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('Flower Shop')
  await button(page, 'Delete account…').click()
  await button(page, 'Delete').click()
  await page.getByRole('dialog').getByText('The account has payment links').waitFor()
  await button(page, 'Cancel').click()

  await page.goBack()
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('Test 7')
  await button(page, 'Delete account…').click()
  await button(page, 'Delete').click()
  await said(page, 'Test 7 deleted')
  expect((await sandbox.accounts()).map(({ id }) => id)).not.toContain(made.id)
  await page.goto(`${sandbox.url}/#/connect/accounts/${made.id}`)
  await page.getByText(`There is no account “${made.id}”.`).waitFor()
})

test('an account can be reset after a confirmation, and the inspector removes its data', async ({
  sandbox,
}) => {
  const { id } = await sandbox.createLink({ recipient_note: 'Order of the shop' })
  await sandbox.control('POST', `/links/${id}/pay`)
  await sandbox.call('createLink', { amount: 7 }, { token: courier.apiKey })
  await sandbox.control('PATCH', `/accounts/${shop.id}`, { name: 'Another' })
  const page = await openAccount(sandbox.url)
  const watching = await openPage()
  await watching.goto(`${sandbox.url}/#/payments/${id}`)
  await watching.getByRole('heading', { name: 'Journey' }).waitFor()

  await button(page, 'Reset this account…').click()
  await page.getByRole('dialog', { name: 'Reset Another?' }).waitFor()
  await button(page, 'Cancel').click()
  expect((await sandbox.accounts())[0]).toMatchObject({ name: 'Another' })
  await button(page, 'Reset this account…').click()
  await button(page, 'Reset').click()

  await said(page, 'Another was reset')
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('Flower Shop')
  await page.goto(`${sandbox.url}/#/timeline`)
  await page.getByRole('row', { name: /Account reset Flower Shop/ }).waitFor()
  const gone = page.getByRole('row', { name: /createSplitLink|Paid by card|Account changed/ })
  await expect.poll(() => gone.count()).toBe(0)
  await expect.poll(() => page.getByRole('row', { name: /createLink/ }).count()).toBe(1)
  await expect.poll(() => new URL(watching.url()).hash).toBe('#/payments')
  await watching.getByRole('row', { name: /€7.00/ }).waitFor()
  await watching.getByText('Order of the shop').waitFor({ state: 'detached' })
  expect([...page.problems, ...watching.problems]).toEqual([])
})

test.for([
  ['a section', 'invoices', (page: Page) => page.getByRole('heading', { name: 'Invoices' })],
  ['a behavior', 'statusText', (page: Page) => page.getByRole('group', { name: 'statusText', exact: true })],
  [
    'an assumption',
    'serverTime',
    (page: Page) => page.getByRole('group', { name: 'serverTime', exact: true }),
  ],
] as const)('a URL shows where it leads: %s', async ([_what, point, target], { sandbox }) => {
  const page = await openAccount(sandbox.url, `?point=${point}`, 'account')
  const found = target(page)
  await expect.poll(() => found.evaluate((element) => element === document.activeElement)).toBe(true)
  await found.and(page.locator(':visible')).waitFor()
})

test('the chip of an assumption links to its explanation', async ({ sandbox, page }) => {
  await sandbox.createLink()
  await page.goto(`${sandbox.url}/#/timeline`)
  await page.getByRole('row', { name: /createSplitLink/ }).click()
  await page.getByText(/\d assumptions/).click()
  await page.getByRole('link', { name: 'payId on the Sandbox screen' }).click()
  await expect.poll(() => focusedName(page)).toMatch(/^payId/)
})

const states: readonly [state: string, place: string, prepare: (page: Page) => Promise<unknown>][] = [
  ['filled', `/${shop.id}`, (page) => page.getByText('September 2026').first().waitFor()],
  [
    'edited and refused',
    `/${market.id}`,
    async (page) => {
      await field(page, 'Name').fill('')
      await button(page, 'Add a webhook URL').click()
      await button(page, 'Save').click()
      await page.getByText('It should not be empty.').waitFor()
      await page.getByText('It should be an absolute http').waitFor()
      await button(page, 'New account').click()
    },
  ],
  ['of production', `/${production.id}`, (page) => page.getByText('This is a production account.').waitFor()],
]

async function expectFitForEveryone(page: Page): Promise<void> {
  for (const width of WIDE_AND_NARROW) {
    await page.setViewportSize({ width, height: 844 })
    const overflow = await page.evaluate(() => {
      const main = document.querySelector('main')!
      return main.scrollWidth - main.clientWidth
    })
    expect(overflow).toBe(0)
  }
  expect(await problemsAt(WIDE_AND_NARROW, LIGHT_AND_DARK, page)).toEqual([])
}

test.for(states)(
  'an account %s is accessible in light and dark, wide and narrow',
  async ([_state, place, prepare], { sandbox }) => {
    const page = await openAccount(sandbox.url, place)
    await prepare(page)
    await expectFitForEveryone(page)
  },
)

test('an empty sandbox offers a new account, and is accessible', async ({ sandbox }) => {
  await sandbox.control('POST', '/reset', { to: 'empty' })
  const page = await openAccount(sandbox.url, '')
  await page.getByText('There are no accounts.').waitFor()
  await expectFitForEveryone(page)

  await button(page, 'New account').click()
  await button(page, 'Create account').click()
  await page.getByRole('heading', { name: 'Keys and tokens' }).waitFor()
  expect(page.problems).toEqual([])
})

test('the table of invoices has all of them', async ({ folder, page, inspector }) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  const seeded = (await sandbox.control('GET', `/invoices?account=${shop.id}`)).answer.invoices.length
  using other = Object.assign(new SQLite(db), { [Symbol.dispose]: () => other.close() })
  other.exec(`
    create temp table older as
      with recursive month(value) as (select 1 union all select value + 1 from month where value < 1000)
      select invoice.*, value from invoice, month where "sfId" = '501';
    update older set "sfId" = 1000 + value, "invoiceId" = printf('202507-sf-%010d', value),
      "serviceMonth" = strftime('%Y-%m', '2025-07-01', -value || ' months');
    alter table older drop column value;
    insert into invoice select * from older;
  `)

  await inspector.open(sandbox.url, `#/connect/accounts/${shop.id}`)

  const rows = page.getByRole('region', { name: 'Invoice table' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(seeded + 1_000)
  await rows.last().getByText('March 1942').waitFor()
})

test('accounts that cannot be loaded show an error, and can be loaded again', async ({ folder }) => {
  const db = join(folder.path, 'sandbox.db')
  await using sandbox = await openSandbox({ db })
  using other = Object.assign(new SQLite(db), { [Symbol.dispose]: () => other.close() })
  other.exec('alter table account rename to mislaid')

  const page = await openAccount(sandbox.url, '')
  await page.getByText('The accounts could not be loaded').waitFor()
  await expectFitForEveryone(page)

  other.exec('alter table mislaid rename to account')
  await button(page, 'Try again').click()
  await field(page, 'Name').waitFor()
})
