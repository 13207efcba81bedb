import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, problemsAt, WIDE_AND_NARROW } from '../support/axe.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

test('a replay is compared with its original by key, and the page is accessible', async ({
  sandbox,
  page,
  inspector,
}) => {
  let isDown = true
  await using receiver = await startReceiver((_received, response) => {
    response.writeHead(isDown ? 500 : 200, { 'content-type': 'text/plain' }).end(isDown ? 'down' : 'fine')
  })
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', '/links/1001/pay')
  isDown = false
  const { answer } = await sandbox.control<{ id: number }>('POST', '/deliveries/1/replay', {})
  await sandbox.control('POST', '/deliveries/1/replay', { body: 'other=bytes' })
  await inspector.open(sandbox.url)
  await inspector
    .row(/replay of delivery 1/)
    .first()
    .click()
  await inspector.details.getByRole('tab', { name: 'Overview' }).waitFor()
  await page.keyboard.press('d')

  await page.getByRole('heading', { name: 'Compare' }).waitFor()
  await page.getByRole('region', { name: 'Result' }).getByText('500').waitFor()
  await page.getByRole('region', { name: 'Answer' }).getByText('fine').waitFor()
  await page
    .getByRole('region', { name: 'Fields sent' })
    .getByText(/equal fields: .*data\[amount\]/)
    .waitFor()
  expect(page.url()).toMatch(/with=\d+/)
  for (const layout of ['Decoded', 'Raw']) {
    await page.getByText(layout, { exact: true }).click()
    expect(await problemsAt(WIDE_AND_NARROW, LIGHT_DARK_AND_FORCED, page)).toEqual([])
  }
  const lines = (kind: 'deletion' | 'insertion') => page.getByRole(kind).allTextContents()
  expect(await lines('deletion')).toEqual(expect.arrayContaining(['−HTTP 500', '−down']))
  expect(await lines('insertion')).toEqual(expect.arrayContaining(['+HTTP 200', '+fine']))

  // Another attempt takes the place of one side.
  const address = page.url()
  await page.getByRole('button', { name: 'Change the later event' }).click()
  await page.getByRole('link', { name: /✓ 200.*1001 replay of delivery 1/ }).click()
  await page.getByRole('insertion').getByText('other=bytes').waitFor()
  expect(page.url()).not.toBe(address)
  await page.getByText('Decoded', { exact: true }).click()
  await page.getByRole('region', { name: 'Fields sent' }).getByText('before: 1001').waitFor()

  await page.getByRole('link', { name: 'Timeline' }).last().click()
  await inspector.details.getByRole('tab', { name: 'Overview' }).waitFor()
  expect(answer.id).toBe(2)

  // Only JSON and forms can be shown formatted.
  const pretty = page.getByRole('checkbox', { name: 'Pretty' })
  await inspector.details.getByRole('tab', { name: 'Request' }).click()
  await expect.poll(() => pretty.isChecked()).toBe(true)
  await inspector.details.getByRole('tab', { name: 'Response' }).click()
  await expect.poll(() => pretty.isDisabled()).toBe(true)
  expect(await pretty.isChecked()).toBe(false)
})

test('two rows are compared by a click with Shift', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'one' })
  await sandbox.createLink({ recipient_note: 'other' })
  await inspector.open(sandbox.url)
  await inspector.row(/createSplitLink.*one/).click()
  await inspector.row(/createSplitLink.*other/).click({ modifiers: ['Shift'] })
  await page.getByRole('region', { name: 'Fields sent' }).getByText('recipient_note').waitFor()
  await page.getByText('before: one').waitFor()
})
