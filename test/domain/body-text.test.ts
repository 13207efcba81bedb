import { expect, test } from 'vitest'
import { bodyContains, unescapedParts } from '../../server/domain/http/body-text.ts'

const form = new URLSearchParams({
  'data[note]': 'Order 12: Blumen für Jörg',
  'data[amount]': '64.00',
}).toString()

test.each([
  ['as it was sent', form, 'Order+12%3A'],
  ['decoded from a form', form, 'order 12: blumen FÜR jörg'],
  ['with the brackets of a form', form, 'data[amount]=64'],
  ['with the escapes of JSON', String.raw`{"note":"F\u00fcr \"Ida\""}`, 'für "ida"'],
  ['JSON within a form', new URLSearchParams({ data: String.raw`{"a":"\"x\""}` }).toString(), '"a":""x""'],
  ['beside an escape that is not UTF-8', 'a=%FC&b=Order+12', 'order 12'],
])('a search in a body finds a text %s', (_how, body, wanted) => {
  expect(bodyContains(body, wanted)).toBe(true)
})

test('a search in a body does not find another text', () => {
  expect(bodyContains(form, 'order 13')).toBe(false)
  expect(bodyContains('{"a":1}', 'order')).toBe(false)
  expect(unescapedParts('data[note]=Für 12')).toEqual(['data', 'note', 'F', 'r', '12'])
})
