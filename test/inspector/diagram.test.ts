import type { ServerResponse } from 'node:http'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, problemsAt } from '../support/axe.ts'
import type { OpenSandbox } from '../support/sandbox.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

const diagram = (page: Page) => page.getByRole('group', { name: /^Journey of payment/ })
const arrows = (page: Page) => diagram(page).getByRole('link')

const unavailable = (_received: unknown, response: ServerResponse) => void response.writeHead(503).end()

/** A payment whose webhook is retried, and a clock that moves between the attempts. */
async function fail(sandbox: OpenSandbox, target: string): Promise<void> {
  await sandbox.control('PATCH', '/behaviors', { retries: '30s,60m' })
  await sandbox.createLink({ payment_endpoint: target, callback_url: 'http://localhost:3000/thanks' })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/clock/advance', { hours: 2 })
  await sandbox.control('POST', '/settle', {})
}

test('a journey is a diagram whose arrows lead to their events', async ({ sandbox, inspector, page }) => {
  await using receiver = await startReceiver(unavailable)
  await fail(sandbox, receiver.url)
  await page.setViewportSize({ width: 1440, height: 900 })
  await inspector.open(sandbox.url, '#/payments/1001')

  const names = async () =>
    arrows(page).evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')!))
  await expect
    .poll(async () => (await names()).map((name) => name.replace(/^[\d:]+: /, '')))
    .toEqual([
      'Your app calls createSplitLink. The sandbox answers 200.',
      'The customer pays €100.00 by card, simulated.',
      'The sandbox redirects the browser to http://localhost:3000/thanks?pay_id=1001&status=Success.',
      expect.stringContaining('Attempt 1 of the webhook Success'),
      'Clock moved forward by 2 h.',
      expect.stringContaining('is answered 503. The next attempt follows after 60 min.'),
      expect.stringMatching(/is answered 503, the sandbox gives up\.$/),
    ])
  await diagram(page).getByText('attempt 3 · 503, gave up').waitFor()

  await arrows(page).last().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('row', { selected: true, name: /503/ }).waitFor()
  const seq = /#\/timeline\/(\d+)/.exec(page.url())![1]
  await page.goBack()
  await expect.poll(() => diagram(page).locator('[aria-current]').getAttribute('href')).toContain(`/${seq}`)
  expect(page.problems).toEqual([])
})

test('a delivered webhook is replayed by one key, in the diagram and in the list', async ({
  sandbox,
  inspector,
  page,
}) => {
  await using receiver = await startReceiver()
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', '/links/1001/pay')
  await inspector.open(sandbox.url, '#/payments/1001')
  await diagram(page).waitFor()

  await page.keyboard.press('r')
  await receiver.count(2)
  await arrows(page).first().focus()
  await page.keyboard.press('r')
  await page.getByText('List', { exact: true }).click()
  await page
    .getByRole('link', { name: /\d\d:\d\d/ })
    .first()
    .waitFor()
  await page.keyboard.press('r')
  await receiver.count(3)
  // The first arrow is a call, so it is not part of a webhook.
  await sandbox.settled()
  expect(receiver.received).toHaveLength(3)

  // With several webhooks, the focus selects one of them.
  await sandbox.createLink({ payment_endpoint: `${receiver.url}/a,${receiver.url}/b` })
  await sandbox.control('POST', '/links/1002/pay')
  await inspector.open(sandbox.url, '#/payments/1002')
  await page.getByText('Diagram', { exact: true }).click()
  const toB = diagram(page).getByRole('link', { name: /\/b is answered/ })
  await toB.waitFor()
  await page.keyboard.press('r')
  await page.getByText('This payment has 2 webhooks.').waitFor()
  await diagram(page)
    .getByRole('link', { name: /\/b is answered/ })
    .focus()
  await page.keyboard.press('r')
  await receiver.count(6)
  expect(receiver.received.at(-1)!.path).toMatch(/\/b$/)
})

test('the page remembers that the list was chosen, and a tiny screen shows only the list', async ({
  sandbox,
  inspector,
  page,
}) => {
  await sandbox.createLink()
  await inspector.open(sandbox.url, '#/payments/1001')
  await diagram(page).waitFor()
  await page.getByText('List', { exact: true }).click()
  await page.getByText('Created by API').waitFor()
  await page.reload()
  await page.getByText('Created by API').waitFor()
  expect(await diagram(page).count()).toBe(0)

  await page.getByText('Diagram', { exact: true }).click()
  await diagram(page).waitFor()
  await page.setViewportSize({ width: 320, height: 700 })
  await page.getByText('Created by API').waitFor()
  expect(await page.getByRole('radio', { name: 'Diagram' }).count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('a diagram can be copied as SVG and as Mermaid', async ({ sandbox, inspector, page }) => {
  await sandbox.createLink()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await inspector.open(sandbox.url, '#/payments/1001')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())

  await page.getByRole('button', { name: 'Copy as' }).click()
  await page.getByRole('button', { name: /^Mermaid/ }).click()
  await expect.poll(copied).toContain('A->>S: createSplitLink\n    S-->>A: 200 · pay_id 1001')

  await page.getByRole('button', { name: 'Copy as' }).click()
  await page.getByRole('button', { name: /^SVG/ }).click()
  await expect.poll(copied).toContain('xmlns="http://www.w3.org/2000/svg"')
  const svg = await copied()
  expect(svg).toContain('<title>Journey of payment 1001</title>')
  expect(svg).not.toMatch(/var\(|class=|href|aria-|currentColor/)
  // The picture looks the same without a style sheet.
  const shown = await page.evaluate(async (text) => {
    const picture = new Image()
    picture.src = `data:image/svg+xml,${encodeURIComponent(text)}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.width
    canvas.height = picture.height
    const context = canvas.getContext('2d')!
    context.drawImage(picture, 0, 0)
    const { data } = context.getImageData(0, 0, picture.width, picture.height)
    const colors = new Set<string>()
    for (let at = 0; at < data.length; at += 4) colors.add(data.slice(at, at + 3).join())
    return { background: Array.from(data.subarray(0, 3)), colors: colors.size }
  }, svg)
  expect(shown.background).toEqual([14, 17, 22])
  expect(shown.colors).toBeGreaterThan(20)
})

test('a diagram is accessible in all colors, wide and narrow', async ({ sandbox, inspector, page }) => {
  await using receiver = await startReceiver(unavailable)
  await fail(sandbox, receiver.url)
  await inspector.open(sandbox.url, '#/payments/1001')
  await arrows(page).last().waitFor()
  expect(await problemsAt([1440, 1024, 860, 720, 390], LIGHT_DARK_AND_FORCED, page)).toEqual([])
  expect(page.problems).toEqual([])
})
