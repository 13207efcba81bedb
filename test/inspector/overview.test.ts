import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, problemsAt } from '../support/axe.ts'
import { startReceiver } from '../support/receiver.ts'
import type { OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

async function run(sandbox: OpenSandbox): Promise<void> {
  await sandbox.createLink({ recipient_note: 'Order 7', payment_endpoint: 'http://127.0.0.1:9/closed' })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.createLink({ payment_endpoint: 'https://shop.example.com/hooks' })
  await sandbox.control('POST', '/links/1002/pay')
  await sandbox.call('createSplitLink', { amount: 0 })
}

test('each figure of the overview leads to its events', async ({ sandbox, page, inspector }) => {
  await run(sandbox)
  await inspector.open(sandbox.url, '#/overview')

  await page
    .getByRole('main')
    .getByRole('link', { name: /^Payments 2/ })
    .waitFor()
  await page.getByRole('link', { name: /^Held 1 shop\.example\.com/ }).waitFor()
  await page.getByRole('link', { name: /^Refused calls 1 of 3 calls/ }).waitFor()
  await page.getByRole('region', { name: 'Receivers' }).getByText('no answer').waitFor()
  await page.getByRole('link', { name: /^Failed attempts 1/ }).click()
  await inspector.row(/Nothing listens on 127\.0\.0\.1:9/).waitFor()
  expect(await page.getByRole('combobox').inputValue()).toBe('kind:webhook is:failed,retried')

  await page.goBack()
  await page
    .getByRole('region', { name: 'Findings by cause' })
    .getByRole('link', { name: '1 event' })
    .first()
    .click()
  await expect.poll(inspector.rowCount).toBe(1)
  expect(page.problems).toEqual([])
})

test('the overview begins with the failure, its cause and its remedy, and can replay the webhooks', async ({
  sandbox,
  page,
  inspector,
}) => {
  let isBroken = true
  const trace =
    "TypeError: Cannot read properties of undefined (reading 'id')\n    at pay (/app/web hook.js:1:1)\n    at pay (/app/webhook.js:12:5)"
  await using receiver = await startReceiver((_received, response) =>
    isBroken ? response.writeHead(500).end(trace) : response.end(),
  )
  const { host } = new URL(receiver.url)
  for (const id of [1001, 1002, 1003]) {
    isBroken = id !== 1001
    await sandbox.createLink({ payment_endpoint: receiver.url })
    await sandbox.control('POST', `/links/${id}/pay`)
  }
  await inspector.open(sandbox.url, '#/overview')
  const verdict = page.getByRole('region', { name: 'Verdict' })

  await verdict.getByRole('heading', { name: '2 of 3 paid payments have not reached your app.' }).waitFor()
  await verdict.getByText(`All 2: 500 from ${host}, TypeError in /app/webhook.js:12:5.`).waitFor()
  await verdict.getByText('Fix the exception at /app/webhook.js:12:5, then replay 2.').waitFor()
  expect(await verdict.getByRole('link', { name: '/app/webhook.js:12:5' }).first().getAttribute('href')).toBe(
    'vscode://file/app/webhook.js:12:5',
  )
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Payments\s*2$/ })
    .waitFor()
  expect(await page.title()).toBe('(2) Overview · paylink-sandbox')
  expect(await problemsAt([1440, 860, 390], LIGHT_DARK_AND_FORCED, page)).toEqual([])

  isBroken = false
  await verdict.getByRole('button', { name: 'Replay all 2' }).click()
  await verdict.getByRole('heading', { name: 'All 3 paid payments have reached your app.' }).waitFor()
  expect(page.problems).toEqual([])
})

test('the overview names the open points that the traffic relies on, and leads to each', async ({
  sandbox,
  page,
  inspector,
}) => {
  await sandbox.createLink()
  await inspector.open(sandbox.url, '#/overview')

  const points = page.getByRole('region', { name: 'What your integration relies on' })
  await points.getByRole('listitem').first().waitFor()
  await points.getByText('payId', { exact: true }).click()
  await points.getByRole('link', { name: 'payId on the Sandbox screen' }).click()

  await expect.poll(() => new URL(page.url()).hash).toBe('#/sandbox?point=payId')
})

test('the overview is accessible in all colors and widths', async ({ sandbox, page, inspector }) => {
  await run(sandbox)
  await inspector.open(sandbox.url, '#/overview')
  await page.getByRole('heading', { name: 'Findings by cause' }).waitFor()
  expect(await problemsAt([1440, 860, 390], LIGHT_DARK_AND_FORCED, page)).toEqual([])
})
