import { expect, test } from 'vitest'
import { behaviorAdvice, behaviorNames } from '../../server/domain/behaviors/behavior.ts'

test.each(behaviorNames)('the advice on %s reads as what to do', (name) => {
  expect(behaviorAdvice(name)).toMatch(/^(?!Or )[A-Z][^ ]+ .*[a-zA-Z]\.$/s)
})

test('an order is found by the field that the webhook has', () => {
  expect(behaviorAdvice('payId')).toContain('note (data[note])')
})
