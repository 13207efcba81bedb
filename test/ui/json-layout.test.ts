import { expect, test } from 'vitest'
import { layOutJson } from '../../ui/components/json-layout.ts'

const laidOut = (text: string) =>
  layOutJson(text)
    ?.map((token) => token.text)
    .join('')

test.each<[title: string, text: string, expected: string | undefined]>([
  [
    'nested values are indented',
    '{"a":[1,{"b":null}]}',
    '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}',
  ],
  ['empty objects and lists stay on one line', '{"a":{},"b":[]}', '{\n  "a": {},\n  "b": []\n}'],
  ['decimals stay as written', '{"amount":100.00}', '{\n  "amount": 100.00\n}'],
  ['every digit is kept', '[12345678901234567890]', '[\n  12345678901234567890\n]'],
  ['strings stay unchanged', String.raw`["a,b:{\"c\"}é"]`, '[\n  ' + String.raw`"a,b:{\"c\"}é"` + '\n]'],
  ['text that is not JSON is not formatted', '{"a":', undefined],
])('JSON is formatted: %s', (_title, text, expected) => {
  expect(laidOut(text)).toBe(expected)
})

test('keys of an object are distinguished from strings', () => {
  expect(layOutJson('{"a":"b"}')?.filter(({ kind }) => kind !== 'mark')).toEqual([
    { kind: 'key', text: '"a"' },
    { kind: 'string', text: '"b"' },
  ])
})
