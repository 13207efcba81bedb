import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import {
  COLOR_RULES,
  keepOneOfEachKind,
  LIGHT_AND_DARK,
  problemsAt,
  violationsOn,
  WIDE_AND_NARROW,
} from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const run = promisify(execFile)

const PAGES = ['/docs', '/docs/control'] as const

describe.each(PAGES)('the page %s', (path) => {
  test('is accessible in light and dark, on wide and narrow screens', async ({ sandbox }) => {
    // Axe runs as a script, which the policy of these pages forbids.
    const page = await openPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true })
    await page.goto(sandbox.url + path)
    expect(await violationsOn(page, { except: COLOR_RULES })).toEqual([])

    // Axe needs seconds for the colors of a page with thousands of elements.
    await keepOneOfEachKind(page)
    expect(await problemsAt(WIDE_AND_NARROW, LIGHT_AND_DARK, page)).toEqual([])
    expect(page.problems).toEqual([])
  })

  test('does not scroll sideways on wide and narrow screens', async ({ sandbox, page }) => {
    await page.goto(sandbox.url + path)
    for (const width of WIDE_AND_NARROW) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
  })

  test('makes no requests to other origins, and runs only the script of Try it', async ({
    sandbox,
    page,
  }) => {
    const scripts = path === '/docs' ? [`${sandbox.url}/docs/try-it.js`] : []
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const response = await page.goto(sandbox.url + path)

    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([
      sandbox.url + path,
      `${sandbox.url}/docs/style.css`,
      ...scripts,
    ])
    expect(response!.headers()['content-security-policy']).toContain("default-src 'none'")
    expect(await page.locator('script').count()).toBe(scripts.length)
    expect(page.problems).toEqual([])
  })

  test('has a target for each of its links, and no link to another site', async ({ sandbox }) => {
    const html = await read(sandbox.url + path)
    const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href)
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => `#${id}`)

    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((href) => href.startsWith('#') && !ids.includes(href))).toEqual([])
    expect(links.filter((href) => href.startsWith('http'))).toEqual([])
  })
})

const read = async (url: string): Promise<string> => (await fetch(url)).text()

const ENTITIES: Record<string, string> = {
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}

/** HTML as a reader sees it: without tags and entities. */
const textOf = (html: string): string =>
  html.replaceAll(/<[^>]+>/g, '').replaceAll(/&(quot|#39|lt|gt|amp);/g, (entity) => ENTITIES[entity]!)

/** The commands that a page shows for an operation. */
async function commandsOf(url: string, path: string, operation: string): Promise<string[]> {
  const html = await read(url + path)
  const [, section = ''] = html.split(` id="${operation}"`)
  const blocks = [...section.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, block = '']) => textOf(block))
  const text = blocks.find((block) => block.includes('curl ')) ?? ''
  return text.split('\n\n').map((command) => command.trim())
}

test.for(['createSplitLink', 'createLink', 'refundPayment', 'getTaxInvoiceList', 'sendWebhookViaPayId'])(
  'the commands for %s run as printed',
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
])('the command for %s runs as printed', async (operation, { sandbox }) => {
  const [command] = await commandsOf(sandbox.url, '/docs/control', operation)
  const { stdout } = await run('sh', ['-c', `${command} -s -f`])
  expect(JSON.parse(stdout)).not.toHaveProperty('title')
})

test('the command for an upload sends the file', async ({ folder, sandbox }) => {
  await sandbox.control('POST', '/snapshots', { name: 'taken' })
  const taken = await fetch(`${sandbox.url}/_sandbox/v1/snapshots/taken/file`)
  writeFileSync(join(folder.path, 'snapshot.ndjson.gz'), Buffer.from(await taken.arrayBuffer()))

  const [command] = await commandsOf(sandbox.url, '/docs/control', 'putSnapshotsNameFile')
  const { stdout } = await run('sh', ['-c', `${command} -s -f`], { cwd: folder.path })
  expect(JSON.parse(stdout)).toMatchObject({ name: 'three-paid-links', problem: null })
})

test('the inspector links to both API documents', async ({ sandbox, page }) => {
  await page.goto(`${sandbox.url}/`)
  await page.getByRole('link', { name: 'API documents' }).click()
  await page.getByRole('heading', { level: 1, name: 'Payment Link Service API' }).waitFor()
  await page.getByRole('link', { name: 'Control API', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Control API of paylink-sandbox' }).waitFor()
})

/** The rows of the tables of fields, with a bar after each cell. */
const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => textOf(row.replaceAll('</td>', ' | ')))

test.for(PAGES)('the page %s states each limit of a field once', async (path, { sandbox }) => {
  const rows = rowsOf(await read(sandbox.url + path))

  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter((row) => /(More than|At least|At most) (\S+?)[.,].*\1 \2\./.test(row))).toEqual([])
  expect(rows.filter((row) => /from (\d+) to (\d+).*At least \1\. At most \2\./.test(row))).toEqual([])
})

test('the types of fields include boolean strings, and form examples are form-encoded', async ({
  sandbox,
}) => {
  const html = await read(`${sandbox.url}/docs`)

  expect(rowsOf(html)).toContainEqual(
    expect.stringMatching(/^bank_transferboolean or "true" or "false" or null/),
  )
  // Only one spelling of the status is assumed.
  expect(rowsOf(html)).toContainEqual(
    expect.stringMatching(/^data\[status\]Success or cancel or success .*success \(statusText\)\./),
  )
  expect(html).toContain(
    '<code translate="no">ResponseCode=1&amp;data%5Bpay_id%5D=1001&amp;data%5Bnote%5D=Order+7&amp;',
  )
})

test('guides: pages are accessible in light and dark, wide and narrow', async ({ sandbox }) => {
  const page = await openPage({ bypassCSP: true })
  const searches = ['webhook', 'slow+receiver', 'kuberntes', 'zebra+xylophone'].map(
    (text) => `?search=${text}`,
  )
  for (const path of ['', '/webhooks', '/testing-in-node', ...searches]) {
    await page.goto(`${sandbox.url}/docs/guides${path}`)
    expect(await problemsAt(WIDE_AND_NARROW, LIGHT_AND_DARK, page)).toEqual([])
  }
  expect(page.problems).toEqual([])
})

test('every link from the inspector to a guide leads to its heading', async ({ sandbox, page }) => {
  const found = new Set<string>()
  for (const screen of [
    'timeline',
    'test/checks',
    'test/faults',
    'connect/tunnels',
    'connect/maps',
    'connect/held-webhooks',
    'sandbox',
  ]) {
    await page.goto(`${sandbox.url}/#/${screen}`)
    await page.getByText('Live', { exact: true }).waitFor()
    if (screen !== 'timeline')
      await page
        .getByRole('link', { name: /^Guide: / })
        .first()
        .waitFor()
    const links = page.locator('a[href*="/docs/guides"]')
    for (const href of await links.evaluateAll((all) =>
      all.map((link) => (link as HTMLAnchorElement).href),
    )) {
      found.add(href)
    }
  }
  expect(found.size).toBeGreaterThanOrEqual(7)
  for (const href of found) {
    const response = await fetch(href)
    expect({ href, status: response.status }).toEqual({ href, status: 200 })
    const id = new URL(href).hash.slice(1)
    if (id !== '') expect(await response.text(), href).toContain(`id="${id}"`)
  }
})

test('Try it sends an example to the sandbox, with the key of the seed', async ({ sandbox, page }) => {
  await page.goto(`${sandbox.url}/docs`)
  await page
    .getByRole('button', { name: /^Try it: .*split/i })
    .first()
    .click()

  await page.locator('#createSplitLink output').getByText('"ResponseCode": 1').waitFor()
  const { answer } = await sandbox.control('GET', '/events?type=api.request')
  expect(answer.events.map(({ operation }) => operation)).toEqual(['createSplitLink'])
  expect(page.problems).toEqual([])
})

test.for(['same', 'distinct'])(
  'Try it creates and pays a link for an example that needs a paid one, if payId is %s',
  async (payId, { sandbox, page }) => {
    await sandbox.control('PATCH', '/behaviors', { payId })
    await sandbox.createLink()
    await page.goto(`${sandbox.url}/docs`)
    await page.locator('#refundPayment').getByRole('button', { name: 'Try it' }).click()

    await page.locator('#refundPayment output').getByText('"ResponseCode": 1').waitFor()
    const { answer } = await sandbox.control('GET', '/refunds')
    expect(answer.refunds).toMatchObject([{ payId: payId === 'same' ? 1002 : 700_002, state: 'pending' }])
    expect(page.problems).toEqual([])
  },
)

test('without access to the key, there is no Try it', async () => {
  await using sandbox = await openSandbox({ adminToken: 'a longer token' })
  expect(await read(`${sandbox.url}/docs`)).not.toContain('class="try"')
})
