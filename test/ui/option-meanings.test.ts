import { expect, test } from 'vitest'
import { behaviorNames, openPoints, listOptions } from '../../server/domain/behaviors/behavior.ts'
import { parseOptionMeanings } from '../../ui/account/option-meanings.ts'

test.each(behaviorNames)('%s says what each of its options does', (name) => {
  const options = listOptions(name)
  const found = parseOptionMeanings(openPoints[name].assumption, options)
  expect([...found.keys()].toSorted()).toEqual(options.toSorted())
  for (const meaning of found.values()) expect(meaning).toMatch(/\S/)
})

test('an option that begins like another is told apart', () => {
  const text = 'json: anything else is refused. json-or-form: forms are read as well.'
  expect(Object.fromEntries(parseOptionMeanings(text, ['json', 'json-or-form']))).toEqual({
    json: 'anything else is refused',
    'json-or-form': 'forms are read as well',
  })
})

test('a text without options has no meanings to give', () => {
  expect(parseOptionMeanings('Timestamps are Europe/Berlin.', ['berlin']).size).toBe(0)
})
