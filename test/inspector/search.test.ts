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

  // Only a body contains the text. A search without results proposes to search the bodies.
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

  // The webhook has a form as its body, and arrives while the search is open.
  await field.fill('body:"note]=Order 12" kind:webhook')
  await page.getByRole('heading', { name: /^No event contains/ }).waitFor()
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/links/1002/pay')
  await inspector.row(/webhook/).waitFor()
  await expect.poll(() => count.textContent()).toMatch(/^1 of /)

  await field.fill('body:nowhere')
  await page.getByText(/^Searched: the stored bodies of all events up to \d+, as sent and decoded/).waitFor()
  expect(page.problems).toEqual([])
  // This step is the last one, because the browser logs the status 400 as a problem of the page.
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

  // A payment that matches only because of its new webhook.
  await field.fill('body:"status]=Success"')
  await page.getByRole('heading', { name: /^No payment contains/ }).waitFor()
  await sandbox.control('POST', '/links/1002/pay')
  await inspector.row(/Order 13/).waitFor()
  expect(page.problems).toEqual([])
})

test('a search finds a whole number with the word before it, and marks both', async ({
  sandbox,
  page,
  inspector,
}) => {
  const target = { payment_endpoint: 'http://127.0.0.1:9/hooks' }
  await sandbox.createLink({ recipient_note: 'Order 12', ...target })
  await sandbox.createLink({ recipient_note: 'Order 127', amount: 12, ...target })
  await sandbox.createLink({ recipient_note: 'Order 3', amount: 12.5 })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/links/1002/pay')
  await inspector.open(sandbox.url, '#/timeline?q=order 12')

  // The call, the payment and the attempt of one webhook.
  await expect.poll(inspector.rowCount).toBe(3)
  expect(await page.locator('mark').allInnerTexts()).toContain('Order 12')
  const field = page.getByRole('combobox', { name: 'Filter events' })
  await field.fill('payment 1002')
  await expect.poll(inspector.rowCount).toBe(3)
  await field.fill('ordr 127')
  await page.getByText('Nothing contains “ordr 127”. These results contain “order 127”.').waitFor()
  await expect.poll(inspector.rowCount).toBe(3)
  await sandbox.createLink({ recipient_note: 'ordr 127' })
  await expect.poll(inspector.rowCount).toBe(1)
  await field.fill('note:12')
  await page.getByRole('option', { name: 'order:12' }).waitFor()

  await page.keyboard.press('Escape')
  await page.goto(`${sandbox.url}/#/payments?q=12`)
  // The note is proposed before the amount. The amount would be found only if no number were 12.
  await expect.poll(() => page.locator('.note-cell bdi').allInnerTexts()).toEqual(['Order 12'])
  await page.getByRole('combobox', { name: 'Filter payments' }).fill('€12')
  await expect.poll(() => page.locator('.note-cell bdi').allInnerTexts()).toEqual(['Order 127'])
  await page.getByRole('combobox', { name: 'Filter payments' }).fill('order')
  await expect.poll(() => page.locator('.note-cell bdi').count()).toBe(3)
  expect(page.problems).toEqual([])
})

test('a search for any word of a row finds the row', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({
    recipient_note: 'Order 7, roses for Jörg',
    amount: 1250.5,
    payment_endpoint: 'http://127.0.0.1:9/hooks',
  })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.createLink({ payment_endpoint: 'https://shop.example.com/hooks' })
  await sandbox.control('POST', '/links/1002/pay')
  await sandbox.call('createSplitLink', { amount: 0 })
  await inspector.open(sandbox.url)
  const field = page.getByRole('combobox', { name: /^Filter/ })

  for (const screen of ['timeline', 'payments']) {
    await page.goto(`${sandbox.url}/#/${screen}`)
    await page.getByRole('row').nth(1).waitFor()
    const texts = await page
      .locator('.rows [role=row]')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('[role=gridcell]:not(.age)')].map(
            (cell) => (cell as HTMLElement).innerText,
          ),
        ),
      )
    const words = new Set(texts.flat().flatMap((text) => text.split(/\s+(?!ms\b|s\b|min\b)/)))
    expect(words.size).toBeGreaterThan(15)
    for (const word of words) {
      await field.fill(word.startsWith('-') ? `"${word}"` : word)
      const shown = texts.filter((cells) =>
        cells.some((text) => text.split(/\s+(?!ms\b|s\b|min\b)/).includes(word)),
      )
      await expect
        .poll(inspector.rowCount, { message: `${word} on ${screen}` })
        .toBeGreaterThanOrEqual(shown.length)
    }
    await field.fill('')
  }
})
