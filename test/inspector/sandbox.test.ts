import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { behaviorNames } from '../../server/domain/behaviors/behavior.ts'
import { openPointGroups } from '../../server/domain/behaviors/open-point-groups.ts'
import { LIGHT_DARK_AND_FORCED, problemsAt, violationsIn } from '../support/axe.ts'
import { courier, openSandbox, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
/** The row of a behavior. */
const row = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
/** Selects an option. The radio button is hidden below its text. */
const choose = (page: Page, name: string, option: string) =>
  row(page, name).getByText(option, { exact: true }).click()
const checked = (page: Page, name: string, option: string) =>
  row(page, name).getByRole('radio', { name: option, exact: true }).and(page.locator(':checked')).waitFor()
const listed = (page: Page) => page.locator('.behavior.changed .behavior-name').allTextContents()

test('a behavior of one account applies to that account only, until it is reset', async ({
  sandbox,
  inspector,
  page,
}) => {
  await inspector.open(sandbox.url, '#/sandbox?point=errorStatus')
  const statusFor = async ({ apiKey }: typeof shop) =>
    (await sandbox.call('createSplitLink', {}, { token: apiKey })).status

  await checked(page, 'errorStatus', 'ok')
  await page.getByText('One account', { exact: true }).click()
  await page.getByLabel('Account', { exact: true }).selectOption('Bike Courier')
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/sandbox/${courier.id}`)
  await choose(page, 'errorStatus', 'http')
  await page.getByRole('heading', { name: `Changed for Bike Courier 1 of ${behaviorNames.length}` }).waitFor()
  expect([await statusFor(courier), await statusFor(shop)]).toEqual([422, 200])

  await page.getByText('Every account', { exact: true }).click()
  await page.getByText('Bike Courier has its own errorStatus.').waitFor()
  await choose(page, 'errorStatus', 'http')
  await button(page, 'Reset to ok').waitFor()
  expect(await listed(page)).toEqual(['errorStatus'])
  expect(await statusFor(shop)).toBe(422)

  await page.getByRole('link', { name: 'Bike Courier' }).click()
  await button(page, 'Reset').waitFor()
  await choose(page, 'errorStatus', 'ok')
  await expect.poll(() => statusFor(courier)).toBe(200)
  await button(page, 'Reset to http').click()
  await expect.poll(() => statusFor(courier)).toBe(422)
  expect(page.problems).toEqual([])
})

test('each point shows what a comparison with the real service has found', async ({
  folder,
  inspector,
  page,
}) => {
  const on = '2026-07-01'
  const calibration = join(folder.path, 'paylink.calibration.json')
  const points = {
    payId: { verdict: 'confirmed', value: 'same', exchanges: 3, on },
    errorStatus: { verdict: 'confirmed', value: 'http', exchanges: 3, on },
    retries: { verdict: 'undecided', reason: 'This shows only in a webhook.' },
    linkId: { verdict: 'confirmed', exchanges: 1, on },
    ownWording: { verdict: 'differs', exchanges: 2, on },
  }
  const result = { version: 1, target: 'https://dev.pay.example', sandbox: '0.1.0', points, differences: [] }
  writeFileSync(calibration, JSON.stringify(result))
  await using sandbox = await openSandbox({ calibration })
  await inspector.open(sandbox.url, '#/sandbox?point=linkId')

  await row(page, 'payId').getByText(`Confirmed by the service on ${on}`).waitFor()
  await row(page, 'errorStatus').getByText(`The service has http, found on ${on}`).waitFor()
  expect(await row(page, 'retries').locator('.service').count()).toBe(0)
  await row(page, 'linkId').getByText(`Confirmed by the service on ${on}`).waitFor()
  await row(page, 'ownWording').getByText(`The service differs, found on ${on}`).waitFor()
  expect(await violationsIn(LIGHT_DARK_AND_FORCED, page)).toEqual([])

  await choose(page, 'errorStatus', 'http')
  await row(page, 'errorStatus').getByText(`Confirmed by the service on ${on}`).waitFor()
  expect(page.problems).toEqual([])
})

test('changed behaviors come first, and can be reset together', async ({ sandbox, inspector, page }) => {
  await sandbox.control('PATCH', '/behaviors', { retries: '5s', amountText: 'two-decimals', payId: 'same' })
  await inspector.open(sandbox.url, '#/sandbox')
  await page.getByRole('heading', { name: `Changed 2 of ${behaviorNames.length}` }).waitFor()
  expect(await listed(page)).toEqual(['amountText', 'retries'])

  await button(page, 'payId').click()
  await page.getByText('In your code:').waitFor()
  await page.getByLabel('Find an open point').fill('redirect or the webhook')
  await row(page, 'order').waitFor()
  expect(await row(page, 'payId').count()).toBe(0)

  await button(page, 'Reset both').click()
  await page.getByRole('heading', { name: 'Changed' }).waitFor({ state: 'hidden' })
  const { answer } = await sandbox.control('GET', '/info')
  expect(answer.behaviors).toMatchObject({ retries: 'none', amountText: 'shortest' })
  expect(page.problems).toEqual([])
})

test('points that the traffic depends on come before the others, which are listed by subject', async ({
  sandbox,
  inspector,
  page,
}) => {
  for (const amount of [1, 2, '3']) await sandbox.call('createLink', { amount })
  await inspector.open(sandbox.url, '#/sandbox')
  await page.getByRole('heading', { name: /^Your traffic depends on/ }).waitFor()

  const heads = (await page.locator('.section-head h3').allTextContents()).map((text) =>
    text.replace(/\d+$/, '').trim(),
  )
  expect(heads).toEqual(['Your traffic depends on', ...Object.values(openPointGroups)])
  const names = await page.locator('.behavior-name').allTextContents()
  const touched = names.slice(0, names.indexOf('indexOutOfRange'))
  expect(touched).toEqual(expect.arrayContaining(['payId', 'numericStrings', 'linkId', 'createLink']))
  await row(page, 'createLink').getByText('2 events').waitFor()

  await page.getByLabel('Find an open point').fill('rounded')
  await row(page, 'shareRounding').waitFor()
  expect(await row(page, 'payId').count()).toBe(0)
  await page.getByLabel('Find an open point').fill('nothing like it')
  await page.getByText('No open point contains “nothing like it”.').waitFor()
  expect(page.problems).toEqual([])
})

test('a value can be typed, and an invalid value shows why it is refused and changes nothing', async ({
  sandbox,
  inspector,
  page,
}) => {
  const active = async () => (await sandbox.control('GET', '/info')).answer.behaviors
  await inspector.open(sandbox.url, '#/sandbox?point=rateLimit')
  const limit = row(page, 'rateLimit').getByRole('textbox')
  await limit.fill('2')
  await limit.press('Enter')
  await expect.poll(async () => (await active()).rateLimit).toBe('2/min')
  await limit.fill('0/min')
  await limit.press('Enter')
  await page.getByText('rateLimit cannot be 0/min.').waitFor()
  expect([await limit.inputValue(), (await active()).rateLimit]).toEqual(['0/min', '2/min'])
  await limit.fill('')
  await limit.press('Tab')
  await expect.poll(async () => (await active()).rateLimit).toBe('none')

  const waits = row(page, 'retries').getByRole('textbox')
  await waits.fill('5s, soon')
  await waits.press('Enter')
  await page.getByText('It must be none or <waits>, like 5s,30s,2m,1h').waitFor()
  await waits.fill('5s,30s')
  await waits.press('Enter')
  await button(page, 'Reset to none').waitFor()
  expect((await active()).retries).toBe('5s,30s')
})

test('a row keeps its focus and its text when it moves to the changed rows', async ({
  sandbox,
  inspector,
  page,
}) => {
  await inspector.open(sandbox.url, '#/sandbox?point=rateLimit')
  const limit = row(page, 'rateLimit').getByRole('textbox')
  await limit.fill('')
  await limit.pressSequentially('5/mi')
  await sandbox.control('PATCH', '/behaviors', { rateLimit: '2/min' })
  await expect.poll(() => listed(page)).toEqual(['rateLimit'])
  expect(await limit.inputValue()).toBe('5/mi')
  await page.keyboard.type('n')
  await page.keyboard.press('Enter')
  await button(page, 'Reset to none').waitFor()
  await expect
    .poll(async () => (await sandbox.control('GET', '/info')).answer.behaviors)
    .toMatchObject({ rateLimit: '5/min' })

  await row(page, 'errorStatus').getByRole('radio', { name: 'ok' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => listed(page)).toEqual(['errorStatus', 'rateLimit'])
  expect(await page.evaluate(() => document.activeElement?.closest('.behavior')?.textContent)).toMatch(
    /^errorStatus/,
  )
})

test('a change of a deleted account does not affect other accounts', async ({ sandbox, inspector, page }) => {
  const { answer: made } = await sandbox.control('POST', '/accounts')
  await inspector.open(sandbox.url, `#/account/${made.id}?point=behaviors`)
  await row(page, 'amountText').waitFor()
  expect(new URL(page.url()).hash).toBe(`#/sandbox/${made.id}?point=behaviors`)

  await sandbox.control('DELETE', `/accounts/${made.id}`)
  await page.getByText('This account no longer exists.').waitFor()
  expect(await row(page, 'amountText').count()).toBe(0)
})

test('the clock can be set to a time and frozen on the screen Sandbox', async ({
  sandbox,
  inspector,
  page,
}) => {
  await inspector.open(sandbox.url, '#/sandbox')
  await button(page, 'Set the clock').click()
  await page.getByLabel('Date and time').fill('2027-01-02T03:04:05')
  await page.getByLabel('Freeze the clock there').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Set the clock' }).click()
  await page.getByText('03:04:05').first().waitFor()
  await page.getByText('Sat, 2 Jan 2027').or(page.getByText('Sat 2 Jan 2027')).waitFor()
  expect((await sandbox.control('GET', '/clock')).answer).toMatchObject({ mode: 'frozen' })

  // The field uses the same time zone as the times on the page.
  await button(page, 'Time zone: local').click()
  await button(page, 'Set the clock').click()
  await page.getByText('Enter the time in UTC.').waitFor()
  await page.getByLabel('Date and time').fill('2027-01-03T03:04:05')
  await page.getByRole('dialog').getByRole('button', { name: 'Set the clock' }).click()
  await page.getByText(/^Sun,? 3 Jan 2027$/).waitFor()
  expect((await sandbox.control('GET', '/clock')).answer.now).toBe('2027-01-03T03:04:05.000Z')
  await button(page, 'Use real time').click()
  await page.getByRole('main').getByText('The time of this machine').waitFor()
  expect(page.problems).toEqual([])
})

test('a snapshot is taken, restored, and the restore undone', async ({ sandbox, inspector, page }) => {
  await sandbox.createLink()
  await inspector.open(sandbox.url, '#/sandbox')
  await button(page, 'Take a snapshot').click()
  await page.getByLabel('Name').fill('Not a name')
  await button(page, 'Take').click()
  await page.getByText('It should be 1 to 64 lower-case letters').waitFor()
  await page.getByLabel('Name').fill('one-link')
  await button(page, 'Take').click()
  const snapshot = page.getByRole('listitem').filter({ hasText: 'one-link' })
  await snapshot.getByText('1 payment · taken').waitFor()

  const links = async () => (await sandbox.control('GET', '/info')).answer.counts.links
  await sandbox.createLink()
  await button(page, 'Restore one-link').click()
  await page.getByText('Snapshot "one-link" restored').waitFor()
  expect(await links()).toBe(1)
  await button(page, 'Undo').click()
  await page.getByText('The state before the last restore is back').waitFor()
  expect(await links()).toBe(2)

  await button(page, 'Take a snapshot').click()
  await page.getByLabel('Name').fill('one-link')
  await button(page, 'Take').click()
  await button(page, 'Replace one-link').click()
  await snapshot.getByText('2 payments · taken').waitFor()
  await button(page, 'Delete one-link').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await snapshot.waitFor({ state: 'hidden' })
})

test('a dialog and typed values stay when the window becomes narrow and wide again', async ({
  sandbox,
  inspector,
  page,
}) => {
  await inspector.open(sandbox.url, '#/sandbox')
  const limit = row(page, 'rateLimit').getByRole('textbox')
  await limit.fill('5/mi')
  await button(page, 'Take a snapshot').click()
  await page.getByLabel('Name').fill('before-the-sale')
  const dialog = page.getByRole('dialog').and(page.locator(':modal'))
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const tops = () =>
      page
        .locator('.sandbox-aside:not(.last), .behaviors')
        .evaluateAll((halves) => halves.map((half) => half.getBoundingClientRect().top))
    await expect.poll(async () => new Set(await tops()).size).toBe(width === 390 ? 2 : 1)
    expect(await dialog.getByLabel('Name').inputValue()).toBe('before-the-sale')
    expect(await limit.inputValue()).toBe('5/mi')
  }
})

test('a snapshot is downloaded and uploaded', async ({ sandbox, inspector, page, folder }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/snapshots', { name: 'mine' })
  await inspector.open(sandbox.url, '#/sandbox')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download mine' }).click(),
  ])
  const file = `${folder.path}/My Upload.ndjson.gz`
  await download.saveAs(file)
  expect(gunzipSync(readFileSync(file)).toString()).toMatch(/^\{"format":"paylink-sandbox snapshot"/)

  await button(page, 'Upload a snapshot').click()
  await page.getByLabel('File').setInputFiles(file)
  expect(await page.getByLabel('Name').inputValue()).toBe('my-upload')
  await button(page, 'Upload').click()
  await page.getByRole('listitem').filter({ hasText: 'my-upload' }).getByText('1 payment').waitFor()
  expect(page.problems).toEqual([])
})

test('the screen names the version of the sandbox and its database engine', async ({
  sandbox,
  inspector,
  page,
}) => {
  const { database } = (await sandbox.control('GET', '/info')).answer
  await inspector.open(sandbox.url, '#/sandbox')
  const about = page.getByRole('region', { name: 'About' })
  await about.getByText(`paylink-sandbox ${sandbox.version}, data in ${database}`, { exact: true }).waitFor()
  expect(page.problems).toEqual([])
})

test('the screen is accessible in all colors and widths', async ({ sandbox, inspector, page }) => {
  await sandbox.control('PATCH', '/behaviors', { retries: '5s' })
  await sandbox.control('POST', '/snapshots', { name: 'mine' })
  await inspector.open(sandbox.url, '#/sandbox?point=statusText')
  await button(page, 'Restore mine').waitFor()
  expect(await problemsAt([1440, 1024, 860, 720, 390], LIGHT_DARK_AND_FORCED, page)).toEqual([])
})
