import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonErrorAt } from '../../server/domain/text/json-error-at.ts'

test.each([
  ['{"a": x}', 6],
  ['{"a": 1,}', 8],
  ['{"a" 1}', 5],
  ['[1 2]', 3],
  ['[1, 02]', 4],
  ['{a: 1}', 1],
  ['[1]]', 3],
  ['{"a": "b\n"}', 6],
  ['[1, 2', 5],
  ['[1}', 2],
  ['nulls', 0],
])('the error in %s is at %i', (text, at) => {
  expect(() => JSON.parse(text) as unknown).toThrow()
  expect(jsonErrorAt(text)).toBe(at)
})

test('JSON has no error, and a character that does not belong there is one', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, 4), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json) as unknown, undefined, indent)
      expect(jsonErrorAt(text)).toBe(text.length)
      expect(jsonErrorAt(`${text} #`)).toBe(text.length + 1)
    }),
  )
})
