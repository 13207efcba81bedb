import { expect } from 'vitest'
import { test } from '../support/test.ts'

test('a search in the bodies asks the server, follows new events, and says what it searched', async ({
  sandbox,
  page,
  inspector,
}) => {
  const endpoint = { payment_endpoint: `${sandbox.url}/tunnel/inbox` }
  await sandbox.createLink({
    recipient_note: 'Order 12',
    bank_statement_description: 'Blumen für Jörg',
    ...endpoint,
  })
  await sandbox.createLink({ recipient_note: 'Order 13', ...endpoint })
  await inspector.open(sandbox.url)
  const field = page.getByRole('combobox', { name: 'Filter events' })
  const count = page.locator('output.count')

  // The description is only in a body. The search without results proposes to look there.
  await field.fill('FÜR jörg')
  await page.getByText(/^Searched: the address, message, status, note/).waitFor()
  const proposal = page.getByRole('button', {
    name: 'body:"FÜR jörg" in the bodies of requests and responses',
  })
  expect(await proposal.textContent()).toContain('asks the server')
  await field.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('body:"FÜR jörg"')
  await expect.poll(() => count.textContent()).toMatch(/^1 of /)
  await inspector.row(/createSplitLink/).waitFor()

  // The webhook is a form. It arrives while the search stays open.
  await field.fill('body:"note]=Order 12" kind:webhook')
  await page.getByRole('heading', { name: /^No event contains/ }).waitFor()
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/links/1002/pay')
  await inspector.row(/webhook/).waitFor()
  await expect.poll(() => count.textContent()).toMatch(/^1 of /)

  await field.fill('body:nowhere')
  await page.getByText(/^Searched: the stored bodies of all events up to \d+, as sent and decoded/).waitFor()
  expect(page.problems).toEqual([])
  // Comes last: the browser logs the status 400, which counts as a problem of the page.
  await field.fill(`body:${'x'.repeat(201)}`)
  await page.getByText(/^Bodies could not be searched for .*at most 200 characters/).waitFor()
})

test('a search in the bodies finds payments', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'Order 12', bank_statement_description: 'Blumen für Jörg' })
  await sandbox.createLink({ recipient_note: 'Order 13' })
  await inspector.open(sandbox.url, '#/payments')
  await inspector.row(/Order 13/).waitFor()
  const field = page.getByRole('combobox', { name: 'Filter payments' })

  await field.fill('body:"für jörg" status:unused')
  await inspector.row(/Order 13/).waitFor({ state: 'detached' })
  await inspector.row(/Order 12/).waitFor()
  await expect.poll(() => page.locator('output.count').textContent()).toBe('1 of 2')

  // A payment that matches only now, by its new webhook.
  await field.fill('body:"status]=Success"')
  await page.getByRole('heading', { name: /^No payment contains/ }).waitFor()
  await sandbox.control('POST', '/links/1002/pay')
  await inspector.row(/Order 13/).waitFor()
  expect(page.problems).toEqual([])
})
