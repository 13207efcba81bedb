import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { fillJournal } from '../../scripts/bench/fill-journal.js'
import { describeReliance } from '../../server/contract/format/describe-run.ts'
import { LIGHT_AND_DARK, problemsAt, WIDE_AND_NARROW } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/process.ts'
import { courier, NOON, openSandbox, production, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())

const NOTE = '</script><img src=x onerror="document.title=1"><!--'

/** A run with a payment, its webhook, an error, a held webhook, and a note with HTML. */
async function run(): Promise<OpenSandbox> {
  const sandbox = await openSandbox({ now: () => new Date(NOON) })
  await sandbox.createLink({ recipient_note: NOTE, callback_url: 'http://localhost:3000/thanks' })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.createLink({
    recipient_note: `The key is ${shop.apiKey}`,
    payment_endpoint: 'https://shop.example/',
  })
  await sandbox.control('POST', '/links/1002/pay')
  await sandbox.call('createSplitLink', { amount: 1 })
  return sandbox
}

let files = 0

/** Saves the report of a sandbox as a file, and returns the URL of the file. */
async function save(sandbox: OpenSandbox, query = ''): Promise<string> {
  const file = join(folder.path, `artifact ${(files += 1)}.html`)
  writeFileSync(file, await (await fetch(`${sandbox.url}/_sandbox/v1/report${query}`)).text())
  return pathToFileURL(file).href
}

/** Opens the timeline of a report, or another address in it, and counts the requests. */
async function open(url: string) {
  const page = await openPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url().split('#')[0]!))
  page.on('websocket', (socket) => asked.push(socket.url()))
  await page.goto(url.includes('#') ? url : `${url}#/timeline`)
  await page.getByText('Report (read only)').waitFor()
  return { page, asked }
}

const row = (page: Page, name: RegExp) => page.getByRole('row', { name })

test('a report opens from a file without the sandbox, and makes no requests', async () => {
  const sandbox = await run()
  const url = await save(sandbox, '?about=The%20command%20npm%20ended%20with%20exit%20code%203.')
  await sandbox.close()
  const { page, asked } = await open(url)

  await row(page, /Please enter recipients/).waitFor()
  await page.getByText('The command npm ended with exit code 3. Created 2026-07-01').waitFor()
  await row(page, /flower-shop/).click()
  await page.getByRole('tab', { name: 'Request' }).click()
  await page.getByText('application/x-www-form-urlencoded').waitFor()
  await page.getByText('"pay_id": "1001"').waitFor()
  await page.getByRole('tab', { name: 'Response' }).click()
  await page.getByText('HTTP 200').waitFor()
  await page.getByRole('link', { name: 'Payments' }).click()
  await row(page, /1002/).click()
  await page.getByRole('heading', { name: 'Journey' }).waitFor()

  expect(asked).toEqual([url])
  expect(page.problems).toEqual([])
})

test('the overview of a report says in sentences which undocumented points the run relies on', async () => {
  await using sandbox = await run()
  const { page } = await open(`${await save(sandbox)}#/overview`)

  const section = page.getByRole('region', { name: 'What your integration relies on' })
  const { openPoints } = (await sandbox.control('GET', '/info')).answer.run
  await section.getByText(describeReliance(openPoints)).waitFor()
  const rows = await section.getByRole('listitem').allTextContents()

  const texts = openPoints.map(
    ({ name, reference, assumption, count }) => `${name}: ${reference}${assumption} ${count}`,
  )
  expect(rows.toSorted()).toEqual(texts.toSorted())
  expect(page.problems).toEqual([])
})

test('the inspector and a report show the duration of a delayed call, and its processing time', async ({
  sandbox,
}) => {
  await sandbox.control('POST', '/faults', { on: 'api', script: 'latency:1s' })
  await sandbox.createLink()
  const live = await openPage()
  await live.goto(`${sandbox.url}/#/timeline`)
  const { page } = await open(await save(sandbox))

  for (const shown of [live, page]) {
    await row(shown, /createSplitLink.*latency:1s.* s$/).click()
    const facts = shown.getByRole('region', { name: 'Details' })
    await facts.getByText('Processing').waitFor()
    expect(await facts.locator('dl').first().textContent()).toMatch(/Took[\d.]+ sProcessing/)
    expect(shown.problems).toEqual([])
  }
})

test('a report can be read and copied from, but has no actions', async () => {
  await using sandbox = await run()
  const { page } = await open(await save(sandbox))
  /** The names of buttons that would change something in a sandbox. */
  const actions = async () => {
    const names = await page
      .getByRole('button')
      .evaluateAll((all) => all.map((button) => button.ariaLabel ?? button.textContent))
    const verbs = /^(Replay|Edit|Send|Pay |Map |Allow|Discard|Delete|Reset|New|Save|Approve|Reject)/
    return names.filter((name) => verbs.test(name))
  }

  await row(page, /held/).click()
  await page.getByRole('button', { name: 'Copy as' }).click()
  await page.getByRole('button', { name: 'cURL', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  expect(await actions()).toEqual([])
  await row(page, /held/).click({ button: 'right' })
  await page.getByRole('menu', { name: 'Actions' }).waitFor()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Copy as cURLc', 'Copy linkl'])
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Payments' }).click()
  await row(page, /1001/).click()
  await page.getByRole('heading', { name: 'Journey' }).waitFor()
  await page.getByText('List', { exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'Webhook' }).first().waitFor()
  expect(await actions()).toEqual([])
  expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
    'Overview',
    'Timeline',
    'Payments 1',
  ])

  await page.keyboard.press('?')
  const help = page.getByRole('dialog')
  await help.getByText('Next payment').waitFor()
  await help.getByRole('button', { name: 'Close' }).click()
  await help.waitFor({ state: 'hidden' })
  expect(page.problems).toEqual([])
})

test('a report contains no code that makes requests', async ({ sandbox }) => {
  const text = await (await fetch(`${sandbox.url}/_sandbox/v1/report`)).text()
  expect(text).not.toMatch(/\b(fetch\(|WebSocket|XMLHttpRequest|EventSource|sendBeacon)/)
})

test('a held webhook in a report shows what it would send', async () => {
  await using sandbox = await run()
  const { page } = await open(await save(sandbox))
  await row(page, /held/).click()
  await page.getByRole('tab', { name: 'Request' }).click()
  await page.getByText('https://shop.example/').last().waitFor()
  await page.getByText('"pay_id": "1002"').waitFor()
})

test('HTML in a note is text in a report', async () => {
  await using sandbox = await run()
  const { page } = await open((await save(sandbox)) + '#/payments/1001')
  await page.getByText(NOTE).first().waitFor()
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.title()).toBe('Report of 2026-07-01')
  expect(page.problems).toEqual([])
})

test('a report contains no API key of the sandbox', async () => {
  await using sandbox = await run()
  await sandbox.call('createSplitLink', { amount: 1 }, { token: 'aKeyThatNoAccountHas00001' })
  const { page } = await open((await save(sandbox)) + '#/timeline?q=kind:api')

  await row(page, /createSplitLink/)
    .nth(1)
    .click()
  await page.getByRole('tab', { name: 'Request' }).click()
  await page.getByRole('row', { name: 'token dev…01' }).waitFor()
  await page.getByText('"The key is dev…01"').waitFor()

  const data = await page.evaluate(async () => {
    const bytes = Uint8Array.from(atob(document.getElementById('data')!.textContent), (one) =>
      one.charCodeAt(0),
    )
    const unzipped = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
    return new Response(unzipped).text()
  })
  expect(data).toContain('"apiKey":"dev…01"')
  for (const key of [shop.apiKey, production.apiKey, 'aKeyThatNoAccountHas00001']) {
    expect(data).not.toContain(key)
  }
})

test('the report of one account names the accounts that share in its links', async () => {
  await using sandbox = await run()
  const { page } = await open((await save(sandbox, `?account=${shop.id}`)) + '#/payments/1001')
  await page.getByText(`for ${shop.name} only`).waitFor()
  await page.locator('summary', { hasText: 'Split' }).click()
  await page.getByRole('cell', { name: courier.name }).first().waitFor()
})

test('links into a report, its filter and Back work within the file', async () => {
  await using sandbox = await run()
  const url = await save(sandbox)
  const { page } = await open(`${url}#/payments/1001`)
  await page.getByRole('heading', { name: /Payment 1001/ }).waitFor()

  await page.goto(`${url}#/timeline?q=is:held`)
  await row(page, /held/).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.getByLabel('Filter events').fill('kind:api')
  await row(page, /Please enter recipients/).click()
  await page.getByRole('link', { name: 'Payments' }).click()
  await row(page, /1002/).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: /createSplitLink/ }).waitFor()
  expect(page.url()).toMatch(/#\/timeline\/\d+\?q=kind:api$/)

  await page.goto(`${url}#/timeline/999`)
  await page.getByText('Event 999 is not in this journal').waitFor()
  await page.goto(`${url}#/connect`)
  await page.getByText('Findings by cause').first().waitFor()
  expect(page.problems).toEqual([])
})

test('a report of five thousand events opens, and can be filtered', async () => {
  const db = join(folder.path, 'large.db')
  await (await openSandbox({ db })).close()
  fillJournal(db, 5_000)
  await using sandbox = await openSandbox({ db })
  const { page } = await open(await save(sandbox))

  await page.locator('output', { hasText: '5,002 events' }).waitFor()
  await page.getByLabel('Filter events').fill('is:failed')
  await page.locator('output', { hasText: '500 of 5,002' }).waitFor()
  await row(page, /Please enter amount/)
    .last()
    .click()
  await page.getByText('api.request · ').waitFor()
  expect(page.problems).toEqual([])
})

test('each screen of a report is accessible in light and dark, wide and narrow', async () => {
  await using sandbox = await run()
  const url = await save(sandbox)
  const { page } = await open(url)
  for (const [hash, shown] of [
    ['#/overview', page.getByRole('heading', { name: 'Findings by cause' })],
    ['#/timeline', row(page, /held/)],
    ['#/timeline/4', page.getByRole('region', { name: 'Details' })],
    ['#/payments/1001', page.getByRole('heading', { name: 'Journey' })],
  ] as const) {
    await page.goto(url + hash)
    await shown.first().waitFor()
    expect(await problemsAt(WIDE_AND_NARROW, LIGHT_AND_DARK, page), hash).toEqual([])
  }
})

test('a truncated report says that events are missing', async () => {
  await using sandbox = await run()
  const url = await save(sandbox)
  const file = fileURLToPath(url)
  const text = readFileSync(file, 'utf8')
  const [data = ''] = /(?<=id="data">)[^<]+/.exec(text) ?? []
  writeFileSync(file, text.replace(data, data.slice(0, 400)))
  const { page } = await open(url)
  await page.getByText('This file is damaged').waitFor()
})

test('the inspector offers the report and the HAR as downloads', async ({ page }) => {
  await using sandbox = await run()
  await page.goto(`${sandbox.url}/`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download report' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('paylink-report-2026-07-01-100000.html')
  const [har] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download HAR' }).click(),
  ])
  expect(har.suggestedFilename()).toBe('paylink-sandbox.har')
  await page.goto(`${sandbox.url}/#/sandbox`)
  for (const name of ['HTML report', 'HAR']) {
    await page.getByRole('main').getByRole('link', { name }).waitFor()
  }
  expect(page.problems).toEqual([])
})

test('a report searches the bodies that it contains', async () => {
  const sandbox = await run()
  const url = await save(sandbox)
  await sandbox.close()
  const { page, asked } = await open(`${url}#/timeline?q=body:"shop.example/" kind:api`)
  await row(page, /createSplitLink/).waitFor()
  expect(await page.locator('output.count').textContent()).toMatch(/^1 of /)
  await page.goto(`${url}#/payments?q=body:onerror`)
  await row(page, /1001/).waitFor()
  expect(await page.locator('output.count').textContent()).toBe('1 of 2')
  expect(asked).toEqual([url])
  expect(page.problems).toEqual([])
})
