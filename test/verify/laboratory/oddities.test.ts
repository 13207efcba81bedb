import { expect, test } from 'vitest'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { checkOddities, chosenOddities } from '../../support/laboratory.ts'
import { openSandbox } from '../../support/sandbox.ts'

/** This is a limit, not a wait: some unusual shops work only after a while. */
const LIMIT_MS = 3_600_000

test('no case fails for an app that is unusual but correct', { timeout: LIMIT_MS }, async () => {
  // On a machine with slow processors, correct shops answer late.
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 30_000 })
  await using handle = await connectSandbox(sandbox.url)

  const checked = await checkOddities(handle)

  expect(checked).toHaveLength(chosenOddities().length)
  expect(checked.filter(({ found, errors }) => Object.keys(found).length + errors.length > 0)).toEqual([])
})
