import { expect, test } from 'vitest'
import { compareLists } from '../../ui/compare/differences.ts'

test('a comparison lists different fields with their values, and equal fields by name only', () => {
  expect(
    compareLists(
      [
        ['amount', '64'],
        ['note', 'a'],
        ['old', '1'],
      ],
      [
        ['amount', '0.01'],
        ['note', 'a'],
        ['new', '2'],
      ],
    ),
  ).toEqual({
    different: [
      { name: 'amount', left: '64', right: '0.01' },
      { name: 'old', left: '1', right: undefined },
      { name: 'new', left: undefined, right: '2' },
    ],
    equal: [{ name: 'note', value: 'a' }],
  })
})

test('fields with the same name are compared one by one, from first to last', () => {
  const cookies = [
    ['set-cookie', 'a'],
    ['set-cookie', 'b'],
  ] as const
  expect(compareLists(cookies, cookies).equal).toEqual([{ name: 'set-cookie', value: 'a\nb' }])
  expect(compareLists(cookies, cookies.toReversed()).different).toHaveLength(1)
})
