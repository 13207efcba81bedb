import { expect } from 'vitest'
import { mistakes } from '../../../fixtures/laboratory/mistakes.ts'
import { type Change, startShop } from '../../../fixtures/laboratory/shop.ts'
import { connectSandbox } from '../../../server/client/connect-sandbox.ts'
import {
  isPossible,
  historyName,
  readHistory,
  shorterHistories,
} from '../../../server/verify/receiver-check/histories/history.ts'
import { randomHistories } from '../../../server/verify/receiver-check/histories/random-histories.ts'
import type { OpenSandbox } from '../../support/sandbox.ts'
import { sized } from '../../support/size.ts'
import { test } from '../../support/test.ts'

const ABLE = { canRefund: true, canOrderAgain: true }

/** Plays histories with a shop of the laboratory. */
async function play({ url }: OpenSandbox, change: Change, options: object) {
  const sandbox = await connectSandbox(url)
  const { apiKey } = await sandbox.createAccount()
  await using shop = await startShop({ url, apiKey }, change)
  const { orderUrl, stateUrl, refundUrl } = shop
  return await sandbox.check(shop.receiver, {
    orderUrl,
    stateUrl,
    refundUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    countPointer: '/fulfilled',
    ...options,
  })
}

test('a seed draws the same histories again, and every history is possible', () => {
  const drawn = randomHistories(300, 7, ABLE)

  expect(randomHistories(300, 7, ABLE)).toEqual(drawn)
  expect(drawn).toHaveLength(300)
  expect(drawn.filter((history) => !isPossible(history))).toEqual([])
  expect(drawn.flatMap(shorterHistories).filter((history) => !isPossible(history))).toEqual([])
  expect(drawn.map((history) => readHistory(historyName(history)))).toEqual(drawn)
})

test('a correct shop passes random histories', async ({ sandbox }) => {
  const histories = sized({ full: 150, small: 25 })
  const { results, passed } = await play(sandbox, {}, { histories, seed: 1, timeoutMs: 60_000 })

  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(passed).toBe(histories)
})

test.for([
  ['cancel-is-final', /^cancel → (success|both|duplicate)$/],
  ['counts-every-webhook', /^(success|both|duplicate)( → (success|both|duplicate))?$/],
  [
    'stale-cancel-of-old-link',
    /^(cancel|cancel-redirect) → order-again → (success|both|duplicate) → older-cancel$/,
  ],
] as const)('the mistake %s is found, and its history is shortened', async ([id, shortest], { sandbox }) => {
  const { change } = mistakes.find((mistake) => mistake.id === id)!
  const { results } = await play(sandbox, change, { histories: 150, seed: 1, timeoutMs: 500 })

  const failed = results.filter(({ outcome, sameAs }) => outcome === 'failed' && sameAs === null)
  expect(failed.map(({ name }) => name)).toEqual([expect.stringMatching(shortest)])
  expect(failed[0]!.title).toMatch(/^One order: 1\. the /)
})
