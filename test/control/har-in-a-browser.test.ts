import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { courier, openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('a browser can replay an export without the sandbox', async ({ folder, page }) => {
  const file = join(folder.path, 'run.har')
  const sandbox = await openSandbox()
  const { url } = sandbox
  const created = await sandbox.createLink()
  writeFileSync(file, await (await fetch(`${url}/_sandbox/v1/export.har`)).text())
  await sandbox.close()

  await page.route(`${url}/`, (route) => route.fulfill({ body: 'a shop' }))
  await page.routeFromHAR(file, { url: '**/api/v2/**', notFound: 'abort' })
  await page.goto(`${url}/`)
  const body = JSON.stringify({ amount: 100, recipients: [{ token: courier.recipientToken, share: 30 }] })
  const answered = await page.evaluate(async (given) => {
    const response = await fetch('/api/v2/createSplitLink', { method: 'POST', body: given })
    return (await response.json()) as { data: unknown }
  }, body)
  expect(answered.data).toEqual(created)
})
