import { expect, test } from 'vitest'
import { layOutJson } from '../../ui/details/json-layout.ts'

const laidOut = (text: string) =>
  layOutJson(text)
    ?.map((token) => token.text)
    .join('')

test.each<[because: string, text: string, expected: string | undefined]>([
  ['nests', '{"a":[1,{"b":null}]}', '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}'],
  ['leaves empty ones short', '{"a":{},"b":[]}', '{\n  "a": {},\n  "b": []\n}'],
  ['keeps decimals as written', '{"amount":100.00}', '{\n  "amount": 100.00\n}'],
  ['keeps every digit', '[12345678901234567890]', '[\n  12345678901234567890\n]'],
  ['leaves strings alone', String.raw`["a,b:{\"c\"}é"]`, '[\n  ' + String.raw`"a,b:{\"c\"}é"` + '\n]'],
  ['gives up on what is not JSON', '{"a":', undefined],
])('JSON is formatted %s', (_title, text, expected) => {
  expect(laidOut(text)).toBe(expected)
})

test('keys are distinguished from strings', () => {
  expect(layOutJson('{"a":"b"}')?.filter(({ kind }) => kind !== 'mark')).toEqual([
    { kind: 'key', text: '"a"' },
    { kind: 'string', text: '"b"' },
  ])
})
