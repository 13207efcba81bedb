import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { LIGHT_DARK_AND_FORCED, problemsAt, WIDE_AND_NARROW } from '../support/axe.ts'
import { openSandbox, recipients } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('answers of the upstream that differ are marked, found by is:different, and shown beside those of the sandbox', async ({
  page,
  inspector,
  folder,
}) => {
  await using service = await openSandbox({ behaviors: { errorStatus: 'http' } })
  await using mirror = await openSandbox({ upstream: service.url })
  const host = service.url.slice('http://'.length)
  await mirror.call('createSplitLink', { recipients })
  await mirror.createLink()
  await inspector.open(mirror.url)
  const equal = inspector.row(new RegExp(`200 createSplitLink.*answered by ${host}`))
  const different = inspector.row(/422 · differs Please enter amount/)
  await different.waitFor()
  expect(await equal.textContent()).not.toContain('differs')

  await inspector.open(mirror.url, '#/timeline?q=is:different')
  await different.click()
  await expect.poll(inspector.rowCount).toBe(1)
  const { details } = inspector
  await details.getByText('The service answers HTTP 422, the sandbox HTTP 200.').waitFor()
  await details.getByText(service.url, { exact: true }).waitFor()
  await details.getByRole('tab', { name: 'Response' }).click()
  await details.getByRole('heading', { name: 'What the sandbox would have answered' }).waitFor()
  expect(await details.locator('.first-line').allTextContents()).toEqual(['HTTP 422', 'HTTP 200'])
  expect(await problemsAt(WIDE_AND_NARROW, LIGHT_DARK_AND_FORCED, page)).toEqual([])

  const file = join(folder.path, 'report.html')
  writeFileSync(file, await (await fetch(`${mirror.url}/_sandbox/v1/report`)).text())
  await page.setViewportSize({ width: 1440, height: 844 })
  await page.goto(`${pathToFileURL(file).href}#/timeline?q=is:different`)
  await different.click()
  await details.getByRole('tab', { name: 'Overview' }).click()
  await details.getByText('The service answers HTTP 422, the sandbox HTTP 200.').waitFor()
})

test('a HAR file is imported by a command, and by dropping it', async ({ sandbox, page, inspector }) => {
  await using service = await openSandbox({ behaviors: { errorStatus: 'http' } })
  await service.call('createLink', {})
  await service.createLink()
  const har = await (await fetch(`${service.url}/_sandbox/v1/export.har`)).text()
  await inspector.open(sandbox.url)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command' }).fill('import')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('option', { name: /Import a HAR file/ }).click()
  const file = { name: 'checkout.har', mimeType: 'application/json', buffer: Buffer.from(har) }
  const done = page.getByText('2 calls imported, 1 different from the sandbox. 0 other requests ignored.')
  // The message disappears after some seconds.
  await Promise.all([done.waitFor(), (await choosing).setFiles(file)])
  await inspector.row(/422 · differs Please enter amount.*imported from checkout.har/).waitFor()
  await expect.poll(inspector.rowCount).toBe(1)

  const drop = async (text: string) => {
    const dataTransfer = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([content], 'dropped.har'))
      return transfer
    }, text)
    await page.dispatchEvent('body', 'drop', { dataTransfer })
  }
  await drop('{}')
  await page.getByText(/The file is not an HTTP Archive: log should be an object/).waitFor()

  const { log } = JSON.parse(har) as { log: { entries: { response: { content: object } }[] } }
  const unknown = { ...log.entries[1]!, response: { status: 200, content: { size: -1 } } }
  await drop(JSON.stringify({ log: { entries: [null, unknown, unknown] } }))
  await page
    .getByText('2 calls not compared: The HAR file does not contain the body of the answer.')
    .waitFor()
  await page.getByText('Left out log.entries[0]: it is null instead of an object.').waitFor()
  await inspector.open(sandbox.url, '#/timeline')
  await inspector
    .row(/the body is not known/)
    .first()
    .click()
  await inspector.details.getByRole('tab', { name: 'Response' }).click()
  await inspector.details.getByText('The HAR file does not contain the body.').waitFor()
  await inspector
    .row(/the body is not known/)
    .last()
    .click({ modifiers: ['Shift'] })
  await page.getByText('Not compared, because a HAR file does not contain the body.').waitFor()
})
