import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { courier, openSandbox, recipients, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { sized } from '../../support/size.ts'

const OPERATIONS = [
  'createSplitLink',
  'createLink',
  'refundPayment',
  'getTaxInvoiceList',
  'sendWebhookViaPayId',
]

let sandbox: OpenSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

/** Sends bytes that no client library would send. */
async function send(
  bytes: BodyInit | null,
  { method = 'POST', operation = 'createSplitLink', contentType = 'application/json' } = {},
) {
  const response = await fetch(`${sandbox.url}/api/v2/${operation}`, {
    method,
    headers: { token: shop.apiKey, ...(contentType === '' ? {} : { 'content-type': contentType }) },
    ...(bytes === null ? {} : { body: bytes }),
  })
  return { status: response.status, text: await response.text() }
}

const refusal = (message: string | RegExp) => ({
  ResponseCode: 0,
  ResponseMsg: typeof message === 'string' ? message : expect.stringMatching(message),
  Result: 'False',
  ServerTime: expect.stringMatching(/^CES?T$/),
})

const split = (fields: string): string =>
  `{"amount":100,"recipients":[{"token":"${courier.recipientToken}","share":30}],${fields}}`

test.each<[what: string, body: BodyInit | null, message: string | RegExp]>([
  ['no body', null, 'The request body is not valid JSON: it is empty'],
  ['only spaces', '  ', 'The request body is not valid JSON: it is empty'],
  ['half an object', '{"amount":', /^The request body is not valid JSON: Unexpected end/],
  ['NaN', '{"amount":NaN}', /^The request body is not valid JSON: Unexpected token/],
  ['a list', '[]', 'The request body should be a JSON object'],
  ['a text', '"amount"', 'The request body should be a JSON object'],
  ['null', 'null', 'The request body should be a JSON object'],
  ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'The request body is not valid UTF-8'],
  ['a number that is too large', '{"amount":1e400}', 'amount should be a finite number'],
  ['an amount of zero', '{"amount":0}', 'amount should be greater than zero'],
  ['a negative amount', '{"amount":-0.01}', 'amount should be greater than zero'],
  ['an amount with half a cent', '{"amount":0.005}', 'amount should have at most two decimals'],
  [
    'an amount with a rounding error',
    '{"amount":0.30000000000000004}',
    'amount should have at most two decimals',
  ],
  ['an amount beyond the limit', '{"amount":1000000000}', 'amount should be at most 999999999.99'],
  ['an amount as text', '{"amount":"100"}', 'amount should be a finite number'],
  ['an amount as a list', '{"amount":[100]}', 'amount should be a finite number'],
  ['no recipients', '{"amount":100}', 'Please enter recipients'],
  ['an empty list of recipients', '{"amount":100,"recipients":[]}', 'Please enter recipients'],
  ['recipients as an object', '{"amount":100,"recipients":{}}', 'recipients should be an array'],
  [
    'a recipient as text',
    '{"amount":100,"recipients":["x"]}',
    'recipients[0] should be an object with token and share',
  ],
  [
    'a recipient without token',
    '{"amount":100,"recipients":[{"share":1}]}',
    'Invalid recipient token at index 0',
  ],
  [
    'a recipient without share',
    '{"amount":100,"recipients":[{"token":"x"}]}',
    'Please enter recipients[0].share',
  ],
  [
    'targets in a list',
    split('"payment_endpoint":["0","https://shop.example/hook"]'),
    'payment_endpoint should be a string, several entries with commas between them',
  ],
  ['a note that is a number', split('"recipient_note":7'), 'recipient_note should be a string'],
  [
    'a lone surrogate',
    split('"recipient_note":"\\ud800"'),
    'recipient_note contains text that is not valid Unicode',
  ],
  ['an unknown split type', split('"split_type":"half"'), 'split_type should be normal or absolute'],
  ['cancellable as text', split('"cancellable":"no"'), 'cancellable should be true or false'],
  [
    'a javascript: URL as callback',
    split('"callback_url":"javascript:alert(1)"'),
    'callback_url entry 0 is neither an http(s) URL nor an index: javascript:alert(1)',
  ],
  [
    'a webhook target without slashes',
    split('"payment_endpoint":"http:localhost:3000/hook"'),
    'payment_endpoint entry 0 is neither an http(s) URL nor an index: http:localhost:3000/hook',
  ],
  [
    'a callback with a line break',
    split('"callback_url":"http://localhost/a\\r\\nx-evil: 1"'),
    'callback_url entry 0 is neither an http(s) URL nor an index: http://localhost/a\r\nx-evil: 1',
  ],
  [
    'a file: URL as webhook target',
    split('"payment_endpoint":"0,file:///etc/passwd"'),
    'payment_endpoint entry 1 is neither an http(s) URL nor an index: file:///etc/passwd',
  ],
  [
    'an index past the end',
    split('"payment_endpoint":"2"'),
    "payment_endpoint index 2 is out of range, the account's list has 2 entries",
  ],
  [
    'an index of 400 digits',
    split(`"callback_url":"${'9'.repeat(400)}"`),
    "callback_url index 99999999999999999999 is out of range, the account's list has 2 entries",
  ],
  [
    'too many targets',
    split(`"payment_endpoint":"${'0,'.repeat(100)}"`),
    'payment_endpoint should have at most 100 entries',
  ],
  ['nesting that would break a parser', '['.repeat(100_000), 'The request body is nested too deeply'],
])('a body with %s is refused with an envelope', async (_what, body, message) => {
  const { status, text } = await send(body)

  expect(status).toBe(200)
  expect(JSON.parse(text)).toEqual(refusal(message))
})

test.each([
  ['10.00000000000000001', 10],
  ['70.069999999999993', 70.07],
  ['999999999.990000000001', 999_999_999.99],
])('an amount of %s is read as the 64-bit float %d', async (written, amount) => {
  const { text } = await send(`{"amount":${written}}`, { operation: 'createLink' })
  expect(JSON.parse(text).data.amount).toBe(amount)
})

test.each([
  [
    'a form',
    'application/x-www-form-urlencoded',
    'Content-Type should be application/json, not application/x-www-form-urlencoded',
  ],
  ['plain text', 'text/plain; charset=utf-8', 'Content-Type should be application/json, not text/plain'],
])('a body of %s is not accepted as JSON', async (_what, contentType, message) => {
  const { text } = await send('{"amount":1}', { contentType })
  expect(JSON.parse(text)).toEqual(refusal(message))
})

test('application/json is accepted with a charset and in any case', async () => {
  const { text } = await send('{"amount":1}', {
    operation: 'createLink',
    contentType: 'Application/JSON; charset=UTF-8',
  })
  expect(JSON.parse(text)).toMatchObject({ ResponseCode: 1 })
})

test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('the method %s is refused', async (method) => {
  const { status, text } = await send(null, { method })

  expect(status).toBe(200)
  expect(JSON.parse(text)).toEqual(refusal(`Use POST for this operation, not ${method}`))
})

test.each([
  ['createsplitlink', 'Unknown operation createsplitlink, did you mean createSplitLink?'],
  ['refund', 'Unknown operation refund, did you mean refundPayment?'],
  ['pay', `Unknown operation pay. The operations are ${OPERATIONS.join(', ')}`],
  ['createLink/', 'Unknown operation createLink/, did you mean createLink?'],
  ['', `Unknown operation (none). The operations are ${OPERATIONS.join(', ')}`],
  ['%00%ff', `Unknown operation %00%ff. The operations are ${OPERATIONS.join(', ')}`],
])('the operation %j is refused', async (operation, message) => {
  const { text } = await send('{}', { operation })
  expect(JSON.parse(text)).toEqual(refusal(message))
})

test('a body above 1 MiB is refused, with or without a Content-Length', async () => {
  const large = split(`"recipient_note":"${'x'.repeat(1024 * 1024)}"`)
  const streamed = new Blob([large]).stream()

  expect(JSON.parse((await send(large)).text)).toEqual(refusal('The request body should be at most 1 MiB'))
  const response = await fetch(`${sandbox.url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: streamed,
    duplex: 'half',
  } as RequestInit)
  expect(await response.json()).toEqual(refusal('The request body should be at most 1 MiB'))
})

test.each([
  ['no bytes', null],
  ['spaces', ' \n'],
  ['a byte order mark', '\uFEFF'],
])('only the operation without required fields reads a body of %s as {}', async (_what, body) => {
  for (const operation of OPERATIONS) {
    const { text } = await send(body, { operation })
    const empty = refusal('The request body is not valid JSON: it is empty')
    const expected = operation === 'getTaxInvoiceList' ? { ResponseCode: 1, totalRecords: 15 } : empty
    expect([operation, JSON.parse(text)]).toMatchObject([operation, expected])
  }
  const { answer } = await sandbox.control('GET', '/events?type=diagnostic.found&limit=1')
  expect(answer.events).toMatchObject([{ code: 'notJson', seen: expect.stringContaining('empty') }])
})

test('an empty body that is accepted is an assumption, not a mistake', async () => {
  const { headers } = await sandbox.call('getTaxInvoiceList', '')
  expect(headers.get('sandbox-assumed')).toContain('emptyBody')
  expect(headers.get('sandbox-diagnostics')).toBeNull()
  expect((await sandbox.call('getTaxInvoiceList', '{}')).headers.get('sandbox-assumed')).not.toContain(
    'emptyBody',
  )
})

const good = { token: courier.recipientToken, share: 30 }

test.each<[operation: string, field: string, others: object, message: string]>([
  ['createLink', 'amount', {}, 'Please enter amount'],
  ['createSplitLink', 'amount', { recipients }, 'Please enter amount'],
  ['createSplitLink', 'recipients', { amount: 1 }, 'Please enter recipients'],
  ['refundPayment', 'pay_id', { refund_amount: 1 }, 'Please enter pay_id'],
  ['refundPayment', 'refund_amount', { pay_id: 1001 }, 'Please enter refund_amount'],
  ['sendWebhookViaPayId', 'pay_ids', { status: 'Success' }, 'Please enter pay_ids'],
  ['sendWebhookViaPayId', 'status', { pay_ids: '1001' }, 'Please enter status'],
])('%s: %s counts as missing if it is null or empty', async (operation, field, others, message) => {
  for (const value of [undefined, null, '']) {
    const { text } = await send(JSON.stringify({ ...others, [field]: value }), { operation })
    expect([value, JSON.parse(text)]).toEqual([value, refusal(message)])
  }
})

test.each<[what: string, recipient: unknown, message: string]>([
  ['no token', { share: 30 }, 'Invalid recipient token at index 1'],
  ['null as token', { token: null, share: 30 }, 'Invalid recipient token at index 1'],
  ['an empty token', { token: '', share: 30 }, 'Invalid recipient token at index 1'],
  ['a token that nobody has', { token: 'nobodys', share: 30 }, 'Invalid recipient token at index 1'],
  ['a number as token', { token: 7, share: 30 }, 'recipients[1].token should be a string'],
  [
    'a token that is not Unicode',
    { token: '\ud800', share: 30 },
    'recipients[1].token contains text that is not valid Unicode',
  ],
  ['no share', { token: courier.recipientToken }, 'Please enter recipients[1].share'],
  ['null as share', { ...good, share: null }, 'Please enter recipients[1].share'],
  ['an empty share', { ...good, share: '' }, 'Please enter recipients[1].share'],
  ['a share as text', { ...good, share: '30' }, 'recipients[1].share should be a finite number'],
  ['a share of zero', { ...good, share: 0 }, 'Share should be greater than zero at index 1'],
  ['null', null, 'recipients[1] should be an object with token and share'],
  ['a list', [], 'recipients[1] should be an object with token and share'],
])('a recipient with %s is named by its index', async (_what, recipient, message) => {
  const { text } = await send(JSON.stringify({ amount: 100, recipients: [good, recipient] }))
  expect(JSON.parse(text)).toEqual(refusal(message))
})

test('a body just below 1 MiB is accepted, with its whole note', async () => {
  const note = 'ü'.repeat(500_000)
  const { envelope } = await sandbox.call<{ recipient_note: string }>('createSplitLink', {
    amount: 1,
    recipients,
    recipient_note: note,
  })
  expect(envelope.data.recipient_note).toBe(note)
})

test.each([
  ['__proto__', '{"amount":1,"__proto__":{"polluted":true}}'],
  ['constructor', '{"amount":1,"constructor":{"prototype":{"polluted":true}}}'],
])('the field name %s is treated as an unknown field', async (_what, body) => {
  const { text } = await send(body, { operation: 'createLink' })

  expect(JSON.parse(text)).toMatchObject({ ResponseCode: 1 })
  expect({}).not.toHaveProperty('polluted')
})

test('a refused call creates no link and is recorded', async () => {
  const before = await sandbox.control('GET', '/links?limit=1000')
  await send(split('"payment_endpoint":"0,99"'))

  const after = await sandbox.control('GET', '/links?limit=1000')
  const { answer } = await sandbox.control('GET', '/events?type=api.request&limit=1')
  expect(after.answer).toEqual(before.answer)
  expect(answer.events).toMatchObject([{ type: 'api.request', code: 0, operation: 'createSplitLink' }])
})

test('every operation answers any JSON with a well-formed envelope', async () => {
  const known = [
    'amount',
    'recipients',
    'token',
    'share',
    'pay_id',
    'refund_amount',
    'pay_ids',
    'status',
    'page',
    'limit',
    'date',
  ]
  const value = fc.oneof(
    { withCrossShrink: true },
    fc.jsonValue(),
    fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), fc.jsonValue(), { maxKeys: 6 }),
    fc.record(
      {
        amount: fc.oneof(fc.double(), fc.integer(), fc.jsonValue()),
        recipients: fc.oneof(
          fc.array(
            fc.record({
              token: fc.constantFrom(courier.recipientToken, shop.recipientToken, ''),
              share: fc.double(),
            }),
          ),
          fc.jsonValue(),
        ),
        callback_url: fc.oneof(fc.webUrl(), fc.string(), fc.jsonValue()),
        payment_endpoint: fc.oneof(fc.webUrl(), fc.string(), fc.jsonValue()),
        recipient_note: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
        pay_id: fc.oneof(fc.double(), fc.maxSafeInteger(), fc.jsonValue()),
        refund_amount: fc.oneof(fc.double(), fc.jsonValue()),
        pay_ids: fc.oneof(fc.string(), fc.jsonValue()),
        status: fc.oneof(fc.constantFrom('Success', 'cancel'), fc.jsonValue()),
        page: fc.oneof(fc.double(), fc.maxSafeInteger(), fc.jsonValue()),
        limit: fc.oneof(fc.double(), fc.maxSafeInteger(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  )

  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...OPERATIONS), value, async (operation, body) => {
      const { status, text } = await send(JSON.stringify(body), { operation })
      const envelope = JSON.parse(text) as Record<string, unknown>

      expect(status).toBe(200)
      expect(envelope).toMatchObject({
        ResponseMsg: expect.stringMatching(/./),
        ServerTime: expect.stringMatching(/^CES?T$/),
      })
      expect([
        [1, 'True'],
        [0, 'False'],
      ]).toContainEqual([envelope.ResponseCode, envelope.Result])
      if (envelope.ResponseCode === 0) expect(envelope).not.toHaveProperty('data')
    }),
    { numRuns: sized({ full: 500, small: 100 }) },
  )
  expect(sandbox.problems).toEqual([])
})
