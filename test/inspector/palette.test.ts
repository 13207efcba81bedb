import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, problemsAt, WIDE_AND_NARROW } from '../support/axe.ts'
import { test } from '../support/test.ts'

test('the palette pays the newest open link by keyboard', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'Order 7' })
  await inspector.open(sandbox.url)

  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Command' })
  await search.fill('pay 10')
  const pay = page.getByRole('option', { name: /^Pay 1001 by card Order 7/ })
  await pay.waitFor()
  // Tab chooses, too. It does not leave the field.
  await search.press('Tab')
  await expect.poll(() => pay.getAttribute('aria-selected')).toBe('false')
  await search.press('Shift+Tab')
  await expect.poll(() => pay.getAttribute('aria-selected')).toBe('true')
  await search.press('Enter')
  await inspector.row(/✓ paid Paid by card/).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(page.problems).toEqual([])
})

test('the palette finds payments by note and opens screens', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'Order 7, roses' })
  await inspector.open(sandbox.url)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('roses')
  await page.getByRole('group', { name: 'Payments' }).getByRole('option').click()
  await expect.poll(() => new URL(page.url()).hash).toBe('#/payments/1001')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('nothing like this')
  await page.getByText('No command contains').waitFor()
  await page.keyboard.press('Escape')
  // The focus is still in the palette.
  await page.keyboard.press('2')
  await expect.poll(() => new URL(page.url()).hash).toBe('#/timeline')
})

test('the palette is accessible in all colours, wide and narrow', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ recipient_note: 'Order 7' })
  await inspector.open(sandbox.url)
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  expect(await problemsAt(WIDE_AND_NARROW, LIGHT_DARK_AND_FORCED, page)).toEqual([])
  await page.keyboard.type('nothing like this')
  await page.getByText('No command contains').waitFor()
  expect(await problemsAt(WIDE_AND_NARROW, LIGHT_DARK_AND_FORCED, page)).toEqual([])
})
