import { expect, test } from 'vitest'
import { LONG_TIMEOUT, passing, runInstalled } from '../support/installed.ts'

test('the example shop passes its contract tests with every option', async () => {
  expect(await runInstalled('shop', ['npm', 'test', '--', LONG_TIMEOUT])).toEqual(passing)
})

test('the example shop passes the test suite that all shops share', async () => {
  const suite = ['node', '--test', 'shops/suite/contract.test.js']
  const { code, said } = await runInstalled('.', ['paylink-sandbox', 'exec', '--quiet', '--', ...suite])

  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('# fail 0') })
})
