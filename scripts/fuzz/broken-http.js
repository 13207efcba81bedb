import fc from 'fast-check'
import { rawRequest, HOST, KEY, latin1 } from './http-request.js'

const CREATE = `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\ntoken: ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"amount":1}`

/** Malformed HTTP. */
export const brokenRequests = fc.oneof(
  fc
    .constantFrom(
      '',
      '\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.0\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: ${HOST}\r\nHost: evil.example\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost : ${HOST}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${HOST}\r\n X: folded\r\n\r\n`,
      `GET / HTTP/1.1\nHost: ${HOST}\n\n`,
      `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX\0: y\r\n\r\n`,
      `GET /\x01\xff HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
      `CONNECT ${HOST}:443 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: -1\r\n\r\n`,
      `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 99999999999999999999\r\n\r\nx`,
      `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 1e3\r\n\r\nx`,
      `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx`,
      `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`,
      `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      `POST /api/v2/createLink HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${HOST}\r\n${'X: y\r\n'.repeat(3_000)}\r\n`,
      `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
      `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n`,
      CREATE + CREATE + CREATE,
    )
    .map((text) => rawRequest('raw', [latin1(text)])),
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
