import { expect } from 'vitest'
import { test } from '../support/test.ts'

test('a key opens the form for a new link on any screen, and Escape returns to the selected event', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.createLink()
  await inspector.open(sandbox.url, '#/timeline?q=kind:api')
  await inspector.row(/createSplitLink/).click()
  await inspector.details.getByRole('tab', { name: 'Overview' }).waitFor()
  const { hash } = new URL(page.url())

  await page.keyboard.press('n')
  await page.getByRole('dialog', { name: 'New link' }).getByRole('button', { name: 'Create link' }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(new URL(page.url()).hash).toBe(hash)
  await page.getByRole('navigation').getByRole('link', { name: 'Sandbox' }).click()
  await page.keyboard.press('n')
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect.poll(() => new URL(page.url()).hash).toBe('#/payments/1002')
  expect(page.problems).toEqual([])
})

test('the key g makes the timeline follow the newest event again', async ({ sandbox, page, inspector }) => {
  for (let count = 0; count < 60; count++) await sandbox.createLink()
  await inspector.open(sandbox.url, '#/timeline')
  await page.keyboard.press('k')
  await page.getByRole('combobox', { name: 'Filter events' }).fill('payment:1003')
  await page.keyboard.press('Enter')
  await page.keyboard.press('2')
  await expect.poll(inspector.rowCount).toBe(61)
  await expect.poll(inspector.isAtEnd).toBe(true)

  await sandbox.createLink()

  await expect.poll(inspector.rowCount).toBe(62)
  await expect.poll(inspector.isAtEnd).toBe(true)
})

test('removing all faults asks first, and names them', async ({ sandbox, page, inspector }) => {
  await sandbox.control('POST', '/faults', { on: 'webhook', script: '503' })
  await sandbox.control('POST', '/faults', { on: 'webhook', script: 'duplicate:2' })
  await inspector.open(sandbox.url, '#/test/faults')

  await page.getByRole('button', { name: 'Remove all…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove 2 faults?' })
  await dialog.getByText('Fail with HTTP 503; Send 2 more times').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await sandbox.control('GET', '/faults')).answer['faults']).toHaveLength(2)

  await page.getByRole('button', { name: 'Remove all…' }).click()
  await dialog.getByRole('button', { name: 'Remove all' }).click()
  await page.getByText('No faults.').waitFor()
  expect(page.problems).toEqual([])
})

test('typing in the editor of a webhook replaces the value, and the button says what it sends', async ({
  receiver,
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.createLink({ amount: 21, payment_endpoint: receiver.url })
  await sandbox.control('POST', '/links/1001/pay')
  await inspector.open(sandbox.url)
  await inspector.row(/webhook/).click()
  await inspector.details.getByRole('tab', { name: 'Overview' }).waitFor()
  await page.keyboard.press('e')
  const editor = page.getByRole('region', { name: 'Edit and replay' })
  const amount = editor.getByRole('textbox', { name: 'data[amount]', exact: true })
  await editor.getByRole('button', { name: 'Send the stored bytes' }).waitFor()
  await expect.poll(() => amount.evaluate((field) => field === document.activeElement)).toBe(true)

  await page.keyboard.type('100')

  expect(await amount.inputValue()).toBe('100')
  await editor.getByRole('button', { name: 'Send the changed webhook' }).waitFor()
  // A reset deletes data that the page may be loading, so the page may get a 404.
  expect(page.problems).toEqual([])
  await sandbox.control('POST', '/reset', {})
  await page
    .getByText('The sandbox was reset or restored. Your unsent changes of a webhook are gone.')
    .waitFor()
})

test.for<[what: string, hash: string, left: string]>([
  ['payment', '#/payments/1001', '#/payments'],
  ['event', '#/timeline/1?q=kind:api&with=2', '#/timeline?q=kind:api'],
])(
  'a reset from elsewhere closes the open %s, and announces it',
  async ([what, hash, left], { sandbox, page, inspector }) => {
    await sandbox.createLink()
    await inspector.open(sandbox.url, hash)
    await page
      .getByRole('heading', { name: what === 'payment' ? '€100.00' : 'Compare' })
      .first()
      .waitFor()

    await sandbox.control('POST', '/reset', {})

    await page.getByText(`The sandbox was reset or restored. The ${what} that was open is gone.`).waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe(left)
  },
)
