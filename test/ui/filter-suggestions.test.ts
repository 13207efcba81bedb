import { expect, test } from 'vitest'
import { suggestTerms } from '../../ui/filter-suggestions.ts'

const texts = (filter: string) => suggestTerms(filter).map(({ text }) => text)

test('an empty filter suggests every key', () => {
  expect(texts('')).toEqual([
    'kind:',
    'is:',
    'status:',
    'pay:',
    'path:',
    'fault:',
    'dur:',
    'type:',
    'account:',
  ])
})

test.each<[because: string, filter: string, expected: readonly string[]]>([
  ['the beginning of a key', 'k', ['kind:']],
  [
    'a key is offered its values',
    'is:',
    ['is:failed ', 'is:held ', 'is:replay ', 'is:assumed ', 'is:fault '],
  ],
  ['the beginning of a value', 'kind:w', ['kind:webhook ']],
  ['what stands before is kept', 'status:>=400 kind:red', ['status:>=400 kind:redirect ']],
  ['so is the minus', 'is:failed -kind:pa', ['is:failed -kind:page ']],
  ['a value that is there already is no suggestion', 'kind:webhook', []],
  ['free text is left alone', 'order', []],
  ['an unknown key has no values', 'colour:', []],
])('%s', (_title, filter, expected) => {
  expect(texts(filter)).toEqual(expected)
})
