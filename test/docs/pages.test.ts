import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { LIGHT_AND_DARK, violationsIn } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { test } from '../support/test.ts'

const run = promisify(execFile)

const PAGES = ['/docs', '/docs/control'] as const

describe.each(PAGES)('%s', (path) => {
  test.for([1280, 390])('is good to read in light and dark, %i pixels wide', async (width, { sandbox }) => {
    // What is looked at with axe has to let axe in.
    const page = await openPage({ viewport: { width, height: 800 }, bypassCSP: true })
    await page.goto(sandbox.url + path)

    expect(await violationsIn(LIGHT_AND_DARK, page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(page.problems).toEqual([])
  })

  test('asks nobody else for anything, and runs no script', async ({ sandbox, page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const response = await page.goto(sandbox.url + path)

    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([
      sandbox.url + path,
      `${sandbox.url}/docs/style.css`,
    ])
    expect(response!.headers()['content-security-policy']).toContain("default-src 'none'")
    expect(await page.locator('script').count()).toBe(0)
    expect(page.problems).toEqual([])
  })

  test('leads somewhere with every link', async ({ sandbox }) => {
    const page = await openPage({ javaScriptEnabled: true, bypassCSP: true })
    await page.goto(sandbox.url + path)
    const lost = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
        .map((link) => link.getAttribute('href')!)
        .filter((href) => document.querySelector(href.replaceAll('.', '\\.')) === null),
    )
    expect(lost).toEqual([])
    expect(await page.locator('a[href^="http"]').count()).toBe(0)
  })
})

/** The commands of an operation, as they stand there. */
async function commandsOf(url: string, path: string, operation: string): Promise<string[]> {
  const page = await openPage()
  await page.goto(url + path)
  const text = await page.locator(`#${operation} pre`, { hasText: 'curl ' }).innerText()
  return text.split('\n\n').map((command) => command.trim())
}

test.for(['createSplitLink', 'createLink', 'refundPayment', 'getTaxInvoiceList', 'sendWebhookViaPayId'])(
  'the commands for %s work as they are',
  async (operation, { sandbox }) => {
    const commands = await commandsOf(sandbox.url, '/docs', operation)
    let answer = ''
    for (const command of commands) answer = (await run('sh', ['-c', command])).stdout
    expect(JSON.parse(answer)).toMatchObject({ ResponseCode: 1, Result: 'True' })
  },
)

test.for([
  'postAccounts',
  'postEventsWait',
  'postClockAdvance',
  'putClock',
  'postSnapshots',
  'getLinks',
  'getChecksReach',
  'postChecksPayIds',
])('the command for %s works as it is', async (operation, { sandbox }) => {
  const [command] = await commandsOf(sandbox.url, '/docs/control', operation)
  const { stdout } = await run('sh', ['-c', `${command} -s -f`])
  expect(JSON.parse(stdout)).not.toHaveProperty('title')
})

test('the command for a file sends one', async ({ folder, sandbox }) => {
  await sandbox.control('POST', '/snapshots', { name: 'taken' })
  const taken = await fetch(`${sandbox.url}/_sandbox/v1/snapshots/taken/file`)
  writeFileSync(join(folder.path, 'snapshot.db'), Buffer.from(await taken.arrayBuffer()))

  const [command] = await commandsOf(sandbox.url, '/docs/control', 'putSnapshotsNameFile')
  const { stdout } = await run('sh', ['-c', `${command} -s -f`], { cwd: folder.path })
  expect(JSON.parse(stdout)).toMatchObject({ name: 'three-paid-links', problem: null })
})

test('the inspector leads to the documents', async ({ sandbox, page }) => {
  await page.goto(`${sandbox.url}/`)
  await page.getByRole('link', { name: 'API documents' }).click()
  await page.getByRole('heading', { level: 1, name: 'Payment Link Service API' }).waitFor()
  await page.getByRole('link', { name: 'Control API', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Control API of paylink-sandbox' }).waitFor()
})

/** The rows of the tables of fields, as they read. */
const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row
      .replaceAll('</td>', ' | ')
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"'),
  )

test.for(PAGES)('%s says each limit of a field once', async (path, { sandbox }) => {
  const rows = rowsOf(await (await fetch(sandbox.url + path)).text())

  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter((row) => /(More than|At least|At most) (\S+?)[.,].*\1 \2\./.test(row))).toEqual([])
  expect(rows.filter((row) => /from (\d+) to (\d+).*At least \1\. At most \2\./.test(row))).toEqual([])
})

test('a text that may be sent for a boolean is told from it, and the example of a form is a form', async ({
  sandbox,
}) => {
  const html = await (await fetch(`${sandbox.url}/docs`)).text()

  expect(rowsOf(html)).toContainEqual(
    expect.stringMatching(/^bank_transferboolean or "true" or "false" or null/),
  )
  expect(html).toContain('<code>ResponseCode=1&amp;data%5Bpay_id%5D=1001&amp;data%5Bnote%5D=Order+7&amp;')
})
