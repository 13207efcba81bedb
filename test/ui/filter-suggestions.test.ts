import { expect, test } from 'vitest'
import { eventTerms } from '../../ui/search/filter-terms.ts'
import { suggestTerms } from '../../ui/search/filter-suggestions.ts'

const context = {
  linkOf: () => undefined,
  accountNames: [],
  accountNameOf: (id: string) => id,
  findingsOf: () => [],
  hasBody: () => false,
}
const texts = (filter: string) => suggestTerms(filter, eventTerms(context)).map(({ text }) => text)

test('an empty filter suggests every key', () => {
  expect(texts('')).toEqual([
    'time:',
    'kind:',
    'is:',
    'status:',
    'event:',
    'order:',
    'payment:',
    'took:',
    'amount:',
    'account:',
    'host:',
    'path:',
    'body:',
    'fault:',
    'type:',
  ])
})

test.each<[title: string, filter: string, expected: readonly string[]]>([
  ['the beginning of a key', 'k', ['kind:']],
  [
    'the values of a key',
    'is:',
    [
      'is:failed ',
      'is:retried ',
      'is:held ',
      'is:stored ',
      'is:replay ',
      'is:forged ',
      'is:assumed ',
      'is:fault ',
      'is:different ',
    ],
  ],
  ['the beginning of a value', 'kind:w', ['kind:webhook ']],
  ['the terms before are kept', 'status:>=400 kind:red', ['status:>=400 kind:redirect ']],
  ['a minus is kept', 'is:failed -kind:pa', ['is:failed -kind:page ']],
  ['a complete value is not suggested', 'kind:webhook', []],
  ['another name of a key', 'note', ['order:']],
  ['another name of a key with a value', 'kind:api note:12', ['kind:api order:12 ']],
  ['free text has no suggestions', 'roses', []],
  ['an unknown key has no values', 'colour:', []],
])('the filter suggests values: %s', (_title, filter, expected) => {
  expect(texts(filter)).toEqual(expected)
})
