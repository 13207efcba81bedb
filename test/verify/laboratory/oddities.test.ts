import { expect } from 'vitest'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { checkOddities, chosenOddities } from '../../support/laboratory.ts'
import { test } from '../../support/test.ts'

/** This is a limit, not a wait: some unusual shops work only after a while. */
const LIMIT_MS = 3_600_000

// On a machine with slow processors, correct shops answer late.
test.override('sandboxOptions', { deliveryTimeoutMs: 30_000 })

test('no case fails for an app that is unusual but correct', { timeout: LIMIT_MS }, async ({ sandbox }) => {
  await using handle = await connectSandbox(sandbox.url)

  const checked = await checkOddities(handle)

  expect(checked).toHaveLength(chosenOddities().length)
  expect(checked.filter(({ found, errors }) => Object.keys(found).length + errors.length > 0)).toEqual([])
})
