import { describe, expect } from 'vitest'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import { casesOf, type Mistake, mistakes } from '../../../fixtures/laboratory/mistakes.ts'
import { chosenMistakes, type CheckedShop, checkMistakes } from '../../support/laboratory.ts'
import { callerCases } from '../../../server/verify/caller-check/cases.ts'
import { checkCases } from '../../../server/verify/receiver-check/cases.ts'
import { test } from '../../support/test.ts'

/** This is a limit, not a wait: each check of a wrong shop waits for something that does not come. */
const LIMIT_MS = 3_600_000

/** A mistake that is listed as missed must not be found. Otherwise the list would become wrong unnoticed. */
function isAsExpected({ foundBy }: Mistake, { found, errors }: CheckedShop): boolean {
  const cases = casesOf(foundBy)
  if (cases.length > 0) return cases.every((name) => name in found)
  if (typeof foundBy === 'object' && 'ends' in foundBy)
    return errors.some((error) => error.includes(foundBy.with))
  return Object.keys(found).length + errors.length === 0
}

describe('the mistakes of the laboratory', { timeout: LIMIT_MS }, () => {
  test('each mistake is found by its case', async ({ sandbox }) => {
    await using handle = await connectSandbox(sandbox.url)

    const checked = await checkMistakes(handle)

    const chosen = chosenMistakes()
    expect(checked.filter((one, index) => !isAsExpected(chosen[index]!, one))).toEqual([])
  })

  test('each case finds a mistake', () => {
    const names = [
      ...checkCases.map(({ name }) => `check ${name}`),
      ...callerCases.map(({ name }) => `check --caller ${name}`),
    ]
    const finding = new Set<string>(mistakes.flatMap(({ foundBy }) => casesOf(foundBy)))

    // This case needs a shop that the check can kill, as `restart.test.ts` has one.
    expect(names.filter((name) => !finding.has(name))).toEqual(['check killed-after-answer'])
  })
})
