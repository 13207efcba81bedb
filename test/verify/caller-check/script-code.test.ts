import { expect, test } from 'vitest'
import { scriptCode } from '../../../server/verify/caller-check/pages/script-code.ts'

test.for<[script: string, code: string]>([
  [`track('a', "b")`, `track('', '')`],
  [
    String.raw`track('it\'s', "\"", 'two\
lines')`,
    `track('', '', '')`,
  ],
  ['a // it\'s\nb /* " */ c', 'a  \nb   c'],
  ["<!-- it's\nshow()\n//-->", ' \nshow()\n '],
  ['show(`a ${`b ${c({ d: "}" })}` + e} \\` f`)', "show(((c({ d: '' })'' + e'')"],
  [`x = a / b / c`, `x = a / b / c`],
  [`x = /[/']"/g.test(a) && (b) / 2`, `x = ''.test(a) && (b) / 2`],
  [`return /'/`, `return ''`],
  [`'open\nshow()`, `''\nshow()`],
])('the code of %s is %s', ([script, code]) => {
  expect(scriptCode(script)).toBe(code)
})
