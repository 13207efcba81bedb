import { describe, expect } from 'vitest'
import { connectSandbox } from '../../server/client/connect-sandbox.ts'
import type { Mistake } from '../../fixtures/laboratory/mistakes.ts'
import {
  chosenMistakes,
  chosenOddities,
  type Judged,
  judgeMistakes,
  judgeOddities,
} from '../support/laboratory.ts'
import { test } from '../support/test.ts'

/** This is a limit, not a wait: each check of a wrong shop waits for what does not come. */
const LIMIT_MS = 3_600_000

/** A mistake that is said to be missed must not be found either, so that what is said stays true. */
function isAsExpected({ foundBy }: Mistake, { found, errors }: Judged): boolean {
  if (typeof foundBy === 'string') return foundBy in found
  if ('ends' in foundBy) return errors.some((error) => error.includes(foundBy.with))
  return Object.keys(found).length + errors.length === 0
}

describe('the laboratory', { timeout: LIMIT_MS }, () => {
  test('each mistake is found by its case', async ({ sandbox }) => {
    await using handle = await connectSandbox(sandbox.url)

    const judged = await judgeMistakes(handle)

    const mistakes = chosenMistakes()
    expect(judged.filter((one, index) => !isAsExpected(mistakes[index]!, one))).toEqual([])
  })

  test('no oddity is blamed', async ({ sandbox }) => {
    await using handle = await connectSandbox(sandbox.url)

    const judged = await judgeOddities(handle)

    expect(judged).toHaveLength(chosenOddities().length)
    expect(judged.filter(({ found, errors }) => Object.keys(found).length + errors.length > 0)).toEqual([])
  })
})
