import fc, { type Arbitrary } from 'fast-check'
import { HOST, KEY, latin1, rawRequest, type FuzzRequest } from './request.ts'
import { inQuery, oddJson, oddText, weighted } from './values.ts'

const CREATE = `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\ntoken: ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"amount":1}`

const get = (headers: string, target = '/') => `GET ${target} HTTP/1.1\r\n${headers}\r\n\r\n`
const post = (headers: string, body: string) =>
  `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\n${headers}\r\n\r\n${body}`

const BROKEN = [
  '',
  '\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  get(`Host: ${HOST}\r\nHost: evil.example`),
  get(`Host : ${HOST}`),
  get(`Host: ${HOST}\r\n X: folded`),
  `GET / HTTP/1.1\nHost: ${HOST}\n\n`,
  get(`Host: ${HOST}\r\nX\0: y`),
  get(`Host: ${HOST}`, '/\x01\xff'),
  get(`Host: ${HOST}`, `/${'x'.repeat(100_000)}`),
  get(`Host: ${HOST}\r\nX: ${'y'.repeat(100_000)}`),
  get(`Host: ${HOST}${'\r\nX: y'.repeat(3_000)}`),
  get(`Host: ${HOST}\r\nConnection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: x`),
  `CONNECT ${HOST}:443 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
  post('Content-Length: -1', ''),
  post('Content-Length: 99999999999999999999', 'x'),
  post('Content-Length: 1e3', 'x'),
  post('Transfer-Encoding: chunked', 'zz\r\n'),
  post('Transfer-Encoding: chunked', 'ffffffffffffffff\r\nx'),
  post('Transfer-Encoding: chunked', `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`),
  post('Transfer-Encoding: gzip, chunked', '0\r\n\r\n'),
  post('Transfer-Encoding: chunked\r\nTrailer: X', `0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`),
  CREATE + CREATE + CREATE,
]

/** Malformed HTTP. */
export const brokenRequests: Arbitrary<FuzzRequest> = fc.oneof(
  fc.constantFrom(...BROKEN).map((text) => rawRequest('raw', [latin1(text)])),
  fc.uint8Array({ maxLength: 300 }).map((noise) => rawRequest('raw', [Buffer.from(noise)])),
  fc
    .tuple(fc.nat(CREATE.length - 1), fc.nat(255), fc.constantFrom('flip', 'cut', 'insert', 'drop'))
    .map(([at, byte, how]) => {
      const whole = latin1(CREATE)
      const [before, after] = [whole.subarray(0, at), whole.subarray(at + (how === 'insert' ? 0 : 1))]
      const put = how === 'flip' || how === 'insert' ? [Buffer.from([byte])] : []
      return rawRequest('raw', [how === 'cut' ? before : Buffer.concat([before, ...put, after])])
    }),
)

interface Frame {
  /** FIN, RSV and opcode. */
  readonly first: number
  readonly payload: Buffer
  readonly how: '' | 'unmasked' | 'endless'
}

/** Encodes a WebSocket frame of a client, valid or not. */
function encodeFrame({ first, payload, how }: Frame): Buffer {
  const mask = Buffer.from([1, 2, 3, 4])
  const size = how === 'endless' ? 0x7fff_ffff : payload.length
  const masked = how === 'unmasked' ? 0 : 0x80
  const head = Buffer.alloc(size > 65_535 ? 10 : size > 125 ? 4 : 2)
  head[0] = first
  head[1] = masked | (size > 65_535 ? 127 : size > 125 ? 126 : size)
  if (size > 65_535) head.writeBigUInt64BE(BigInt(size), 2)
  else if (size > 125) head.writeUInt16BE(size, 2)
  if (how === 'unmasked') return Buffer.concat([head, payload])
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ mask[index % 4]!)])
}

/** Messages of a tunnel listener: the length of the JSON, the JSON, and bytes. */
const listenerPayloads = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        '{"type":"target","isUp":true}',
        '{"type":"target","isUp":"x"}',
        '{"type":"answer","id":"x-1","status":200,"headers":[]}',
        '{"type":"answer","id":1,"status":"200","headers":{}}',
        '{"type":"answer","id":"__proto__","status":99999,"headers":[["a\\r\\n","b"]]}',
        '{"type":"failed","id":null,"error":{}}',
        '{"type":"failed"}',
        '{"type":null}',
        'null',
        '[]',
        '1',
      ),
      oddJson,
    ),
    weighted([6, fc.constant(0)], [1, fc.constantFrom(1, -1, 2 ** 31, 2 ** 32 - 20)]),
  )
  .map(([json, off]) => {
    const head = Buffer.from(json)
    const length = Buffer.alloc(4)
    length.writeUInt32BE((head.length + off) >>> 0)
    return Buffer.concat([length, head, Buffer.from('body')])
  })

const VERSION = 'Sec-WebSocket-Version: 13\r\n'
const HANDSHAKE = `${VERSION}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`

const socketTargets = fc.oneof(
  fc
    .oneof(
      fc.constantFrom('', '?after=0', '?after=-1', '?after=x&epoch=%00', '?after=9007199254740993'),
      oddText.map((text) => `?epoch=${inQuery(text)}`),
    )
    .map((query) => `/_sandbox/v1/stream${query}`),
  fc
    .tuple(
      fc.constantFrom('fuzz-listened', 'fuzz', 'FUZZ', '%00'),
      fc.constantFrom('one', 'two', '', '%0d%0a', '__proto__'),
      fc.constantFrom('', '&since=0', '&since=-1', '&since=1e9', '&instance=x'),
    )
    .map(
      ([name, listener, more]) =>
        `/_sandbox/v1/tunnels/${name}/listen?listener=${listener}&to=http%3A%2F%2F127.0.0.1%3A1${more}`,
    ),
  fc.constantFrom('/', '/api/v2/createLink', '/payment', '/tunnel/fuzz'),
  fc.constantFrom('/_sandbox/v1/info', '/_sandbox/v1/nothing'),
)

const socketHeaders = weighted(
  [8, fc.constant(HANDSHAKE)],
  [
    1,
    fc.constantFrom(
      '',
      VERSION,
      HANDSHAKE.replace('13', '99'),
      `${VERSION}Sec-WebSocket-Key: x\r\n`,
      `${HANDSHAKE}Sec-WebSocket-Extensions: permessage-deflate; x="\r\n`,
      `${HANDSHAKE}Sec-WebSocket-Protocol: ,,\r\n`,
      `${HANDSHAKE}Origin: http://evil.example\r\n`,
      `${HANDSHAKE}Content-Length: 5\r\n`,
    ),
  ],
)

const frames = fc.record<Frame>({
  first: weighted(
    [6, fc.constantFrom(0x82, 0x81, 0x02, 0x80, 0x00)],
    [1, fc.nat(255)],
    [1, fc.constantFrom(0x88, 0x89, 0x8a)],
  ),
  payload: fc.oneof(
    listenerPayloads,
    fc.uint8Array({ maxLength: 130 }).map((noise) => Buffer.from(noise)),
    fc.constantFrom(Buffer.from([0x03, 0xe7]), Buffer.from([0x03, 0xe8, 0xff]), Buffer.alloc(1_400_000)),
  ),
  how: weighted<Frame['how']>([12, fc.constant('')], [1, fc.constantFrom('unmasked', 'endless')]),
})

/** Opens WebSockets of the stream and of tunnels, and sends valid and invalid frames. */
export const webSocketRequests: Arbitrary<FuzzRequest> = fc
  .tuple(socketTargets, socketHeaders, fc.array(frames, { maxLength: 5 }))
  .map(([target, headers, sent]) =>
    rawRequest('socket', [
      latin1(
        `GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`,
      ),
      ...sent.map(encodeFrame),
    ]),
  )
