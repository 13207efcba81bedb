import { expect, test } from 'vitest'
import { behaviorAdvice, behaviorNames } from '../../server/domain/behaviors/behavior.ts'

test.each(behaviorNames)('the advice on %s is an instruction', (name) => {
  expect(behaviorAdvice(name)).toMatch(/^(?!Or )[A-Z][^ ]+ .*[a-zA-Z]\.$/s)
})

test('the advice on finding an order names the field of the webhook', () => {
  expect(behaviorAdvice('payId')).toContain('note (data[note])')
})
