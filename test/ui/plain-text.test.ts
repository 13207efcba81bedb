import { expect, test } from 'vitest'
import { plainText } from '../../ui/components/plain-text.ts'

test.each([
  ['Database is locked', 'Database is locked'],
  ['2 < 3 and 4 > 3', '2 < 3 and 4 > 3'],
  ['<h1>Internal error</h1>\n<p>Database is <b>locked</b></p>', 'Internal error Database is locked'],
  ['<!doctype html><title>502</title><hr class="a', '502'],
  ['<html><body class="', ''],
])('the text of the answer %j is %j', (answer, text) => {
  expect(plainText(answer)).toBe(text)
})
