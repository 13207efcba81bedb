import { expect } from 'vitest'
import { test } from '../support/test.ts'

test('a check is one row, which unfolds to its webhooks with request and response', async ({
  sandbox,
  receiver,
  page,
  inspector,
}) => {
  await sandbox.createLink({ recipient_note: 'Order 1' })
  await inspector.open(sandbox.url)
  await inspector.row(/createSplitLink/).waitFor()
  const rowsBefore = await inspector.rowCount()

  await sandbox.control('POST', '/checks/receiver', { url: receiver.url, only: ['json', 'empty-body'] })

  const check = inspector.row(/check – 3 sent .*check with 3 cases/)
  await check.waitFor()
  // Until the check deletes its account, the list also has the calls of that account.
  await inspector.row(/Account deleted/).waitFor()
  expect(await inspector.row(/\bcheck /).count()).toBe(1)

  await check.getByRole('button', { name: '3 webhooks of this check' }).click()
  await inspector.row(/check empty-body/).click()
  await inspector.details.getByRole('tab', { name: 'Response' }).click()
  await inspector.details.getByText('HTTP 200').waitFor()
  await inspector.details.getByRole('tab', { name: 'Request' }).click()
  await inspector.details.getByText(receiver.url).first().waitFor()

  await inspector.grid.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => inspector.row(/\bcheck /).count()).toBe(1)
  expect(await check.getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowRight')
  await inspector.row(/check empty-body/).waitFor()
  expect(await inspector.rowCount()).toBeGreaterThan(rowsBefore + 1)
})

test('a search finds a check by its cases, and lists its webhooks if asked', async ({
  sandbox,
  receiver,
  inspector,
}) => {
  await sandbox.control('POST', '/checks/receiver', { url: receiver.url, only: ['json', 'empty-body'] })

  await inspector.open(sandbox.url, '#/timeline?q=empty-body')
  await inspector.row(/check with 3 cases/).waitFor()
  await expect.poll(inspector.rowCount).toBe(1)

  await inspector.open(sandbox.url, '#/timeline?q=kind:check')
  await inspector.row(/check empty-body/).waitFor()
  await inspector.row(/check with 3 cases/).waitFor()
  await expect.poll(inspector.rowCount).toBe(3)
})
