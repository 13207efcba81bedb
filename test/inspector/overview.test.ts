import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, problemsAt } from '../support/axe.ts'
import type { OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

async function run(sandbox: OpenSandbox): Promise<void> {
  await sandbox.createLink({ recipient_note: 'Order 7', payment_endpoint: 'http://127.0.0.1:9/closed' })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.createLink({ payment_endpoint: 'https://shop.example.com/hooks' })
  await sandbox.control('POST', '/links/1002/pay')
  await sandbox.call('createSplitLink', { amount: 0 })
}

test('each figure of the overview leads to its events', async ({ sandbox, page, inspector }) => {
  await run(sandbox)
  await inspector.open(sandbox.url, '#/overview')

  await page
    .getByRole('main')
    .getByRole('link', { name: /^Payments 2/ })
    .waitFor()
  await page.getByRole('link', { name: /^Held 1 shop\.example\.com/ }).waitFor()
  await page.getByRole('link', { name: /^Refused calls 1 of 3 calls/ }).waitFor()
  await page.getByRole('region', { name: 'Receivers' }).getByText('no answer').waitFor()
  await page.getByRole('link', { name: /^Failed attempts 1/ }).click()
  await inspector.row(/Nothing listens on 127\.0\.0\.1:9/).waitFor()
  expect(await page.getByRole('combobox').inputValue()).toBe('kind:webhook is:failed,retried')

  await page.goBack()
  await page
    .getByRole('region', { name: 'Findings by cause' })
    .getByRole('link', { name: '1 event' })
    .first()
    .click()
  await expect.poll(inspector.rowCount).toBe(1)
  expect(page.problems).toEqual([])
})

test('the overview is accessible in all colours and widths', async ({ sandbox, page, inspector }) => {
  await run(sandbox)
  await inspector.open(sandbox.url, '#/overview')
  await page.getByRole('heading', { name: 'Findings by cause' }).waitFor()
  expect(await problemsAt([1440, 860, 390], LIGHT_DARK_AND_FORCED, page)).toEqual([])
})
