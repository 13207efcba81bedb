import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { LIGHT_AND_DARK, violationsIn } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const NOVEMBER = '2026-11-10T12:00:00.000Z'

const clockButton = (page: Page) => page.getByRole('button', { name: /^Clock/ })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const shows = (page: Page, time: RegExp) => clockButton(page).filter({ hasText: time }).waitFor()

async function open(sandbox: OpenSandbox, hash = '', options = {}) {
  const page = await openPage({ reducedMotion: 'reduce', ...options })
  await page.goto(`${sandbox.url}/${hash}`)
  await page.getByText('Live', { exact: true }).waitFor()
  await clockButton(page).waitFor()
  return page
}

test('the clock can be advanced, frozen and reset in the top bar, and shows what happened', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOVEMBER) })
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  const page = await open(sandbox, '#/timeline', { viewport: { width: 1440, height: 900 } })
  await press(page, 'Time zone: local')
  await shows(page, /2026-11-10 12:00:\d\d UTC/)

  await clockButton(page).click()
  await page.locator('.clock-menu').getByText('The time of this machine').waitFor()
  expect(await page.getByRole('button', { name: 'Now', exact: true }).isDisabled()).toBe(true)
  await press(page, '+1 h')
  await shows(page, /shifted 2026-11-10 13:00:\d\d UTC/)
  await press(page, '+1 day')
  await page.getByText('1 day ahead of this machine').waitFor()
  await press(page, 'Next month')
  await page.getByText('Advanced to the next month. 1 invoice issued').waitFor()
  await shows(page, /shifted 2026-11-30 23:00:\d\d UTC/)
  await page.getByRole('row', { name: /Invoice for November 2026.*€1\.49/ }).waitFor()

  await press(page, 'Freeze')
  await shows(page, /frozen/)
  await press(page, '+1 day')
  await shows(page, /frozen 2026-12-01 23:00:00 UTC/)
  await press(page, 'Resume')
  await shows(page, /shifted/)
  await press(page, 'Now')
  await page.getByText('Clock set to the time of this machine').waitFor()
  await clockButton(page)
    .filter({ hasText: /2026-11-10 12:00:\d\d UTC/, hasNotText: 'shifted' })
    .waitFor()
  expect(page.problems).toEqual([])
})

test('the shown clock ticks', async ({ sandbox }) => {
  const page = await open(sandbox, '', { viewport: { width: 1440, height: 900 } })
  const before = await clockButton(page).textContent()
  await page.waitForFunction((text) => document.querySelector('.clock')?.textContent !== text, before)
})

test('relative times follow the clock of the sandbox', async ({ sandbox }) => {
  await sandbox.createLink()
  const page = await open(sandbox, '#/timeline/3')
  await page.getByText(/seconds? ago|\bnow\b/).waitFor()
  await sandbox.control('POST', '/clock/advance', { days: 3 })
  await page.getByText('3 days ago').waitFor()
  await sandbox.control('DELETE', '/clock')
  await sandbox.control('PUT', '/clock', { now: new Date(Date.now() - 5 * 86_400_000).toISOString() })
  await page.getByText('in 5 days').waitFor()
})

test('the clock can be set with the keyboard alone', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOVEMBER) })
  const page = await open(sandbox)
  await clockButton(page).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Advanced by one day').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.clock-menu').waitFor({ state: 'hidden' })
  expect(await clockButton(page).evaluate((button) => button === document.activeElement)).toBe(true)
})

test('the menu of the clock says that its items are loading', async ({ sandbox, page, inspector }) => {
  const held = new Promise<Route>((resolve) => void page.route(/clock-menu-items/, resolve))
  await inspector.open(sandbox.url)
  await clockButton(page).click()
  await page.locator('.clock-menu').getByText('Loading…').waitFor()
  await (await held).continue()
  await page.locator('.clock-menu').getByRole('button').first().waitFor()
})

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('on a narrow screen, the clock stays in the first line', async ({ sandbox }) => {
  await sandbox.control('PUT', '/clock', { mode: 'frozen' })
  const page = await open(sandbox, '#/timeline', phone)
  await shows(page, /\d\d:\d\d/)
  const top = async (name: RegExp) => (await page.getByRole('button', { name }).boundingBox())!.y
  expect(await top(/^Clock frozen/)).toBe(await top(/^Options$/))
  expect(await top(/^Pause/)).toBe(await top(/^Options$/))
  const isWider = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
  expect(await page.evaluate(isWider)).toBe(false)
})

const reset = async (page: Page) => {
  await press(page, 'Reset to the seed…')
  await press(page, 'Reset')
}

test.for([
  ['wide', { viewport: { width: 1440, height: 900 } }],
  ['narrow', phone],
] as const)(
  'the open clock and the undo message are accessible, %s',
  async ([_width, options], { sandbox }) => {
    await sandbox.control('PUT', '/clock', { mode: 'frozen' })
    const page = await open(sandbox, '#/sandbox', options)
    await clockButton(page).click()
    await page.locator('.clock-menu').getByText('Frozen until it is set or resumed').waitFor()
    expect(await violationsIn(LIGHT_AND_DARK, page)).toEqual([])
    await page.keyboard.press('Escape')
    await reset(page)
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
    expect(await violationsIn(LIGHT_AND_DARK, page)).toEqual([])
    expect(page.problems).toEqual([])
  },
)

test('a dialog says what a reset deletes, and the message after the reset can undo it', async ({
  sandbox,
}) => {
  await sandbox.createLink({ recipient_note: 'Order 7' })
  await sandbox.control('PATCH', '/behaviors', { amountText: 'two-decimals' })
  await sandbox.control('PUT', '/clock', { now: '2027-05-05T12:00:00Z', mode: 'frozen' })
  const page = await open(sandbox, '#/sandbox', { viewport: { width: 1440, height: 900 } })
  await shows(page, /2027-05-05/)

  expect(await page.getByRole('button', { name: 'Undo the last reset' }).count()).toBe(0)
  await press(page, 'Reset to the seed…')
  await page.getByRole('dialog').getByText('This deletes 1 payment').waitFor()
  await press(page, 'Reset')
  await page.getByText('The sandbox was reset to its seed').waitFor()
  await clockButton(page).filter({ hasNotText: 'frozen' }).waitFor()
  expect((await sandbox.control('GET', '/links/1001')).status).toBe(404)

  await page.getByRole('button', { name: 'Undo the last reset' }).waitFor()
  await press(page, 'Undo')
  await page.getByText('The reset was undone').waitFor()
  await page.getByRole('button', { name: 'Undo the last reset' }).waitFor({ state: 'detached' })
  await shows(page, /frozen 2027-05-05 \d\d:00:00/)
  await page.goto(`${sandbox.url}/#/timeline`)
  await page.getByRole('row', { name: /createSplitLink/ }).waitFor()
  await page.getByRole('row', { name: /Reset undone/ }).waitFor()
  expect((await sandbox.control('GET', '/info')).answer.behaviors).toMatchObject({
    amountText: 'two-decimals',
  })
  expect(page.problems).toEqual([])
})

test('a double click resets once, and its message undoes only that reset', async ({ sandbox }) => {
  await sandbox.createLink()
  const page = await open(sandbox, '#/sandbox', { viewport: { width: 1440, height: 900 } })
  const resets: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/reset')) resets.push(request.url())
  })
  await press(page, 'Reset to the seed…')
  await page.getByRole('button', { name: 'Reset', exact: true }).dblclick()
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
  expect(resets).toHaveLength(1)

  await sandbox.createLink()
  await sandbox.control('POST', '/reset')
  await press(page, 'Undo')
  await page.getByText('The sandbox was reset again since. Only its last reset can be undone').waitFor()
  expect((await sandbox.control('GET', '/info')).answer.counts).toMatchObject({ links: 0 })
  expect(page.problems.filter((problem) => !String(problem).includes('409'))).toEqual([])
})
