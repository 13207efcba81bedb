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
    response.setHeader('date', new Date(isDown ? 0 : 1_000).toUTCString())
    response.writeHead(isDown ? 500 : 200, { 'content-type': 'text/plain' }).end(isDown ? 'down' : 'fine')
  })
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', '/links/1001/pay')
  isDown = false
  const { answer } = await sandbox.control('POST', '/deliveries/1/replay', {})
  await sandbox.control('POST', '/deliveries/1/replay', { body: 'other=bytes' })
  await inspector.open(sandbox.url)
  await inspector
    .row(/replay of delivery 1/)
    .first()
    .click()
  await inspector.details.getByRole('tab', { name: 'Overview' }).waitFor()
  await page.keyboard.press('d')

  await page.getByRole('heading', { name: 'Compare' }).waitFor()
  await page.getByText('Sent: identical. The answer changed from 500 to 200.').waitFor()
  await page.getByText(/^\d consequences?: .*date received/).waitFor()
  await page.getByRole('region', { name: 'Result' }).getByText('500').waitFor()
  await page.getByRole('region', { name: 'Response' }).getByText('fine').waitFor()
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

  // The other attempt replaces one side of the comparison.
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

  // Columns show the side to the eye. Below each other, its word does.
  const side = page.getByText('before:', { exact: true }).first()
  const widthAt = async (width: number) => {
    await page.setViewportSize({ width, height: 900 })
    return (await side.boundingBox())!.width
  }
  await expect.poll(() => widthAt(1200)).toBe(1)
  await expect.poll(() => widthAt(390)).toBeGreaterThan(30)
})

test('the first attempt is compared with the next attempt, or with the previous webhook', async ({
  sandbox,
  page,
  inspector,
}) => {
  let answers = 0
  await using receiver = await startReceiver((_received, response) => {
    answers += 1
    response.writeHead(answers === 2 ? 503 : 200).end()
  })
  await sandbox.control('PATCH', '/behaviors', { retries: '30s' })
  for (const recipient_note of ['Order 1', 'Order 2']) {
    await sandbox.createLink({ recipient_note, payment_endpoint: receiver.url })
  }
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/links/1002/pay', { wait: 'accepted' })
  await receiver.count(2)
  await sandbox.control('POST', '/clock/advance', { minutes: 1 })
  await sandbox.settled()
  await inspector.open(sandbox.url)

  await inspector.row(/503/).click()
  await inspector.details.getByText('Both sent the same bytes.').waitFor()
  await page.keyboard.press('d')
  await page.getByText('Sent: identical. The answer changed from 503 to 200.').waitFor()

  await page.keyboard.press('Escape')
  await inspector.details.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Compare with attempt 2' }).waitFor()
  await page.keyboard.press('Escape')

  await inspector.row(/webhook.*200.*1001/).click()
  await page.keyboard.press('d')
  await page.getByText(/^Sent: data\[pay_id\] and data\[note\] differ\. The answer changed/).waitFor()
})

test('a call is compared with the previous call', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'one' })
  await sandbox.createLink({ recipient_note: 'other' })
  await inspector.open(sandbox.url)
  await inspector.row(/createSplitLink.*other/).click()
  await inspector.details.getByRole('tab', { name: 'Request' }).waitFor()
  await page.keyboard.press('d')
  await page.getByText(/^Sent: recipient_note changed from one to other\./).waitFor()
})
