import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeHar, MAX_HAR_ENTRIES, readHar } from '../../server/domain/har/read-har.ts'
import { MIB } from '../../server/domain/http/limits.ts'
import { sized } from '../support/size.ts'

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

const readOne = (changes: object) => readHar(harOf({ ...entry, ...changes })).calls[0]!

test('a HAR file is read with its requests and responses, and bodies as text', () => {
  expect(readHar(harOf(entry)).calls).toEqual([
    {
      index: 0,
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

test('a HAR file may have bodies in base64, and forms as fields', () => {
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

test('long addresses, header fields and errors of a HAR file are cut', () => {
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

test('a body is cut to its first MiB, and its size is kept', () => {
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

test('a body, a response or a text that a HAR file lacks stays missing', () => {
  const { postData: _postData, ...request } = entry.request
  expect(readOne({ request }).exchange.request.body).toEqual({ encoding: 'utf8', content: '', size: 0 })
  const gone = { status: 0, headers: [], content: {}, _error: 'net::ERR_FAILED' }
  expect(readOne({ response: gone })).toMatchObject({
    error: 'net::ERR_FAILED',
    exchange: { response: null },
  })
  const omitted = { ...entry.response, content: { size: 700 } }
  expect(readOne({ response: omitted }).exchange.response!.body).toEqual({
    encoding: 'utf8',
    content: '',
    size: 700,
    isOmitted: true,
  })
})

test.for([
  ['', /it is not JSON/],
  ['[]', /The file should be an object/],
  ['{"log":null}', /log should be an object/],
  ['{"log":{}}', /log.entries should be a list/],
] as const)('a file that is not an HTTP Archive is refused: %s', ([text, message]) => {
  expect(() => readHar(text)).toThrow(message)
  expect(() => readHar(text)).toThrow(/not an HTTP Archive/)
})

const bytesOf = (...parts: readonly (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))))

test.for([
  ['a ZIP archive', bytesOf('PK', 3, 4, 'x'), /The file is a ZIP archive. Unpack it/],
  ['gzip', bytesOf(0x1f, 0x8b, 8), /The file is compressed with gzip/],
  ['other bytes', bytesOf('{"a":"', 0xff, '"}'), /it is not UTF-8/],
] as const)('a file that is not text is refused: %s', ([, bytes, message]) => {
  expect(() => decodeHar(bytes)).toThrow(message)
})

test.for([
  ['a byte order mark', Buffer.from(`\uFEFF${harOf(entry)}`)],
  ['UTF-16', Buffer.from(`\uFEFF${harOf(entry)}`, 'utf16le')],
  ['big-endian UTF-16', Buffer.from(`\uFEFF${harOf(entry)}`, 'utf16le').swap16()],
] as const)('a file with %s is read', ([, bytes]) => {
  expect(readHar(decodeHar(bytes)).calls).toHaveLength(1)
})

const requestWith = (changes: object) => ({ ...entry, request: { ...entry.request, ...changes } })

test.for([
  [null, 'it is null instead of an object'],
  [[], 'it is [] instead of an object'],
  [{ ...entry, request: null }, 'it has no request'],
  [requestWith({ url: undefined }), 'its request has no URL'],
  [requestWith({ url: '' }), 'its request has no URL'],
  [requestWith({ url: '/api/v2/createLink' }), 'its URL is "/api/v2/createLink", without a host'],
  [requestWith({ url: 'http://' }), 'its URL is "http://", which cannot be read'],
  [requestWith({ method: null }), 'its method is null'],
  [requestWith({ method: 'POST \n\u202eX' }), 'its method is "POST \\n\\u202eX"'],
] as const)(
  'an entry of a HAR file without a readable request is left out, and all others are read: %j',
  ([odd, reason]) => {
    expect(readHar(harOf(entry, odd, entry))).toMatchObject({
      calls: [{ index: 0 }, { index: 2 }],
      ignored: 0,
      leftOut: [{ place: 'log.entries[1]', reason }],
    })
  },
)

test.for(['https://cdn.example/a.css', '/style.css', 'blob:https://shop.example/1', 'data:,', 'about:blank'])(
  'an unusual entry that is not a call is ignored: %s',
  (url) => {
    const asset = { request: { url, method: 7, headers: 1, postData: [] }, response: null }
    expect(readHar(harOf(asset, entry))).toMatchObject({ calls: [{ index: 1 }], ignored: 1, leftOut: [] })
  },
)

test.for([
  undefined,
  null,
  'none',
  {},
  { status: null },
  { status: 'error' },
  { status: 0 },
  { status: 200.5 },
])('a call without a readable response has no answer: %j', (response) => {
  expect(readOne({ response })).toMatchObject({ error: 'no answer came', exchange: { response: null } })
})

test('headers in a HAR file may be an object, and may have no values', () => {
  const read = (headers: unknown) =>
    readOne({ response: { ...entry.response, headers } }).exchange.response!.headers
  expect(
    read([{ name: 'A' }, { name: 'B', value: null }, { name: 'C', value: 1 }, null, { value: 'D' }]),
  ).toEqual([
    ['A', ''],
    ['B', ''],
    ['C', '1'],
  ])
  expect(read({ a: 'b', ':status': '200', c: ['d', 'e'] })).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'e'],
  ])
  expect([read(null), read(undefined), read('a: b')]).toEqual([[], [], []])
})

test('an entry of a HAR file without a readable time gets the time of its neighbor', () => {
  const at = (startedDateTime: unknown) => ({ ...entry, startedDateTime })
  const read = (...entries: object[]) => readHar(harOf(...entries)).calls.map(({ startedAt }) => startedAt)
  const [noon, later] = ['2026-07-01T10:00:00.000Z', '2026-07-01T11:00:00.000Z']
  expect(read(at('soon'), at(noon), at(null), at('-271821-04-20T00:00:00Z'), at(later), at(1))).toEqual([
    noon,
    noon,
    noon,
    noon,
    later,
    later,
  ])
  expect(read(at(undefined))).toEqual([null])
})

test.for([
  ['whole JSON, although its size is larger', { text: '{"a":1}', size: 10 }, 7],
  ['JSON that was cut', { text: '{"a":', size: 10 }, 10],
  ['JSON in base64, although its size is larger', { text: btoa('{}'), encoding: 'base64', size: 10 }, 2],
] as const)('a response has the size of its text if the stated size is %s', ([, content, size]) => {
  const { body } = readOne({ response: { ...entry.response, content } }).exchange.response!
  expect(body.size).toBe(size)
})

test.for([
  ['no content', undefined, {}, true],
  ['no text', {}, {}, true],
  ['a text that is null', { text: null }, {}, true],
  ['bad base64', { text: '%', encoding: 'base64', size: 1 }, {}, true],
  ['the size -1, as Playwright writes it', { size: -1 }, { bodySize: -1 }, true],
  ['the size -1 and an empty text', { size: -1, text: '' }, { bodySize: -1 }, true],
  [
    'an empty text, although Content-Length is not zero',
    { text: '' },
    { headers: { 'content-length': '9' } },
    true,
  ],
  ['an empty text, although its size is not zero', { text: '', size: 9 }, {}, true],
  ['the name of a file', { _file: 'a.json', size: -1 }, {}, true],
  ['an empty text', { text: '' }, {}, false],
  ['the size 0', { size: 0 }, {}, false],
  ['the size 0 and an empty text', { size: 0, text: '' }, { bodySize: -1 }, false],
  ['no content, and the status 204', undefined, { status: 204 }, false],
] as const)(
  'a response without a body differs from one whose body is unknown: %s',
  ([, content, changes, isOmitted]) => {
    const { body } = readOne({ response: { ...entry.response, content, ...changes } }).exchange.response!
    expect([body.content, body.isOmitted ?? false]).toEqual(['', isOmitted])
  },
)

test.for([
  ['no body', {}, false],
  ['no body and the size -1', { bodySize: -1 }, false],
  [
    'an empty text and the size -1',
    { bodySize: -1, postData: { text: '', mimeType: 'application/json' } },
    true,
  ],
  ['no text', { postData: { mimeType: 'application/json' } }, true],
  ['no body, although its size is not zero', { bodySize: 9 }, true],
  ['a form with a field that has no name', { postData: { params: [{ name: 'a' }, { value: 'b' }] } }, true],
] as const)(
  'a request without a body differs from one whose body is unknown: %s',
  ([, changes, isOmitted]) => {
    const { postData: _postData, ...request } = entry.request
    const { body } = readOne({ request: { ...request, ...changes } }).exchange.request
    expect([body.content, body.isOmitted ?? false]).toEqual(['', isOmitted])
  },
)

/** Any value that JSON allows. */
const oddValue = fc.oneof(
  fc.constantFrom(undefined, null, true, 0, -1, 1e308, '', 'x', '\ud800', [], {}, [null], { name: null }),
  fc.jsonValue(),
)

test('a changed entry never affects other entries, and each entry is read, ignored or left out', () => {
  const full = {
    ...entry,
    request: { ...entry.request, bodySize: 12 },
    response: { ...entry.response, bodySize: 2, redirectURL: '' },
    _sandbox: { upstream: 'https://pay.example' },
  }
  const paths = pathsIn(full)
  const unchanged = readHar(harOf(full)).calls[0]!
  fc.assert(
    fc.property(fc.constantFrom(...paths), oddValue, (path, value) => {
      const { calls, ignored, leftOut } = readHar(harOf(full, replaced(full, path, value), full))
      expect(calls.filter(({ index }) => index !== 1)).toEqual([
        { ...unchanged, index: 0 },
        { ...unchanged, index: 2 },
      ])
      expect(calls.length + ignored + leftOut.length).toBe(3)
      // Only the request decides whether an entry is a call.
      const isReadable = !/^(|request|request\.(url|method))$/.test(path.join('.'))
      expect([path, calls.length]).toEqual([path, isReadable ? 3 : expect.any(Number)])
    }),
    { numRuns: sized({ full: 5_000, small: 300 }) },
  )
})

type Path = readonly string[]

const pathsIn = (value: unknown): Path[] => [
  [],
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => pathsIn(inner).map((path) => [key, ...path]))
    : []),
]

function replaced(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value ?? null
  const inner = (whole as Record<string, unknown>)[key]
  const changed = rest.length === 0 ? value : replaced(inner, rest, value)
  return Array.isArray(whole) ? whole.with(Number(key), changed) : { ...(whole as object), [key]: changed }
}

test('a file with too many requests is refused', () => {
  const many = `{"log":{"entries":[${'0,'.repeat(MAX_HAR_ENTRIES)}0]}}`
  expect(() => readHar(many)).toThrow(`It may have at most ${MAX_HAR_ENTRIES}.`)
})

test('an infinite duration counts as missing, and a password in a URL is dropped', () => {
  expect(readHar(harOf(entry).replace('"time":12.5', '"time":1e999')).calls[0]!.ms).toBe(0)
  const url = 'https://shop:geheim@dev.pay.example/api/v2/createLink?a=1'
  expect(readOne({ request: { ...entry.request, url } }).exchange.request.url).toBe(
    'https://dev.pay.example/api/v2/createLink?a=1',
  )
})

test('calls of the API are recognized by their path and their origin', () => {
  const at = (url: string) => ({ ...entry, request: { ...entry.request, url } })
  const har = harOf(
    entry,
    at('https://shop.example/api/v2/createLink'),
    at('https://dev.pay.example/payment?link_id=1'),
  )
  expect(readHar(har)).toMatchObject({ calls: { length: 2 }, ignored: 1 })
  expect(readHar(har, 'https://dev.pay.example')).toMatchObject({ calls: { length: 1 }, ignored: 2 })
})
