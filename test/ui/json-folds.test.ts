import { expect, test } from 'vitest'
import { foldsOf, isFold, lineCount, type Part } from '../../ui/details/json-folds.ts'
import { layOutJson } from '../../ui/components/json-layout.ts'

/** The text with every fold open. A block starts on a new line, as in a browser. */
const read = (parts: readonly Part[]): string =>
  parts
    .map((part, index) =>
      isFold(part)
        ? `${index === 0 ? '' : '\n'}${part.head.map(({ text }) => text).join('')}\n${read(part.parts)}\n`
        : part.text,
    )
    .join('')

test.each([
  '{"a":[1,{"b":null}],"c":{"d":{"e":"f"}},"g":[]}',
  '[[1],[2,[3]]]',
  '{"data":{"recipients":[{"token":"a","share":1},{"token":"b","share":2}],"note":"{"}}',
  '[]',
  '1',
])('with every fold open, %s is the formatted text', (text) => {
  const tokens = layOutJson(text)!
  expect(read(foldsOf(tokens))).toBe(tokens.map((token) => token.text).join(''))
})

test('a folded part has a first line and a number of lines', () => {
  const outer = foldsOf(layOutJson('{"a":{"b":1,"c":2}}')!).find(isFold)
  expect(lineCount(layOutJson('{"a":{"b":1,"c":2}}')!)).toBe(6)
  expect(outer).toMatchObject({ lines: 5, head: [{ text: '{' }] })
  const inner = outer?.parts.find(isFold)
  expect(inner).toMatchObject({ lines: 3 })
  expect(inner?.head.map(({ text }) => text).join('')).toBe('  "a": {')
})
