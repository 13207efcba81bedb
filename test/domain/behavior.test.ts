import { expect, test } from 'vitest'
import { behaviorNames } from '../../server/domain/behaviors/behavior.ts'
import { behaviors } from '../../server/domain/behaviors/open-points.ts'

test.each(behaviorNames)('the advice on %s is an instruction', (name) => {
  expect(behaviors[name].advice).toMatch(/^(?!Or )[A-Z][^ ]+ .*[a-zA-Z]\.$/s)
})

test('the advice on how to find an order names the field of the webhook', () => {
  expect(behaviors.payId.advice).toContain('note (data[note])')
})
