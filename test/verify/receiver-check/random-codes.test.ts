import { expect, test } from 'vitest'
import { hasRandomCodes } from '../../../server/verify/app/webhooks/write-webhook.ts'

test.for<[note: string, isRandom: boolean]>([
  ['x7k2p9', true],
  ['Order x7k2p9', true],
  ['3f6c2b1a-1111-4222-8333-9a8b7c6d5e4f', true],
  ['order-3f6c2b1a-1111-4222-8333-9a8b7c6d5e4f', true],
  ['1042', false],
  ['INV-2026-0042', false],
  ['R1042', false],
  ['1042-x7k2p9', false],
  ['x7k2p9 of 2026', false],
  ['Two bottles of wine', false],
])('%s has only random codes: %s', ([note, isRandom]) => {
  expect(hasRandomCodes({ note })).toBe(isRandom)
})
