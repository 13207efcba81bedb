import { expect, test } from 'vitest'
import { passing, runInstalled } from '../support/installed.ts'

test('the shop keeps its contract with the service, whatever the reference leaves open', async () => {
  expect(await runInstalled('shop', ['npm', 'test'])).toEqual(passing)
})
