import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, violationsIn } from '../support/axe.ts'
import { test } from '../support/test.ts'

test('a search can be kept under a name, used again, and forgotten', async ({ sandbox, page, inspector }) => {
  await sandbox.call('createSplitLink', { amount: 0 })
  await inspector.open(sandbox.url, '#/timeline?q=is:failed')
  const keep = page.getByRole('button', { name: 'Keep this search' })
  await keep.click()
  await page.getByLabel('Name').fill('My failures')
  expect(await violationsIn(LIGHT_DARK_AND_FORCED, page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => keep.getAttribute('aria-pressed')).toBe('true')

  // A new tab of the same browser lists it in both places.
  const tab = await page.context().newPage()
  await tab.goto(sandbox.url)
  await tab.getByText('Live', { exact: true }).waitFor()
  await tab.keyboard.press('/')
  await tab.getByRole('option', { name: 'My failures is:failed' }).waitFor()
  await tab.keyboard.press('ArrowDown')
  await tab.keyboard.press('Enter')
  await tab.getByText(/^1 of \d+$/).waitFor()
  await tab.getByRole('combobox', { name: 'Filter events' }).fill('')
  await tab.keyboard.press('Control+k')
  await tab.keyboard.type('my fail')
  await tab.keyboard.press('Enter')
  await expect.poll(() => new URL(tab.url()).hash).toBe('#/timeline?q=is:failed')

  await tab.getByRole('button', { name: 'Keep this search' }).click()
  await tab.getByRole('combobox', { name: 'Filter events' }).fill('')
  await tab.getByRole('option', { name: 'kind:' }).waitFor()
  expect(await tab.getByRole('option', { name: 'My failures' }).count()).toBe(0)
  expect(page.problems).toEqual([])
})

test('a broken list of saved searches is ignored', async ({ sandbox, page, inspector }) => {
  for (const broken of ['{', '{"a":1}', '[null, 1, {"name": "x"}]']) {
    await page.goto(sandbox.url)
    await page.evaluate((text) => localStorage.setItem('inspector.searches', text), broken)
    await inspector.open(sandbox.url, '#/timeline')
    await page.keyboard.press('/')
    await page.getByRole('option', { name: 'kind:' }).waitFor()
  }
  expect(page.problems).toEqual([])
})
