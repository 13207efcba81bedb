import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { openPage } from '../support/browser.ts'
import { startReceiver } from '../support/receiver.ts'
import { test } from '../support/test.ts'

/** Breaks out of text, attributes, scripts and styles, and calls `owned` if it is read as HTML. */
const HOSTILE_TEXT = `"'></script></style><img src=x onerror=owned()><svg onload=owned()></svg><script>owned()</script><a href="javascript:owned()">x</a>`

/** A page that notices whether a foreign script ran or was blocked. */
async function watchedPage() {
  const page = await openPage()
  const owned: string[] = []
  page.on('dialog', (dialog) => {
    owned.push(dialog.message())
    void dialog.dismiss()
  })
  await page.exposeFunction('owned', () => owned.push('ran'))
  await page.exposeFunction('violated', (what: string) => owned.push(what))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      ;(window as unknown as { violated: (what: string) => void }).violated(
        `${violatedDirective} ${blockedURI}`,
      )
    })
  })
  return Object.assign(page, { owned })
}

test('texts of integrators, receivers and callers are shown as text on every page', async ({
  folder,
  sandbox,
}) => {
  await using receiver = await startReceiver((_received, response) => {
    response
      .writeHead(500, {
        'content-type': 'text/html',
        'x-evil': HOSTILE_TEXT,
        'set-cookie': 'paylink_admin=x',
      })
      .end(HOSTILE_TEXT)
  })
  const { answer: account } = await sandbox.control('POST', '/accounts', {
    name: HOSTILE_TEXT,
    billing: { company: HOSTILE_TEXT, name: HOSTILE_TEXT, street: HOSTILE_TEXT },
    paymentEndpoint: `${receiver.url}?${encodeURIComponent(HOSTILE_TEXT)}`,
  })
  const { envelope } = await sandbox.call<{ id: number; pay_link: string }>(
    'createLink',
    {
      amount: 5,
      recipient_note: HOSTILE_TEXT,
      callback_url: `http://localhost:1/?${HOSTILE_TEXT.replaceAll(' ', '')}`,
    },
    { token: account.apiKey },
  )
  const { id, pay_link } = envelope.data
  const { answer: paid } = await sandbox.control('POST', `/links/${id}/pay`)
  const open = await sandbox.call<{ pay_link: string }>(
    'createLink',
    { amount: 5, recipient_note: HOSTILE_TEXT },
    { token: account.apiKey },
  )
  await fetch(`${sandbox.url}/tunnel/evil/${encodeURIComponent(HOSTILE_TEXT)}`, {
    method: 'POST',
    headers: { 'x-evil': HOSTILE_TEXT, 'user-agent': HOSTILE_TEXT },
    body: HOSTILE_TEXT,
  })
  await sandbox.control('POST', `/faults?account=${account.id}`, {
    on: 'api',
    script: [`refuse:${HOSTILE_TEXT}`],
  })
  await sandbox.call('createLink', { amount: 5 }, { token: account.apiKey })
  const { answer } = await sandbox.control('GET', '/events?limit=100')
  const oneOfEach = new Map(answer.events.map(({ type, seq }) => [type, seq]))
  const page = await watchedPage()

  expect(paid.deliveries).toMatchObject([{ state: 'failed', attempts: [{ status: 500 }] }])
  for (const seq of oneOfEach.values()) {
    await page.goto(`${sandbox.url}/#/timeline/${seq}`)
    const details = page.getByRole('region', { name: 'Details' })
    await details.waitFor()
    for (const tab of await details.getByRole('tab').all()) await tab.click()
  }
  for (const hash of [
    'overview',
    `payments/${id}`,
    'payments/review',
    'test',
    'test/checks',
    'test/faults',
    `connect/accounts/${account.id}`,
    'connect/tunnels',
    'connect/maps',
    'connect/held-webhooks',
    'sandbox',
  ]) {
    await page.goto(`${sandbox.url}/#/${hash}`)
    await page.getByText('Live', { exact: true }).waitFor()
  }
  const file = join(folder.path, 'report.html')
  writeFileSync(file, await (await fetch(`${sandbox.url}/_sandbox/v1/report`)).text())
  await page.goto(`${pathToFileURL(file).href}#/timeline/${answer.events[0]!.seq}`)
  await page.getByText('Report (read only)').waitFor()
  for (const url of [
    pay_link,
    open.envelope.data.pay_link,
    `${open.envelope.data.pay_link}&outcome=${encodeURIComponent(HOSTILE_TEXT)}`,
    `${sandbox.url}/payment?link_id=${encodeURIComponent(HOSTILE_TEXT)}`,
    `${sandbox.url}/${encodeURIComponent(HOSTILE_TEXT)}`,
    `${sandbox.url}/docs`,
  ]) {
    await page.goto(url)
  }

  expect(page.owned).toEqual([])
})
