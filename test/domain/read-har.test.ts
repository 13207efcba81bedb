import { expect, test } from 'vitest'
import { findCalls, MAX_HAR_ENTRIES, readHar } from '../../server/domain/har/read-har.ts'
import { MIB } from '../../server/domain/http/limits.ts'

const entry = {
  startedDateTime: '2026-07-01T12:00:00.000+02:00',
  time: 12.5,
  request: {
    method: 'POST',
    url: 'https://dev.pay.example/api/v2/createLink',
    headers: [{ name: 'Token', value: 'dev01' }],
    postData: { mimeType: 'application/json', text: '{"amount":5}' },
  },
  response: {
    status: 200,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content: { size: 2, mimeType: 'application/json', text: '{}' },
  },
}

const harOf = (...entries: readonly unknown[]): string => JSON.stringify({ log: { version: '1.2', entries } })

const readOne = (changes: object) => readHar(harOf({ ...entry, ...changes }))[0]!

test('reads requests and responses, with bodies as text', () => {
  expect(readHar(`\uFEFF${harOf(entry)}`)).toEqual([
    {
      startedAt: '2026-07-01T10:00:00.000Z',
      ms: 12.5,
      error: null,
      upstream: null,
      exchange: {
        request: {
          method: 'POST',
          url: 'https://dev.pay.example/api/v2/createLink',
          headers: [
            ['Token', 'dev01'],
            ['Content-Type', 'application/json'],
          ],
          body: { encoding: 'utf8', content: '{"amount":5}', size: 12 },
        },
        response: {
          status: 200,
          headers: [['Content-Type', 'application/json']],
          body: { encoding: 'utf8', content: '{}', size: 2 },
        },
      },
    },
  ])
})

test('reads bodies as base64, and forms by their fields', () => {
  const { response } = entry
  const base64 = { size: 3, encoding: 'base64', text: btoa('ab\xff') }
  expect(readOne({ response: { ...response, content: base64 } }).exchange.response!.body).toEqual({
    encoding: 'base64',
    content: btoa('ab\xff'),
    size: 3,
  })
  const text = { size: 2, encoding: 'base64', text: btoa('{}') }
  expect(readOne({ response: { ...response, content: text } }).exchange.response!.body.content).toBe('{}')

  const params = [
    { name: 'amount', value: '100' },
    { name: 'recipients[0][token]', value: 'a & b' },
  ]
  const postData = { mimeType: 'application/x-www-form-urlencoded', params }
  expect(readOne({ request: { ...entry.request, postData } }).exchange.request.body.content).toBe(
    'amount=100&recipients%5B0%5D%5Btoken%5D=a+%26+b',
  )
})

test('long addresses, header fields and errors are cut', () => {
  const long = 'x'.repeat(100_000)
  const headers = Array.from({ length: 300 }, () => ({ name: long, value: long }))
  const postData = { mimeType: long, params: [{ name: 'note', value: 'x'.repeat(2 * MIB) }] }
  const recorded = readOne({
    request: { ...entry.request, url: `https://pay.example/api/v2/createLink?${long}`, headers, postData },
    response: { ...entry.response, headers, _error: long },
    _sandbox: { upstream: `https://pay.example/${long}` },
  })
  const { request, response } = recorded.exchange
  expect(request.url).toHaveLength(16 * 1024)
  for (const fields of [request.headers.slice(0, -1), response!.headers]) {
    expect(fields).toHaveLength(200)
    for (const [name, value] of fields) expect([name.length, value.length]).toEqual([200, 8 * 1024])
  }
  expect(request.headers.at(-1)![1]).toHaveLength(8 * 1024)
  expect([request.body.size, request.body.content.length]).toEqual([2 * MIB + 'note='.length, MIB])
  expect([recorded.error!.length, recorded.upstream]).toEqual([1_000, 'https://pay.example'])
})

test('a large body is cut to its first MiB, and keeps its size', () => {
  const { response } = entry
  const read = (content: object) => readOne({ response: { ...response, content } }).exchange.response!.body
  const size = MIB + 2
  const text = `a${'ä'.repeat(MIB / 2)}b`
  expect(read({ text })).toEqual({ encoding: 'utf8', content: `a${'ä'.repeat(MIB / 2 - 1)}`, size })
  expect(read({ encoding: 'base64', text: btoa('x'.repeat(size)) })).toEqual({
    encoding: 'utf8',
    content: 'x'.repeat(MIB),
    size,
  })
  const postData = { mimeType: 'text/plain', text: 'x'.repeat(size) }
  expect(readOne({ request: { ...entry.request, postData } }).exchange.request.body).toEqual({
    encoding: 'utf8',
    content: 'x'.repeat(MIB),
    size,
  })
})

test('a missing body, a missing response and a left out text are read as such', () => {
  const { postData: _postData, ...request } = entry.request
  expect(readOne({ request }).exchange.request.body).toEqual({ encoding: 'utf8', content: '', size: 0 })
  const gone = { status: 0, headers: [], content: {}, _error: 'net::ERR_FAILED' }
  expect(readOne({ response: gone })).toMatchObject({
    error: 'net::ERR_FAILED',
    exchange: { response: null },
  })
  const leftOut = { ...entry.response, content: { size: 700 } }
  expect(readOne({ response: leftOut }).exchange.response!.body).toMatchObject({ content: '', size: 700 })
})

test.for([
  ['', /it is not JSON/],
  ['[]', /The file should be an object/],
  ['{"log":{}}', /log.entries should be a list/],
  [harOf(3), /log\.entries\[0\] should be an object/],
  [
    harOf(entry, { ...entry, startedDateTime: 'soon' }),
    /log\.entries\[1\]\.startedDateTime should be a time/,
  ],
  [harOf({ ...entry, request: { ...entry.request, url: 'no url' } }), /request\.url should be a URL/],
  [harOf({ ...entry, request: { ...entry.request, headers: [{}] } }), /headers\[0\]\.name should be text/],
  [
    harOf({ ...entry, response: { ...entry.response, status: '200' } }),
    /response\.status should be a number/,
  ],
  [
    harOf({ ...entry, response: { ...entry.response, content: { encoding: 'base64', text: '%' } } }),
    /response\.content\.text should be base64/,
  ],
] as const)('a broken file is refused with the place of the mistake: %s', ([text, message]) => {
  expect(() => readHar(text)).toThrow(message)
  expect(() => readHar(text)).toThrow(/not an HTTP Archive/)
})

test('a file with too many requests is refused', () => {
  const many = `{"log":{"entries":[${'0,'.repeat(MAX_HAR_ENTRIES)}0]}}`
  expect(() => readHar(many)).toThrow(`It may have at most ${MAX_HAR_ENTRIES}.`)
})

test('an infinite duration is read as none, and a password in a URL is dropped', () => {
  expect(readHar(harOf(entry).replace('"time":12.5', '"time":1e999'))[0]!.ms).toBe(0)
  const url = 'https://shop:geheim@dev.pay.example/api/v2/createLink?a=1'
  expect(readOne({ request: { ...entry.request, url } }).exchange.request.url).toBe(
    'https://dev.pay.example/api/v2/createLink?a=1',
  )
})

test('requests that HTTP cannot send are no calls', () => {
  const { request } = entry
  const odd = [
    { url: 'file:///api/v2/createLink' },
    { url: 'chrome-extension://abc/api/v2/createLink' },
    { method: 'POST \nX' },
    { method: '' },
  ].map((changes) => ({ ...entry, request: { ...request, ...changes } }))
  expect(findCalls(readHar(harOf(entry, ...odd)))).toMatchObject({ calls: { length: 1 }, ignored: 4 })
})

test('calls are found by their path, and by their origin', () => {
  const at = (url: string) => ({ ...entry, request: { ...entry.request, url } })
  const recorded = readHar(
    harOf(
      entry,
      at('https://shop.example/api/v2/createLink'),
      at('https://dev.pay.example/payment?link_id=1'),
    ),
  )
  expect(findCalls(recorded)).toMatchObject({ calls: { length: 2 }, ignored: 1 })
  expect(findCalls(recorded, 'https://dev.pay.example')).toMatchObject({ calls: { length: 1 }, ignored: 2 })
})
