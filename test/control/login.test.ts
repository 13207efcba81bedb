import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, violationsIn } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const TOKEN = 'open sesame'

test('a browser logs in, and stays on the address it was opened with', async ({ page }) => {
  await using sandbox = await openSandbox({ adminToken: TOKEN })
  await sandbox.createLink()
  await page.goto(`${sandbox.url}/#/payments/1001`)
  await page.keyboard.type('open says me')
  await page.keyboard.press('Enter')
  await page.getByText('This is not the admin token of this sandbox.').waitFor()

  await page.keyboard.type(TOKEN)
  await page.keyboard.press('Enter')
  await page.getByText('Live', { exact: true }).waitFor()
  expect(page.url()).toBe(`${sandbox.url}/#/payments/1001`)

  await page.goto(`${sandbox.url}/docs/control`)
  await page.getByRole('heading', { name: 'Control API', level: 1 }).waitFor()
})

test('a link from another site finds the session of the browser', async ({ page }) => {
  await using sandbox = await openSandbox({ adminToken: TOKEN })
  await using site = await startReceiver((_received, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<a href="${sandbox.url}/#/test/faults">Faults</a> <a href="${sandbox.url}/docs/control">API</a>
       <a href="${sandbox.url}/?admin_token=${encodeURIComponent(TOKEN)}">With the token</a>`,
    )
  })
  // Another host name is another site.
  const siteUrl = site.url.replace('127.0.0.1', 'localhost')
  const follow = async (name: string) => {
    await page.goto(siteUrl)
    await page.getByRole('link', { name }).click()
  }
  await follow('Faults')
  await page.getByLabel('Admin token').waitFor()

  await follow('With the token')
  await page.getByText('Live', { exact: true }).waitFor()
  await follow('Faults')
  await page.getByText('Live', { exact: true }).waitFor()
  expect(page.url()).toBe(`${sandbox.url}/#/test/faults`)
  await follow('API')
  await page.getByRole('heading', { name: 'Control API', level: 1 }).waitFor()
})

test('a page whose session ends continues after a login in another tab', async ({ page, inspector }) => {
  const first = await openSandbox({ adminToken: TOKEN })
  const { port } = new URL(first.url)
  await inspector.open(first.url, `?admin_token=${encodeURIComponent(TOKEN)}`)
  await first.close()
  await page.getByText('Reconnecting…').waitFor()

  await using second = await openSandbox({ adminToken: 'another token', port: Number(port) })
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Log in' }).click()
  const tab = await opened
  await tab.getByText('Your session has expired.').waitFor()
  await tab.getByLabel('Admin token').fill('another token')
  await tab.keyboard.press('Enter')
  await tab.getByText('Live', { exact: true }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  expect(second.url).toBe(first.url)
})

test('the page with the form is accessible, and fits a phone', async () => {
  await using sandbox = await openSandbox({ adminToken: TOKEN })
  const page = await openPage({ viewport: { width: 320, height: 640 }, bypassCSP: true })
  for (const path of ['/', '/?admin_token=wrong', '/docs/control']) {
    const response = await page.goto(sandbox.url + path)
    expect(response!.status()).toBe(401)
    expect(await violationsIn(LIGHT_DARK_AND_FORCED, page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  }
})

const send = (url: string, token: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ admin_token: token }),
  })

test('the form starts a session only for the right token, and for pages of the sandbox', async () => {
  await using sandbox = await openSandbox({ adminToken: TOKEN })
  const answers = [
    await send(`${sandbox.url}/docs/control`, TOKEN),
    await send(sandbox.url, 'wrong'),
    await send(sandbox.url, ''),
    await send(sandbox.url, TOKEN, { origin: 'http://evil.example' }),
    await send(`${sandbox.url}/index.html`, TOKEN),
  ]
  expect(
    answers.map(({ status, headers }) => [status, headers.get('location'), headers.has('set-cookie')]),
  ).toEqual([
    [303, '/docs/control', true],
    [401, null, false],
    [401, null, false],
    [403, null, false],
    [401, null, false],
  ])
})

test('programs without the token get the reason as plain text', async () => {
  await using sandbox = await openSandbox({ adminToken: TOKEN })
  for (const path of ['/', '/docs/control']) {
    const response = await fetch(sandbox.url + path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      401,
      'text/plain; charset=UTF-8',
    ])
    expect(await response.text()).toContain('Authorization: Bearer <token>')
  }
})

test('a sandbox without a token has no login', async ({ sandbox }) => {
  expect((await send(sandbox.url, TOKEN)).status).toBe(404)
})
