import { writeFileSync } from 'node:fs'
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
  use: { launchOptions: { executablePath: process.env.PAYLINK_TEST_BROWSER, args: ['--no-sandbox'] } },
}
`
  writeFileSync(installedPath('recipes/playwright/ours.config.ts'), ours)
  const { PAYLINK_TEST_BROWSER } = process.env

  const run = await runInstalled('recipes/playwright', ['npm', 'test', '--', '--config', 'ours.config.ts'], {
    PAYLINK_TEST_BROWSER,
  })

  expect(run).toEqual(passing)
})
