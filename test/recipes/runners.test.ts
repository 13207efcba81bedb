import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { installedPath, LONG_TIMEOUT, passing, runInstalled } from '../support/installed.ts'

test('the Vitest recipe passes unchanged', async () => {
  expect(await runInstalled('recipes/vitest', ['npm', 'test', '--', LONG_TIMEOUT])).toEqual(passing)
})

test('the Jest recipe passes unchanged, without Node flags', async () => {
  expect(await runInstalled('recipes/jest', ['npm', 'test', '--', LONG_TIMEOUT])).toEqual(passing)
})

test('the Playwright recipe passes with an installed browser', async () => {
  // The recipe does not configure the browser of this machine.
  const ours = `import config from './playwright.config.ts'
export default {
  ...config,
  use: { ...config.use, launchOptions: { executablePath: process.env.PAYLINK_TEST_BROWSER, args: ['--no-sandbox'] } },
}
`
  writeFileSync(installedPath('recipes/playwright/ours.config.ts'), ours)
  const { PAYLINK_TEST_BROWSER } = process.env

  const run = await runInstalled('recipes/playwright', ['npm', 'test', '--', '--config', 'ours.config.ts'], {
    PAYLINK_TEST_BROWSER,
  })

  expect(run).toEqual(passing)
})

test('a failed Playwright test prints what its account received, in a sandbox of its worker', async () => {
  const spec = `import { expect } from '@playwright/test'
import { test } from 'paylink-sandbox/playwright'

test('an order is paid', async ({ account, receiver }) => {
  receiver.reply(503)
  const { deliveries } = await account.pay(await account.createLink({ amount: 20 }))
  expect(deliveries[0]!.state).toBe('delivered')
})

test('another order is paid', async ({ account, receiver }) => {
  await account.pay(await account.createLink({ amount: 20 }))
  expect(receiver.received).toHaveLength(1)
})
`
  mkdirSync(installedPath('failed-playwright'))
  writeFileSync(installedPath('failed-playwright', 'shop.spec.ts'), spec)

  const { code, said } = await runInstalled('failed-playwright', ['playwright', 'test', '--reporter', 'list'])

  expect(code).toBe(1)
  expect(said).toContain('1 passed')
  expect(said).toContain('The newest events of the account shop.spec.ts > an order is paid:')
  expect(said).toMatch(/delivery\.attempted +✕ 503 /)
  expect(said).not.toContain('of the account shop.spec.ts > another order is paid')
})
