import { expect, test } from 'vitest'
import { LATE, passing, runInstalled } from '../support/installed.ts'

test('the shop keeps its contract with the service, whatever the reference leaves open', async () => {
  expect(await runInstalled('shop', ['npm', 'test', '--', LATE])).toEqual(passing)
})

test('the suite that all the shops share passes for it', async () => {
  const suite = ['node', '--test', 'shops/suite/contract.test.js']
  const { code, said } = await runInstalled('.', ['paylink-sandbox', 'exec', '--quiet', '--', ...suite])

  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('# fail 0') })
})
