import fc from 'fast-check'
import { rawRequest, HOST, inQuery, latin1 } from './http-request.js'
import { oddJson, oddText, writeJson } from './odd-values.js'

/**
 * Encodes a WebSocket frame of a client, valid or not.
 *
 * @param {object} parts
 * @param {number} parts.first FIN, RSV and opcode
 * @param {Buffer} parts.payload
 * @param {string} parts.how
 */
function encodeFrame({ first, payload, how }) {
  const mask = Buffer.from([1, 2, 3, 4])
  const size = how === 'endless' ? 0x7fff_ffff : payload.length
  const head =
    how === 'endless' || size > 65_535
      ? Buffer.from([
          first,
          0x80 | 127,
          0,
          0,
          0,
          0,
          size >>> 24,
          (size >> 16) & 255,
          (size >> 8) & 255,
          size & 255,
        ])
      : size > 125
        ? Buffer.from([first, 0x80 | 126, size >> 8, size & 255])
        : Buffer.from([first, 0x80 | size])
  if (how === 'unmasked') {
    head[1] = (head[1] ?? 0) & 0x7f
    return Buffer.concat([head, payload])
  }
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))])
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
      oddJson.map((value) => writeJson(value)),
    ),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constantFrom(1, -1, 2 ** 31, 2 ** 32 - 20) },
    ),
  )
  .map(([json, off]) => {
    const head = Buffer.from(json)
    const length = Buffer.alloc(4)
    length.writeUInt32BE((head.length + off) >>> 0)
    return Buffer.concat([length, head, Buffer.from('body')])
  })

/** Opens WebSockets of the stream and of tunnels, and sends valid and invalid frames. */
export const webSocketRequests = fc
  .record({
    target: fc.oneof(
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
      fc.constantFrom(
        '/',
        '/api/v2/createLink',
        '/payment',
        '/tunnel/fuzz',
        '/_sandbox/v1/info',
        '/_sandbox/v1/nothing',
      ),
    ),
    headers: fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constant(
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '',
          'Sec-WebSocket-Version: 13\r\n',
          'Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n',
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: permessage-deflate; x="\r\n',
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: ,,\r\n',
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: http://evil.example\r\n',
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nContent-Length: 5\r\n',
        ),
      },
    ),
    frames: fc.array(
      fc.record({
        first: fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(0x82, 0x81, 0x02, 0x80, 0x00) },
          { weight: 1, arbitrary: fc.nat(255) },
          { weight: 1, arbitrary: fc.constantFrom(0x88, 0x89, 0x8a) },
        ),
        payload: fc.oneof(
          listenerPayloads,
          fc.uint8Array({ maxLength: 130 }).map((noise) => Buffer.from(noise)),
          fc.constantFrom(
            Buffer.from([0x03, 0xe7]),
            Buffer.from([0x03, 0xe8, 0xff]),
            Buffer.alloc(1_400_000),
          ),
        ),
        how: fc.oneof(
          { weight: 12, arbitrary: fc.constant('') },
          { weight: 1, arbitrary: fc.constantFrom('unmasked', 'endless') },
        ),
      }),
      { maxLength: 5 },
    ),
  })
  .map(({ target, headers, frames }) =>
    rawRequest('socket', [
      latin1(
        `GET ${target} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`,
      ),
      ...frames.map(encodeFrame),
    ]),
  )
