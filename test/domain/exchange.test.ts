import { expect, test } from 'vitest'
import { encodeBody, textBody } from '../../server/domain/http/exchange.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('a body in UTF-8 is kept as text, with its byte order mark', () => {
  expect(encodeBody(bytes('\ufeffBlüte'))).toEqual({ encoding: 'utf8', content: '\ufeffBlüte', size: 9 })
  expect(textBody('Blüte')).toEqual({ encoding: 'utf8', content: 'Blüte', size: 6 })
})

test('a body that is not UTF-8 is kept as base64', () => {
  expect(encodeBody(new Uint8Array([0, 255, 128]))).toEqual({ encoding: 'base64', content: 'AP+A', size: 3 })
})

test('a body that was truncated within a character is still text', () => {
  expect(encodeBody(bytes('Blü').subarray(0, 3), 100)).toEqual({ encoding: 'utf8', content: 'Bl', size: 100 })
})
