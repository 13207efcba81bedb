import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, violationsIn } from '../support/axe.ts'
import { inspectorOn } from '../support/inspector.ts'
import { test } from '../support/test.ts'

test('a search can be saved under a name, used again, and removed', async ({ sandbox, page, inspector }) => {
  await sandbox.call('createSplitLink', { amount: 0 })
  await inspector.open(sandbox.url, '#/timeline?q=is:failed')
  const saving = page.getByRole('button', { name: 'Save this search' })
  await saving.click()
  await page.getByLabel('Name').fill('My failures')
  expect(await violationsIn(LIGHT_DARK_AND_FORCED, page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => saving.getAttribute('aria-pressed')).toBe('true')

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

  await tab.getByRole('button', { name: 'Save this search' }).click()
  await tab.getByRole('combobox', { name: 'Filter events' }).fill('')
  await tab.getByRole('option', { name: 'kind:' }).waitFor()
  expect(await tab.getByRole('option', { name: 'My failures' }).count()).toBe(0)
  expect(page.problems).toEqual([])
})

test('a broken list of saved searches is ignored', async ({ sandbox, page, inspector }) => {
  const unknownScreen = JSON.stringify([{ name: 'Unknown', screen: 'none', query: 'x' }])
  for (const broken of ['{', '{"a":1}', '[null, 1, {"name": "x"}]', unknownScreen]) {
    await inspector.open(sandbox.url, '#/timeline')
    await page.evaluate((text) => localStorage.setItem('inspector.searches', text), broken)
    await page.reload()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('option', { name: 'kind:' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('unknown')
    await page.getByRole('group', { name: 'Guides' }).waitFor()
    expect(await page.getByRole('group', { name: 'Go to' }).count()).toBe(0)
  }
  expect(page.problems).toEqual([])
})

test('two tabs save searches without losing one, and each name is taken once', async ({
  sandbox,
  page,
  inspector,
}) => {
  const save = async (tab: Page, query: string, name: string) => {
    await tab.getByRole('combobox', { name: 'Filter events' }).fill(query)
    await tab.getByRole('button', { name: 'Save this search' }).click()
    await tab.getByLabel('Name').fill(name)
    await tab.keyboard.press('Enter')
  }
  await inspector.open(sandbox.url, '#/timeline')
  const tab = await page.context().newPage()
  await inspectorOn(tab).open(sandbox.url, '#/timeline')
  await save(page, 'is:failed', 'First')
  await save(tab, 'kind:api', 'Second')
  await tab.getByRole('dialog').waitFor({ state: 'hidden' })

  // The name of a term is allowed. It does not hide the term.
  await save(page, 'order 7', 'Second')
  await page.getByText('Another saved search has this name.').waitFor()
  await page.getByLabel('Name').fill('kind:')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  await tab.getByRole('combobox', { name: 'Filter events' }).fill('')
  const options = tab.getByRole('option')
  await options.filter({ hasText: 'order 7' }).waitFor()
  expect((await options.allTextContents()).slice(0, 3)).toEqual([
    'kind: order 7',
    'Second kind:api',
    'First is:failed',
  ])
})
