import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { openPage } from '../support/browser.ts'
import { inspectorOn } from '../support/inspector.ts'
import { test } from '../support/test.ts'

/**
 * Translates a page as Chrome does, to capital letters: each text becomes two `font` elements, even when it is new or has
 * changed.
 */
const translate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const font = () => document.createElement('font')
    function translateText(text: Text): void {
      const parent = text.parentElement
      if (!parent || text.data.trim() === '') return
      if (parent.closest('font, script, style, textarea, [translate="no"]')) return
      const outer = font()
      outer.append(font())
      outer.firstElementChild!.textContent = text.data.toUpperCase()
      parent.insertBefore(outer, text)
      text.remove()
    }
    function translateAll(root: Node): void {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      if (root instanceof Text) texts.push(root)
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      for (const text of texts) translateText(text)
    }
    translateAll(document.body)
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'characterData') translateAll(target)
        for (const node of addedNodes) translateAll(node)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })

const SCREENS = [
  'overview',
  'timeline',
  'payments',
  'review',
  'faults',
  'maps',
  'sandbox',
  'account',
  'timeline',
]

test('an inspector that the browser translates keeps showing every change', async ({
  sandbox,
  page: translated,
}) => {
  await using plain = await openPage()
  const link = await sandbox.createLink({ amount: 5, recipient_note: 'Order 7: tulips' })
  for (const page of [plain, translated]) await inspectorOn(page).open(sandbox.url)
  await translate(translated)
  await translated.getByText('LIVE', { exact: true }).waitFor()
  expect(await translated.locator('body').innerText()).toContain('Order 7: tulips')

  const shown = (page: Page): Promise<string> =>
    page.evaluate(() =>
      document.body.innerText
        .toUpperCase()
        // The two pages are rendered one after the other, so their times and ages differ.
        .replaceAll(/\d\d:\d\d:\d\d|\d+ (?:MS|S|MIN)\b/g, '')
        // A flex container shows no space between a text and an element, but shows one between two elements.
        .replaceAll(/\s+/g, ''),
    )
  const expectSame = () =>
    expect.poll(async () => (await shown(translated)) === (await shown(plain))).toBe(true)
  await expectSame()
  await sandbox.control('POST', `/links/${link.id}/pay`)
  await expectSame()
  for (const screen of SCREENS) {
    for (const page of [plain, translated]) await page.goto(`${sandbox.url}/#/${screen}`)
    await expectSame()
    await sandbox.createLink({ amount: 6, recipient_note: `On ${screen}` })
    await expectSame()
  }
  for (const search of ['tulips', 'nothing like this']) {
    for (const page of [plain, translated]) await page.getByRole('combobox').fill(search)
    await expectSame()
  }
  for (const page of [plain, translated]) await page.getByRole('combobox').fill('')
  await expectSame()
  await sandbox.control('POST', '/reset')
  await expectSame()
  expect([...translated.problems, ...plain.problems]).toEqual([])
})
