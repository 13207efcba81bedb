import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_AND_DARK, problemsAt, WIDE_AND_NARROW } from '../support/axe.ts'
import { test } from '../support/test.ts'

const waitUntilLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

test('the timeline and a webhook are accessible in light and dark, wide and narrow', async ({
  sandbox,
  page,
}) => {
  await sandbox.createLink({ recipient_note: 'Order 7', callback_url: 'http://localhost:3000/thanks' })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.call('createSplitLink', { amount: 1 })
  const calls = page.getByRole('row', { name: /createSplitLink/ })
  const tab = page.getByRole('tab', { name: 'Overview' })

  for (const [hash, seen] of [
    ['#/timeline', calls.first()],
    ['#/timeline/7', tab],
  ] as const) {
    await page.goto(`${sandbox.url}/${hash}`)
    await seen.waitFor()
    expect(await problemsAt(WIDE_AND_NARROW, LIGHT_AND_DARK, page)).toEqual([])
  }
  expect(page.problems).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'the command of the empty timeline creates its first row',
  async ({ sandbox, page }) => {
    await page.goto(sandbox.url)
    await waitUntilLive(page)

    const command = await page.locator('pre', { hasText: 'curl' }).first().textContent()
    const { stdout } = await promisify(execFile)('sh', ['-c', command!])
    expect(JSON.parse(stdout)).toMatchObject({ ResponseCode: 1 })
    await page.getByRole('row', { name: /createSplitLink/ }).waitFor()
  },
)

test('HTML in a note is shown as text', async ({ sandbox, page }) => {
  const note = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>'
  await sandbox.createLink({ recipient_note: note })
  await page.goto(`${sandbox.url}/#/payments/1001`)
  await page.getByText(note).first().waitFor()
  expect(await page.locator('img[src=x]').count()).toBe(0)
  expect(page.problems).toEqual([])
})
