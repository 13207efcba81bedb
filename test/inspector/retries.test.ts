import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { violationsOn } from '../support/axe.ts'
import { openPage } from '../support/browser.ts'
import { inspectorOn } from '../support/inspector.ts'
import { startReceiver } from '../support/receiver.ts'
import { openSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a webhook that will be retried is pending, shows when, and follows the clock', async () => {
  let isDown = true
  await using receiver = await startReceiver((_received, response) => {
    response.writeHead(isDown ? 500 : 200).end()
  })
  await using sandbox = await openSandbox({ behaviors: { retries: '1h,1d' } })
  await sandbox.control('PUT', '/clock', { now: '2026-11-10T12:00:00Z', mode: 'frozen' })
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', `/links/${id}/pay`)

  const page = await openPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const { open, row, details } = inspectorOn(page)
  await open(sandbox.url, '#/timeline')
  await press(page, 'Time zone: local')
  await row(/↻ 500.*next attempt in 60 min/).click()
  await details.getByText('Next attempt', { exact: true }).waitFor()
  await details.getByRole('tab', { name: /^Attempts/ }).click()
  await details.getByText('The next attempt is due at 2026-11-10 13:00:00.000 UTC').waitFor()

  await page.goto(`${sandbox.url}/#/payments/${id}`)
  await page.getByText('List', { exact: true }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'Webhook →' })
  await line.getByText('○ pending').waitFor()
  await line.getByText('13:00:00').waitFor()
  expect(await violationsOn(page)).toEqual([])

  await page.getByRole('button', { name: /^Clock/ }).click()
  await press(page, '+1 h')
  await page.getByText('Advanced by one hour. 1 webhook attempt made').waitFor()
  isDown = false
  await press(page, '+1 day')
  await line.getByText('✓ 200').waitFor()
  await line.getByText('pending').waitFor({ state: 'detached' })
  await line.getByRole('link', { name: '2026-11-11 13:00:00.000' }).waitFor()
  expect(page.problems).toEqual([])
})

test('below an attempt of tomorrow, a step of today shows its date', async ({ page, inspector }) => {
  await using receiver = await startReceiver((_received, response) => {
    response.writeHead(500).end()
  })
  await using sandbox = await openSandbox({ behaviors: { retries: '1h' } })
  await sandbox.control('PUT', '/clock', { now: '2026-11-10T23:30:00Z', mode: 'frozen' })
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', `/links/${id}/pay`)
  await sandbox.control('PUT', `/links/${id}/dispute`)

  await inspector.open(sandbox.url, `#/payments/${id}`)
  await press(page, 'Time zone: local')
  await page.getByText('List', { exact: true }).click()

  const line = (text: string) => page.getByRole('listitem').filter({ hasText: text }).last()
  const time = (text: string, name: string) => line(text).getByRole('link', { name, exact: true }).waitFor()
  await time('Paid by card', '23:30:00.000')
  await line('Webhook →').getByText('2026-11-11 00:30:00').waitFor()
  await time('Dispute opened', '2026-11-10 23:30:00.000')

  await sandbox.control('POST', '/deliveries/1/replay', {})
  await time('Replay →', '2026-11-10 23:30:00.000')
  await time('Dispute opened', '23:30:00.000')
})
