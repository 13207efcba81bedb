import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { writeJson } from './odd-values.js'

/**
 * A request, as the bytes that are sent on one connection.
 *
 * @typedef {object} Request
 * @property {string} entryPoint `api`, `control`, `checkout`, `tunnel`, `pages`, `socket` or `raw`
 * @property {string} method
 * @property {string} target path and query
 * @property {readonly (readonly [string, string])[]} headers
 * @property {Buffer} body
 * @property {boolean} isWellFormed whether it is valid HTTP. Its content may be invalid.
 * @property {readonly Buffer[]} parts the bytes, in the pieces in which they are sent
 */

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'TRACE',
  'PROPFIND',
  'FOO',
  'get',
]
const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'APPLICATION/JSON',
  'application/json, application/json',
  'application/json;',
  'application/vnd.sqlite3',
  ';',
  '',
  'x'.repeat(5_000),
]
const HEADERS = [
  ['Origin', 'null'],
  ['Origin', 'http://evil.example'],
  ['Referer', 'http://evil.example/'],
  ['Cookie', 'paylink_admin=; paylink_admin=x; =; ;;; a'],
  ['Cookie', 'paylink_admin=%zz'],
  ['Authorization', 'Bearer '],
  ['Authorization', 'Basic eDp5'],
  ['token', 'devBikeCourierFakeApiKey0002'],
  ['token', 'devFlowerShopFakeApiKey00001, x'],
  ['token', 'ü\x80\xff'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'br, gzip, x'],
  ['Accept-Encoding', 'gzip;q=x, *;q=-1'],
  ['Accept', 'text/html'],
  ['Accept', '*/'.repeat(1_000)],
  ['Range', 'bytes=9-1,-1,0-'],
  ['If-None-Match', '*'],
  ['If-Modified-Since', 'never'],
  ['Expect', '100-continue'],
  ['Expect', 'miracles'],
  ['X-Forwarded-For', '\t, ,::'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'gopher'],
  ['Forwarded', 'host="'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['User-Agent', 'paylink-sandbox/9'],
  ['User-Agent', ''],
  ['Sec-Fetch-Dest', 'image'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Purpose', 'prefetch'],
  ['Paylink-Sandbox-Delivery', '1'],
  ['Via', '1.1 a, '.repeat(50)],
  ['Upgrade', 'h2c'],
  ['Connection', 'upgrade'],
  ['Keep-Alive', 'timeout=-1'],
  ['TE', 'trailers'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['X-Long', 'x'.repeat(9_000)],
  ['X-Bytes', '\x80\xff'],
]
const HOSTS = [
  '',
  'evil.example',
  'localhost:99999',
  '[::1',
  'a b',
  '127.0.0.1@evil.example',
  'localhost/../',
  '%00',
  'ü',
  'x'.repeat(4_000),
]
/** The sandbox rejects other host names, so most requests use this one. */
export const HOST = '127.0.0.1'
export const KEY = 'devFlowerShopFakeApiKey00001'

/**
 * @param {object} parts
 * @param {string} parts.entryPoint
 * @param {string} parts.method
 * @param {import('fast-check').Arbitrary<string>} parts.target
 * @param {import('fast-check').Arbitrary<Buffer>} parts.body
 * @param {string} parts.type
 * @returns {import('fast-check').Arbitrary<Request>}
 */
export function requests({ entryPoint, method, target, body, type }) {
  return fc
    .record({
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      target,
      host: fc.oneof(
        { weight: 40, arbitrary: fc.constant(HOST) },
        { weight: 1, arbitrary: fc.constantFrom(...HOSTS) },
      ),
      type: fc.oneof(
        { weight: 20, arbitrary: fc.constant(type) },
        { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
      ),
      headers: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(fc.constantFrom(...HEADERS), { maxLength: 3 }) },
      ),
      body: fc.oneof({ weight: 12, arbitrary: body }, { weight: 1, arbitrary: body.chain(corruptedBodies) }),
      framing: fc.oneof(
        { weight: 20, arbitrary: fc.constant('length') },
        {
          weight: 1,
          arbitrary: fc.constantFrom('chunked', 'pieces', 'too-long', 'too-short', 'both', 'twice'),
        },
      ),
    })
    .map((parts) => {
      const headers = /** @type {[string, string][]} */ ([
        ['Host', parts.host],
        ...(entryPoint === 'api' ? [['token', KEY]] : []),
        ...(parts.type === '' ? [] : [['Content-Type', parts.type]]),
        ...parts.headers,
      ])
      return toRequest(entryPoint, parts.method, parts.target, headers, parts.body, parts.framing)
    })
}

/** @param {Buffer} body */
const corruptedBodies = (body) =>
  fc.constantFrom(
    Buffer.concat([Buffer.from('\ufeff'), body]),
    Buffer.from(body.toString('latin1'), 'utf16le'),
    gzipSync(body),
    body.subarray(0, body.length >> 1),
    Buffer.concat([body, Buffer.from([0xff])]),
    Buffer.concat([body.subarray(0, 5), Buffer.from([0xed, 0xa0, 0x80]), body.subarray(5)]),
    Buffer.concat([body, body]),
    Buffer.alloc(0),
    Buffer.alloc(1_100_000, ' '),
  )

/**
 * @param {string} entryPoint
 * @param {string} method
 * @param {string} target
 * @param {readonly (readonly [string, string])[]} headers
 * @param {Buffer} body
 * @param {string} framing
 * @returns {Request}
 */
function toRequest(entryPoint, method, target, headers, body, framing) {
  const length = ['Content-Length', String(body.length)]
  const chunked = ['Transfer-Encoding', 'chunked']
  const framed = {
    length: body.length === 0 && method === 'GET' ? [] : [length],
    pieces: [length],
    chunked: [chunked],
    'too-long': [['Content-Length', String(body.length + 7)]],
    'too-short': [['Content-Length', String(Math.max(0, body.length - 3))]],
    both: [length, chunked],
    twice: [length, ['Content-Length', String(body.length + 1)]],
  }[framing]
  const all = /** @type {[string, string][]} */ ([...headers, ...(framed ?? []), ['Connection', 'close']])
  const head = latin1(
    `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  const sent =
    framing === 'chunked'
      ? Buffer.concat([
          latin1(`${body.length.toString(16)}\r\n`),
          body,
          latin1(body.length === 0 ? '\r\n' : '\r\n0\r\n\r\n'),
        ])
      : body
  const half = sent.length >> 1
  const isWellFormed =
    ['length', 'pieces', 'chunked'].includes(framing) &&
    /^[A-Z]+$/.test(method) &&
    // The sandbox does not read the body of these methods. If it is large, TCP may reset the connection before the answer is read.
    (!['GET', 'HEAD'].includes(method) || body.length < 65_536) &&
    /^\/[\x21-\x7e]*$/.test(target) &&
    headers.every(([name]) => !['Upgrade', 'Connection', 'Expect'].includes(name))
  return {
    entryPoint,
    method,
    target,
    headers: all,
    body,
    isWellFormed,
    parts:
      framing === 'pieces'
        ? [head, sent.subarray(0, half), sent.subarray(half)]
        : [Buffer.concat([head, sent])],
  }
}

/**
 * @param {string} entryPoint
 * @param {readonly Buffer[]} parts
 * @returns {Request}
 */
export function rawRequest(entryPoint, parts) {
  const head = parts[0]?.toString('latin1') ?? ''
  const [, method = '', target = ''] = /^([A-Z]+) (\S+) HTTP\//.exec(head) ?? []
  return { entryPoint, method, target, headers: [], body: Buffer.alloc(0), isWellFormed: false, parts }
}

/** @param {string} text */
export const latin1 = (text) => Buffer.from(text, 'latin1')

/** @param {unknown} value */
export function inQuery(value) {
  const text = typeof value === 'string' ? value : writeJson(value)
  return encodeURIComponent(text.toWellFormed()).slice(0, 6_000)
}
