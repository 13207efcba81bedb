import fc, { type Arbitrary } from 'fast-check'
import { gzipSync } from 'node:zlib'
import { accounts } from './seed.ts'
import { weighted } from './values.ts'

/** A request, as the bytes that are sent on one connection. */
export interface FuzzRequest {
  readonly entryPoint: 'api' | 'control' | 'checkout' | 'tunnel' | 'pages' | 'socket' | 'raw'
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Buffer
  /** Whether it is valid HTTP. Its content may be invalid. */
  readonly isWellFormed: boolean
  /** The bytes, in the pieces that are sent. */
  readonly parts: readonly Buffer[]
}

type Header = readonly [name: string, value: string]

/** The sandbox rejects other host names, so most requests use this one. */
export const HOST = '127.0.0.1'
export const KEY = accounts[0]!.apiKey

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
  ';',
  '',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'APPLICATION/JSON',
  'application/json;',
  'application/json, application/json',
  'application/vnd.sqlite3',
  'x'.repeat(5_000),
]
const HEADERS: readonly Header[] = [
  ['Origin', 'null'],
  ['Origin', 'http://evil.example'],
  ['Referer', 'http://evil.example/'],
  ['Cookie', 'paylink_admin=; paylink_admin=x; =; ;;; a'],
  ['Cookie', 'paylink_admin=%zz'],
  ['Authorization', 'Bearer '],
  ['Authorization', 'Basic eDp5'],
  ['token', accounts[1]!.apiKey],
  ['token', `${KEY}, x`],
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

interface RequestValues {
  readonly entryPoint: FuzzRequest['entryPoint']
  readonly method: string
  readonly target: Arbitrary<string>
  readonly body?: Arbitrary<Buffer>
  readonly type?: string
}

/**
 * Generates requests with this method, target and body. A few of them have another method, host, type or framing, or broken
 * bytes.
 */
export function requests({
  entryPoint,
  method,
  target,
  body = fc.constant(NO_BYTES),
  type = '',
}: RequestValues) {
  return fc
    .record({
      method: weighted([30, fc.constant(method)], [1, fc.constantFrom(...METHODS)]),
      target,
      host: weighted([40, fc.constant(HOST)], [1, fc.constantFrom(...HOSTS)]),
      type: weighted([20, fc.constant(type)], [1, fc.constantFrom(...TYPES)]),
      headers: weighted<Header[]>(
        [4, fc.constant([])],
        [1, fc.array(fc.constantFrom(...HEADERS), { maxLength: 3 })],
      ),
      body: weighted([12, body], [1, body.chain(brokenBodies)]),
      framing: weighted<Framing>([20, fc.constant('length')], [1, fc.constantFrom(...FRAMINGS)]),
    })
    .map(({ host, headers, ...parts }): FuzzRequest => {
      const all: Header[] = [['Host', host]]
      if (entryPoint === 'api') all.push(['token', KEY])
      if (parts.type !== '') all.push(['Content-Type', parts.type])
      return withCommand({ entryPoint, ...toBytes({ ...parts, headers: [...all, ...headers] }) })
    })
}

const NO_BYTES = Buffer.alloc(0)

const brokenBodies = (body: Buffer): Arbitrary<Buffer> =>
  fc.constantFrom(
    Buffer.concat([Buffer.from('\ufeff'), body]),
    Buffer.from(body.toString('latin1'), 'utf16le'),
    gzipSync(body),
    body.subarray(0, body.length >> 1),
    Buffer.concat([body, Buffer.from([0xff])]),
    Buffer.concat([body.subarray(0, 5), Buffer.from([0xed, 0xa0, 0x80]), body.subarray(5)]),
    Buffer.concat([body, body]),
    NO_BYTES,
    Buffer.alloc(1_100_000, ' '),
  )

const FRAMINGS = ['chunked', 'pieces', 'too-long', 'too-short', 'both', 'twice'] as const
type Framing = 'length' | (typeof FRAMINGS)[number]

interface Parts {
  readonly method: string
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Buffer
  readonly framing: Framing
}

function toBytes({ method, target, headers, body, framing }: Parts) {
  const length: Header = ['Content-Length', String(body.length)]
  const chunked: Header = ['Transfer-Encoding', 'chunked']
  const framed: Record<Framing, readonly Header[]> = {
    length: body.length === 0 && method === 'GET' ? [] : [length],
    pieces: [length],
    chunked: [chunked],
    'too-long': [['Content-Length', String(body.length + 7)]],
    'too-short': [['Content-Length', String(Math.max(0, body.length - 3))]],
    both: [length, chunked],
    twice: [length, ['Content-Length', String(body.length + 1)]],
  }
  const all: readonly Header[] = [...headers, ...framed[framing], ['Connection', 'close']]
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = latin1(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`)
  const end = latin1(body.length === 0 ? '\r\n' : '\r\n0\r\n\r\n')
  const sent =
    framing === 'chunked' ? Buffer.concat([latin1(`${body.length.toString(16)}\r\n`), body, end]) : body
  const half = sent.length >> 1
  return {
    method,
    target,
    headers: all,
    body,
    isWellFormed:
      ['length', 'pieces', 'chunked'].includes(framing) &&
      /^[A-Z]+$/.test(method) &&
      // The sandbox does not read the bodies of these methods. TCP may reset the connection before the answer to a large body
      // is read.
      (!['GET', 'HEAD'].includes(method) || body.length < 65_536) &&
      /^\/[\x21-\x7e]*$/.test(target) &&
      headers.every(([name]) => !['Upgrade', 'Connection', 'Expect'].includes(name)),
    parts:
      framing === 'pieces'
        ? [head, sent.subarray(0, half), sent.subarray(half)]
        : [Buffer.concat([head, sent])],
  }
}

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** A request whose bytes need not be valid HTTP. */
export function rawRequest(entryPoint: 'raw' | 'socket', parts: readonly Buffer[]): FuzzRequest {
  const head = parts[0]?.toString('latin1') ?? ''
  const [, method = '', target = ''] = /^([A-Z]+) (\S+) HTTP\//.exec(head) ?? []
  return withCommand({ entryPoint, method, target, headers: [], body: NO_BYTES, isWellFormed: false, parts })
}

/** fast-check prints a request as the command that sends it to a sandbox. */
const withCommand = (request: FuzzRequest): FuzzRequest =>
  Object.assign(request, { [fc.toStringMethod]: () => toShellCommand(request) })

const PORT = 4400

/** A shell command that sends a request: with curl, or with nc if curl cannot send these bytes. */
function toShellCommand({ isWellFormed, method, target, headers, body, parts }: FuzzRequest): string {
  const base64 = (bytes: Buffer) => `echo ${bytes.toString('base64')} | base64 -d`
  if (!isWellFormed) return `${base64(Buffer.concat(parts))} | nc -q 5 ${HOST} ${PORT}`
  const flags = headers
    .filter(([name]) => !['Connection', 'Content-Length', 'Transfer-Encoding'].includes(name))
    .map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`)
  const isText = body.equals(Buffer.from(body.toString()))
  if (body.length > 0) flags.push(`--data-binary ${isText ? quote(body.toString()) : '@-'}`)
  const url = quote(`http://${HOST}:${PORT}${target}`)
  const command = ['curl -i --path-as-is -X', method, ...flags, url].join(' ')
  return isText ? command : `${base64(body)} | ${command}`
}

/** Quotes a text for a shell, with escapes for bytes that are not printable. */
function quote(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  const escape = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
  return `$'${Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^ -~]|['\\]/g, escape)}'`
}
