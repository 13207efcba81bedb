import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { openPage } from '../support/browser.ts'
import { inspectorOn } from '../support/inspector.ts'
import { test } from '../support/test.ts'

test.skipIf(process.platform === 'win32')(
  'a newcomer who follows the empty timeline sees a webhook and replays it',
  async ({ sandbox }) => {
    const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
    const inspector = inspectorOn(page)
    await inspector.open(sandbox.url)

    // 1. Run this.
    await page.getByRole('button', { name: 'Copy command' }).click()
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(clipboard).toContain('curl')
    const command = await clipboard()
    const { stdout } = await promisify(execFile)('sh', ['-c', command])
    expect(JSON.parse(stdout)).toMatchObject({ ResponseCode: 1 })
    await inspector.row(/createSplitLink/).waitFor()

    // 2. The first steps say what comes next: pay it. That is in Payments.
    await page.getByText('Your first payment: 1 of 4. Next: pay it').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Payments' }).click()
    await inspector.row(/1001/).click()
    await page.getByRole('button', { name: 'Pay by card' }).click()
    await inspector.row(/1001.*Paid/).waitFor()

    // 3. Its webhook appears in the Timeline. Select it, and press Replay.
    await page.getByRole('navigation').getByRole('link', { name: 'Timeline' }).click()
    await inspector.row(/webhook/).click()
    await page.getByRole('tab', { name: 'Request' }).click()
    await page
      .getByText('data[status]=Success')
      .or(page.getByText('data%5Bstatus%5D=Success'))
      .first()
      .waitFor()
    await page
      .getByRole('button', { name: 'Replay r' })
      .or(page.getByRole('button', { name: 'Replay', exact: true }))
      .first()
      .click()
    await inspector.row(/replay of delivery 1/).waitFor()
    expect(page.problems).toEqual([])
  },
)
