import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { recipients, shop, type EnvelopeOf, type OpenSandbox } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const plain = Buffer.from(JSON.stringify({ amount: 100, recipients }))

test.for<[sent: string, encoding: string | undefined, body: Uint8Array, compression: string | undefined]>([
  ['gzip', 'gzip', gzipSync(plain), 'Content-Encoding: gzip'],
  ['deflate', 'deflate', deflateSync(plain), 'Content-Encoding: deflate'],
  ['raw deflate', 'deflate', deflateRawSync(plain), 'Content-Encoding: deflate'],
  ['Brotli', 'br', brotliCompressSync(plain), 'Content-Encoding: br'],
  ['zstd', 'zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0]), 'Content-Encoding: zstd'],
  ['two encodings', 'br, gzip', gzipSync(plain), 'Content-Encoding: br, gzip'],
  ['an unknown encoding', 'x-\u00e9', Buffer.from('xx'), 'Content-Encoding: x-?'],
  ['gzip without the header', undefined, gzipSync(plain), 'gzip'],
  ['gzip, and identity in the header', 'identity', gzipSync(plain), 'gzip'],
  ['deflate without the header', undefined, deflateSync(plain), 'deflate'],
  ['zstd without the header', undefined, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0]), 'zstd'],
])(
  'a compressed body is refused, and answer and finding name the compression: %s',
  async (row, { sandbox }) => {
    const [, encoding, body, compression] = row
    const answer = await postEncoded(sandbox, encoding, body)
    expect(answer).toMatchObject({
      ResponseMsg: `The request body should be sent without compression, not with ${compression}`,
      assumed: expect.stringContaining('requestEncoding'),
      findings: [{ code: 'encodedBody', severity: 'error', seen: compression }],
    })
  },
)

test.for<[encoding: string, severity: string | undefined]>([
  ['gzip', 'warning'],
  ['UTF-8', 'warning'],
  ['identity', undefined],
  ['Identity, identity', undefined],
  ['', undefined],
])(
  'a body that is not compressed is read, whatever Content-Encoding says: %s',
  async ([encoding, severity], { sandbox }) => {
    const answer = await postEncoded(sandbox, encoding, plain)
    expect(answer.ResponseCode).toBe(1)
    const expected = { code: 'encodedBody', severity, seen: `Content-Encoding: ${encoding}` }
    expect(answer.findings.filter(({ code }) => code === 'encodedBody')).toMatchObject(
      severity === undefined ? [] : [expected],
    )
    expect(answer.assumed.includes('requestEncoding')).toBe(severity !== undefined)
  },
)

async function postEncoded({ url, control }: OpenSandbox, encoding: string | undefined, body: Uint8Array) {
  const response = await fetch(`${url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: {
      token: shop.apiKey,
      'content-type': 'application/json',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body: body as BodyInit,
  })
  const { answer } = await control('GET', '/diagnostics')
  return {
    ...((await response.json()) as EnvelopeOf),
    assumed: response.headers.get('sandbox-assumed') ?? '',
    findings: answer.diagnostics,
  }
}
