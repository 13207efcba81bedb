import { expect, test } from 'vitest'
import { responseFacts } from '../../server/domain/webhooks/response-facts.ts'

const factsOf = (body: string) =>
  responseFacts({ status: 500, responseHeaders: [], responseBody: new TextEncoder().encode(body) })

test.each([
  ['plain text', 'Not Found\n', 'Not Found'],
  ['JSON with an error', '{"error":"No order"}', 'No order'],
  ['JSON with a message in an error', '{"error":{"code":7,"message":"No order"}}', 'No order'],
  ['a problem document', '{"title":"Bad Request","status":400,"detail":"No order"}', 'No order'],
  ['a list of errors', '{"errors":[{"message":"No order"}]}', 'No order'],
  ['JSON without a reason', '{"ok":false}', '{"ok":false}'],
  ['JSON that is cut off', '{"error":"No or', '{"error":"No or'],
  ['a page', '<html><head><title>Bad\n gateway</title></head><h1>502</h1></html>', 'Bad gateway'],
  ['a title with markup', '<title>a &lt;b&gt;</title>', 'a <b>'],
  ['a page without a title', '<h1>502</h1>', '502'],
  ['nothing', ' \n ', undefined],
  [
    'a trace of Node.js',
    'TypeError: x is undefined\n    at pay (/app/webhook.js:12:5)',
    'TypeError: x is undefined',
  ],
  [
    'a trace of Python',
    'Traceback (most recent call last):\n  File "/srv/hook.py", line 21, in hook\n    order["id"]\nKeyError: \'id\'\n',
    "KeyError: 'id'",
  ],
  [
    'a trace in JSON',
    String.raw`{"message":"x is undefined","stack":"TypeError: x\n    at pay (/app/webhook.js:12:5)"}`,
    'x is undefined',
  ],
])('the reason for an error is found in %s', (_title, body, text) => {
  expect(factsOf(body).responseText).toBe(text)
})

test('the place of an error is found in a trace in JSON', () => {
  const body = String.raw`{"message":"x","stack":"TypeError: x\n    at pay (/app/webhook.js:12:5)"}`
  expect(factsOf(body)).toEqual({
    responseText: 'x',
    errorName: 'TypeError',
    errorPlace: '/app/webhook.js:12:5',
  })
})
