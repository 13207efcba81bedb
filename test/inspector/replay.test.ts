import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, problemsAt, violationsIn } from '../support/axe.ts'
import { inspectorOn } from '../support/inspector.ts'
import { startReceiver } from '../support/receiver.ts'
import type { OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const editor = (page: Page) => page.getByRole('region', { name: 'Edit and replay' })
const field = (page: Page, name: string) => editor(page).getByRole('textbox', { name, exact: true })
const status = (page: Page) => editor(page).getByRole('combobox', { name: 'data[status]' })
const preset = (page: Page, name: string) => editor(page).getByRole('button', { name, exact: true })
const send = (page: Page) => editor(page).getByRole('button', { name: /^Send/ })
const answer = (page: Page) => editor(page).getByRole('region', { name: 'Response' })

/** Opens the editor of the webhook of a new payment, by keyboard. */
async function openEditor(sandbox: OpenSandbox, page: Page, url?: string): Promise<void> {
  await sandbox.createLink({ recipient_note: 'Order 7', ...(url !== undefined && { payment_endpoint: url }) })
  await sandbox.control('POST', '/links/1001/pay')
  const inspector = inspectorOn(page)
  await inspector.open(sandbox.url)
  await inspector.row(/status: Success/).click()
  await inspector.details.getByRole('tab', { name: 'Overview' }).waitFor()
  await page.keyboard.press('e')
  await send(page).waitFor()
}

test('fields and bytes change together, the difference is shown, and the answer appears below', async ({
  receiver,
  sandbox,
  page,
}) => {
  await openEditor(sandbox, page, receiver.url)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.id))
    .toBe(await field(page, 'data[amount]').getAttribute('id'))
  await editor(page).getByText('The same bytes are sent again.').waitFor()

  // A malformed value is marked, and is sent anyway.
  await field(page, 'data[pay_id]').fill('1001x')
  await editor(page).getByText('Not a whole number. Sent as it is.').waitFor()
  await preset(page, 'Other amount').click()
  await expect.poll(() => field(page, 'data[amount]').inputValue()).toBe('0.01')
  await editor(page).getByText('data[amount]=0.01').waitFor()
  await editor(page).getByText('2 changes').waitFor()
  await editor(page).getByText('Bytes', { exact: true }).click()
  const bytes = editor(page).getByRole('textbox', { name: /^Body/ })
  await expect.poll(() => bytes.inputValue()).toContain('data%5Bpay_id%5D=1001x')
  await bytes.fill((await bytes.inputValue()).replace('Order+7', 'Order+8'))
  await editor(page).getByText('Fields', { exact: true }).click()
  await expect.poll(() => field(page, 'data[note]').inputValue()).toBe('Order 8')
  await editor(page).getByRole('button', { name: 'Restore data[pay_id]' }).click()
  await editor(page).getByText('Not a whole number.').waitFor({ state: 'detached' })

  await field(page, 'data[amount]').press('Control+Enter')
  await receiver.count(2)
  expect(receiver.received[1]!.body).toBe(
    receiver.received[0]!.body.replace('=100&', '=0.01&').replace('Order+7', 'Order+8'),
  )
  await answer(page).getByText('200').first().waitFor()
  await answer(page).getByText('Your app answered 200 to €0.01 for an order of €100.00.').waitFor()
  expect(await problemsAt([1440, 860, 390], LIGHT_DARK_AND_FORCED, page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })

  // The draft is kept when the editor is closed, and the next send replaces the shown answer.
  await page.keyboard.press('Escape')
  await editor(page).waitFor({ state: 'detached' })
  await page.keyboard.press('e')
  await expect.poll(() => field(page, 'data[note]').inputValue()).toBe('Order 8')
  await editor(page).getByRole('button', { name: 'Undo all' }).click()
  await preset(page, 'Cancel').click()
  await expect.poll(() => status(page).inputValue()).toBe('cancel')
  await preset(page, 'Twice').click()
  await send(page).click()
  await receiver.count(4)
  expect(receiver.received[3]!.body).toBe(receiver.received[0]!.body.replace('=Success', '=cancel'))
  expect(receiver.received[2]!.body).toBe(receiver.received[3]!.body)
  await answer(page).getByRole('link', { name: /Event/ }).nth(1).waitFor()
  await answer(page).getByText('Your app accepted both.').waitFor()
  await answer(page).getByText('Your app answered').waitFor({ state: 'detached' })

  await answer(page).getByRole('link', { name: 'Compare with attempt 1' }).last().click()
  await page.getByRole('region', { name: 'Fields sent' }).getByText('data[status]').waitFor()
  await page.keyboard.press('Escape')
  await send(page).waitFor()
  expect(page.problems).toEqual([])
})

test.for([
  ['JSON', 'json', '{"data": oops', 'This is not JSON. It is sent anyway.'],
  ['form', 'form', 'other=bytes', 'other=bytes'],
] as const)(
  'the editor of a webhook accepts any bytes instead of %s',
  async ([_name, encoding, changed, shown], { sandbox, page }) => {
    await using receiver = await startReceiver()
    await sandbox.control('PATCH', '/behaviors', { webhookEncoding: encoding })
    await openEditor(sandbox, page, receiver.url)
    await field(page, 'data[amount]').fill('12,5')
    await editor(page)
      .getByText(encoding === 'json' ? 'data[amount]="12,5"' : 'data[amount]=12,5')
      .waitFor()
    await editor(page)
      .getByText(`Not a number. Sent as ${encoding === 'json' ? 'a string' : 'it is'}.`)
      .waitFor()
    await editor(page).getByText('Bytes', { exact: true }).click()
    await editor(page).getByRole('textbox', { name: /^Body/ }).fill(changed)
    await editor(page).getByText(shown).first().waitFor()
    if (encoding === 'json') {
      await editor(page).getByText('Fields', { exact: true }).click()
      await editor(page).getByText('The bytes are not JSON, so they have no fields.').waitFor()
      expect(await preset(page, 'Other amount').isDisabled()).toBe(true)
    }
    await send(page).click()
    await receiver.count(2)
    expect(receiver.received[1]!.body).toBe(changed)
  },
)

test('the editor keeps its input if an address is rejected, and announces the result after it was closed', async ({
  receiver,
  sandbox,
  page,
}) => {
  await openEditor(sandbox, page)
  await field(page, 'To').fill('nowhere')
  await field(page, 'data[note]').fill('changed')
  await send(page).click()
  await editor(page)
    .getByText(/should be an absolute http or https URL/)
    .waitFor()
  expect(await field(page, 'data[note]').inputValue()).toBe('changed')

  let answerLate = (): void => {}
  await using slow = await startReceiver(async (_received, response) => {
    await new Promise<void>((resolve) => (answerLate = resolve))
    response.writeHead(500).end('late')
  })
  await field(page, 'To').fill(slow.url)
  await send(page).click()
  await answer(page).getByText('Waiting for the response').waitFor()
  expect(await send(page).isDisabled()).toBe(true)
  await slow.count(1)
  await field(page, 'To').press('Escape')
  await editor(page).waitFor({ state: 'detached' })
  answerLate()
  await page.locator('.toast', { hasText: 'Delivery 2: your app answered 500' }).waitFor()

  // A replay without changes also shows its result.
  await sandbox.control('POST', '/deliveries/1/replay', { to: receiver.url })
  await page.goto(`${sandbox.url}/#/timeline?q=replay of delivery 1`)
  await page.getByRole('row', { name: /✓ 200/ }).click()
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await page.locator('.toast', { hasText: 'Delivery 4: your app answered 200' }).waitFor()
})

test('an editor does not apply to another delivery with the same number after a reset', async ({
  sandbox,
  page,
}) => {
  await openEditor(sandbox, page)
  await field(page, 'data[note]').fill('changed')
  await sandbox.control('POST', '/reset')
  await expect.poll(() => editor(page).count()).toBe(0)
  await sandbox.createLink({ recipient_note: 'Order 7' })
  await sandbox.control('POST', '/links/1001/pay')
  await page.getByRole('row', { name: /webhook/ }).click()
  await page.keyboard.press('e')
  await expect.poll(() => field(page, 'data[note]').inputValue()).toBe('Order 7')
})

test('a webhook is sent with the fields that were removed, restored and added by keyboard', async ({
  receiver,
  sandbox,
  page,
}) => {
  await openEditor(sandbox, page, receiver.url)
  await editor(page).getByRole('button', { name: 'Remove data[note]' }).press('Enter')
  await editor(page).getByText('removed', { exact: true }).waitFor()
  await editor(page).getByRole('button', { name: 'Remove data[user_id]' }).click()
  await editor(page).getByRole('button', { name: 'Restore data[user_id]' }).click()
  await editor(page).getByText('1 change', { exact: true }).waitFor()

  await editor(page).getByRole('button', { name: 'Add a field' }).press('Enter')
  await page.keyboard.type('data[vat]')
  await page.keyboard.press('Enter')
  await field(page, 'data[vat]').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.id))
    .toBe(await field(page, 'data[vat]').getAttribute('id'))
  await page.keyboard.type('19')
  expect(await violationsIn(LIGHT_DARK_AND_FORCED, page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await receiver.count(2)
  expect(receiver.received[1]!.body).toBe(
    `${receiver.received[0]!.body.replace(/&data%5Bnote%5D=[^&]*/, '')}&data%5Bvat%5D=19`,
  )
  expect(page.problems).toEqual([])
})

test('a failed webhook can be edited and sent again, and then shows that the app has it', async ({
  sandbox,
  page,
  inspector,
}) => {
  let answered = 500
  await using receiver = await startReceiver((_received, response) => response.writeHead(answered).end())
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', '/links/1001/pay')
  await inspector.open(sandbox.url, '#/payments/1001')
  await page.getByRole('button', { name: 'Edit and replay' }).click()
  await send(page).waitFor()
  await editor(page).getByRole('button', { name: 'Close' }).click()
  await inspector.details.getByText('Your app does not know about this payment.').waitFor()

  answered = 200
  await page.keyboard.press('r')
  await receiver.count(2)
  await inspector.details.getByText('Your app got this webhook later, in event').waitFor()
  expect(await page.getByText('Your app does not know about this payment.').count()).toBe(0)
  expect(page.problems).toEqual([])
})
