import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines } from '../../ui/compare/diff-lines.ts'

test('a difference of two texts turns one into the other, and keeps the common lines', () => {
  const line = fc.constantFrom('a', 'b', 'c', '')
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (left, right) => {
      const lines = diffLines(left, right)
      const without = (kind: string) => lines.filter((one) => one.kind !== kind).map(({ text }) => text)
      expect(without('added')).toEqual(left)
      expect(without('removed')).toEqual(right)
    }),
  )
  expect(diffLines(['a', 'b', 'c', 'd'], ['a', 'c', 'x', 'd'])).toEqual([
    { kind: 'equal', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'equal', text: 'c' },
    { kind: 'added', text: 'x' },
    { kind: 'equal', text: 'd' },
  ])
})

test('a difference in long texts is shown as one replaced part', () => {
  const textOf = (word: string) => [
    'first',
    ...Array.from({ length: 3_000 }, (_, index) => (index === 1_500 ? 'middle' : `${word} ${index}`)),
    'last',
  ]
  const lines = diffLines(textOf('old'), textOf('new'))
  expect(lines.filter(({ kind }) => kind === 'equal').map(({ text }) => text)).toEqual(['first', 'last'])
  expect(lines).toHaveLength(6_002)
})
