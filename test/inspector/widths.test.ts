import type { Locator, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { sized } from '../support/size.ts'
import { shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const LONG_HOST = `https://hooks.${'long-'.repeat(9)}name.example`

/** Creates data that needs a lot of room: a long note, a long host, an amount with many digits, and right-to-left text. */
async function createLongTexts(sandbox: OpenSandbox): Promise<void> {
  await sandbox.createLink({
    amount: 123_456.78,
    recipient_note: 'A note without an end. '.repeat(40),
    payment_endpoint: `${LONG_HOST}/webhooks,${sandbox.url}/tunnel/inbox`,
  })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.createLink({
    recipient_note: 'طلب رقم ٧ – باقة ورد',
    payment_endpoint: 'http://127.0.0.1:9/',
  })
  await sandbox.control('POST', '/links/1002/pay')
  await sandbox.control('POST', '/faults', {
    on: 'api',
    script: 'latency:1s',
    operation: 'getTaxInvoiceList',
  })
  await sandbox.control('POST', '/snapshots', { name: 'a-snapshot-with-a-rather-long-name' })
}

const hashes = [
  '#/overview',
  '#/timeline',
  '#/payments',
  '#/payments/1001',
  '#/payments/review',
  '#/test',
  '#/test/checks',
  '#/test/faults',
  '#/connect',
  '#/connect/tunnels',
  '#/connect/maps',
  '#/connect/held-webhooks',
  '#/sandbox',
]

/** The elements whose content is wider than they are. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, .details')]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map(({ localName, className, scrollWidth }) => `${localName}.${className} ${scrollWidth}`),
  )

const WIDTHS = sized({ full: [390, 720, 860, 1024, 1440, 1920], small: [390, 720] })

test(`no screen scrolls sideways, and no text is beyond its edge, at ${WIDTHS.join(', ')} px`, async ({
  sandbox,
  page,
  inspector,
}) => {
  await createLongTexts(sandbox)
  const held = (await sandbox.control('GET', '/events?type=delivery.held')).answer
  for (const hash of [...hashes, `#/timeline/${held.events[0]!.seq}`]) {
    await page.goto('about:blank')
    await page.setViewportSize({ width: WIDTHS[0]!, height: 844 })
    await inspector.open(sandbox.url, hash)
    await page.locator('main :is(h2:not(.visually-hidden), [role=row]):visible').first().waitFor()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 })
      // Parts that are loaded later change the layout once more.
      await expect.poll(async () => [hash, width, ...(await tooWide(page))]).toEqual([hash, width])
    }
  }
  expect(page.problems).toEqual([])
})

/** The controls that are less than 24 px wide or high, except links within a sentence. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary, [role=tab]')]
      .filter((control) => control.checkVisibility() && getComputedStyle(control).display !== 'inline')
      // A click on the label also reaches the radio button or the checkbox.
      .map((control) => control.closest('label') ?? control)
      .map((control) => ({ text: control.textContent, box: control.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
      .map(({ text, box }) => `${text} ${box.width} × ${box.height}`),
  )

test('every control is at least 24 px wide and high', async ({ sandbox, receiver, page, inspector }) => {
  await createLongTexts(sandbox)
  await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', '/links/1003/pay')
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const hash of hashes) {
    await page.goto('about:blank')
    await inspector.open(sandbox.url, hash)
    await page.locator('main :is(h2:not(.visually-hidden), [role=row]):visible').first().waitFor()
    await expect.poll(async () => [hash, ...(await tooSmall(page))]).toEqual([hash])
  }
  await page.goto('about:blank')
  await inspector.open(sandbox.url)
  await inspector
    .row(/status: Success/)
    .last()
    .click()
  await page.keyboard.press('e')
  const editor = page.getByRole('region', { name: 'Edit and replay' })
  await editor.getByRole('button', { name: 'Other amount' }).click()
  await editor.getByText('was 100').waitFor()
  expect(await tooSmall(page)).toEqual([])
})

/** How many pixels of each element's content are beyond its edge. */
const overflowOf = (page: Page, selector: string): Promise<number[]> =>
  page.locator(selector).evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))

test('the overview fits into a window that becomes narrower', async ({ sandbox, page, inspector }) => {
  await createLongTexts(sandbox)
  await page.setViewportSize({ width: 1440, height: 900 })
  await inspector.open(sandbox.url, '#/overview')
  await page.locator('.overview .strip svg').waitFor()
  for (const width of [1024, 720, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => overflowOf(page, 'main')).toEqual([0])
  }
})

test('the table of invoices fits a phone', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ amount: 123_456.78 })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.control('POST', '/clock/advance', { days: 40 })
  await page.setViewportSize({ width: 390, height: 844 })
  await inspector.open(sandbox.url, '#/connect')
  const table = page.getByRole('region', { name: 'Invoice table' })
  await table.getByRole('cell', { name: /€/ }).first().waitFor()
  expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
})

test('on a phone, a recipient with a long name leaves room for the button that removes it', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.control('POST', '/accounts', { name: 'A cooperative for flowers and gardens '.repeat(2) })
  await page.setViewportSize({ width: 390, height: 844 })
  await inspector.open(sandbox.url, '#/payments')
  await page.keyboard.press('n')
  const rightOf = async (element: Locator): Promise<number> => {
    const { x, width } = (await element.boundingBox())!
    return x + width
  }
  const button = await rightOf(page.getByRole('button', { name: 'Remove recipient 0' }))
  expect(button).toBeLessThanOrEqual(await rightOf(page.getByLabel('Amount in euros')))
})

test('the parts of an attempt do not overlap', async ({ sandbox, page, inspector }) => {
  await sandbox.createLink({ payment_endpoint: 'http://127.0.0.1:9/' })
  await sandbox.control('POST', '/links/1001/pay')
  for (const width of [390, 720, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await inspector.open(sandbox.url)
    await inspector.row(/no answer/).click()
    const edges = await page
      .locator('.attempt')
      .first()
      .evaluate((attempt) =>
        [...attempt.children].map((part) => {
          const range = document.createRange()
          range.selectNodeContents(part)
          const { left, right } = range.getBoundingClientRect()
          const isClipped = getComputedStyle(part).overflow === 'hidden'
          return { left, right: isClipped ? Math.min(right, part.getBoundingClientRect().right) : right }
        }),
      )
    edges.slice(1).forEach(({ left }, index) => expect(left).toBeGreaterThanOrEqual(edges[index]!.right))
  }
})

/** Whether all these elements are on one line. */
const areOnOneLine = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).evaluateAll((all) => {
    const boxes = all.map((one) => one.getBoundingClientRect())
    return Math.max(...boxes.map(({ top }) => top)) < Math.min(...boxes.map(({ bottom }) => bottom))
  })

test('on a phone, the bar keeps its line while a paused view counts new events', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.createLink()
  await page.setViewportSize({ width: 390, height: 844 })
  await inspector.open(sandbox.url)
  await page.keyboard.press('p')
  await sandbox.createLink()

  await page.getByText(/new events? not shown/).waitFor()
  expect(await areOnOneLine(page, '.top-bar > :is(.brand, .tools)')).toBe(true)
})

test('beside an open event, all quick filters are visible, and a comparison keeps its buttons on one line', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.createLink({ payment_endpoint: 'http://127.0.0.1:9/' })
  await sandbox.control('POST', '/links/1001/pay')
  await page.setViewportSize({ width: 1024, height: 844 })
  await inspector.open(sandbox.url)
  await inspector
    .row(/no answer/)
    .first()
    .click()
  await inspector.details.waitFor()
  const filters = page.getByRole('group', { name: 'Quick filters' })
  await filters.getByRole('button', { name: 'Failed 1' }).waitFor()
  const [visible, needed] = await filters.evaluate((group) => [group.clientWidth, group.scrollWidth])
  expect(needed).toBe(visible)

  await inspector.row(/createSplitLink/).click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'Change the later event' }).waitFor()
  for (const side of ['earlier', 'later']) {
    const line = page.locator('.compare-side > p', {
      has: page.getByRole('button', { name: `Change the ${side} event` }),
    })
    expect(await line.evaluate((one) => one.clientHeight)).toBeLessThan(40)
  }
})

test('on a phone, what follows the open points stays out of view while those of an account load', async ({
  sandbox,
  page,
  inspector,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await inspector.open(sandbox.url, '#/sandbox')
  await page.getByRole('searchbox', { name: 'Find an open point' }).waitFor()
  await page.waitForLoadState('networkidle')
  const held = new Promise<Route>((resolve) => void page.route(/\/behaviors\?account=/, resolve))

  await page.goto(`${sandbox.url}/#/sandbox/${shop.id}`)

  const load = await held
  await page.getByRole('searchbox', { name: 'Find an open point' }).waitFor({ state: 'detached' })
  const report = page.getByRole('heading', { name: 'Report' })
  expect((await report.boundingBox())!.y).toBeGreaterThan(844)
  await load.continue()
  await page.getByRole('searchbox', { name: 'Find an open point' }).waitFor()
})

test('the sandbox screen appears as a whole, so nothing moves when its parts are loaded', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.control('POST', '/snapshots', { name: 'first' })
  const held = new Promise<Route>((resolve) => void page.route(/\/snapshots$/, resolve))
  await inspector.open(sandbox.url, '#/sandbox')
  const places = page.evaluate(async () => {
    const seen = new Set<number>()
    while (!document.querySelector('.snapshots li')) {
      await new Promise(requestAnimationFrame)
      const heading = document.getElementById('behaviors')
      if (heading) seen.add(heading.getBoundingClientRect().top)
    }
    return seen.size
  })
  await page.waitForResponse(/\/behaviors$/)
  await (await held).continue()

  expect(await places).toBe(1)
})
