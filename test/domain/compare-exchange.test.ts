import { expect, test } from 'vitest'
import { compareExchange } from '../../server/domain/api/compare-exchange.ts'
import { readFields, recipientTokensIn } from '../../server/domain/api/read-request.ts'
import { encodeBody, textBody, type Headers, type Response } from '../../server/domain/http/exchange.ts'

const answer = (fields: object, headers: Headers = []): Response => ({
  status: 200,
  headers: [['content-type', 'application/json'], ...headers],
  body: textBody(JSON.stringify({ Result: 'OK', ServerTime: 'CET', ...fields })),
})

const accepted = (data: object): Response => answer({ ResponseCode: 1, ResponseMsg: 'Success', data })
const refused = (ResponseMsg: string, error: string): Response =>
  answer({ ResponseCode: 0, ResponseMsg }, [['sandbox-error', error]])

const compared = (operation: string, fields: object, service: Response, sandbox: Response) => {
  const body = textBody(JSON.stringify(fields))
  const request = { method: 'POST', url: `https://pay.example/api/v2/${operation}`, headers: [], body }
  const comparison = compareExchange(operation, { request, response: service, sandboxResponse: sandbox })
  return 'comparisonSkipped' in comparison
    ? comparison.comparisonSkipped
    : comparison.differences.map(({ place }) => place)
}

test('two answers about a payment are compared only if the payment has the same outcome in both', () => {
  const unknown = refused('No such payment', 'linkUnknown')
  const fields = { pay_id: 1001 }
  const PAYMENT = 'The answer depends on a payment that only the real service knows.'

  expect(compared('refundPayment', fields, accepted({}), unknown)).toBe(PAYMENT)
  expect(compared('refundPayment', fields, refused('Paid out already', ''), unknown)).toBe(PAYMENT)
  expect(compared('refundPayment', fields, refused('No such payment', ''), unknown)).toEqual([])
  expect(compared('createLink', fields, accepted({}), unknown)).toContain('ResponseCode')
  expect(
    compared('refundPayment', fields, accepted({}), refused('The amount is no number', 'amountInvalid')),
  ).toContain('ResponseCode')
})

test('an address that a call names by its index is not compared', () => {
  const service = accepted({ callback_url: 'https://shop.example/a', note: 'a' })
  const sandbox = accepted({ callback_url: 'https://shop.example/b/c', note: 'b' })

  expect(compared('createLink', { callback_url: '1' }, service, sandbox)).toEqual(['data.note'])
  expect(compared('createLink', {}, service, sandbox)).toEqual(['data.callback_url', 'data.note'])
})

test('an answer that is cut off is not compared', () => {
  const cut = { ...accepted({}), body: encodeBody(new TextEncoder().encode('{"a'), 1000) }
  expect(compared('createLink', {}, cut, accepted({}))).toBe('The answer is too large to be compared.')
})

test.each([
  ['JSON', '{"recipients":[{"token":"one"},{"share":1}]}', ['one', '']],
  ['JSON with a byte order mark', '\uFEFF{"recipients":[{"token":"one"}]}', ['one']],
  ['a form', 'recipients[0][token]=one&recipients[1][token]=two', ['one', 'two']],
  ['a form with JSON', `recipients=${encodeURIComponent('[{"token":"one"}]')}`, ['one']],
  ['bytes', '\u0000\u0001', []],
])('the recipient tokens of a request are read from %s', (_form, text, tokens) => {
  expect(recipientTokensIn(readFields(textBody(text)))).toEqual(tokens)
})
