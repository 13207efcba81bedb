import { beforeAll, expect } from 'vitest'
import { test } from '../../server/package/vitest.ts'

let begun = 0
beforeAll(() => {
  begun = Date.now()
})

test('the sandbox of Vitest tests starts before the first test', async ({ sandbox }) => {
  const { run } = await sandbox.info()

  expect(Date.parse(run.since)).toBeLessThanOrEqual(begun)
})
