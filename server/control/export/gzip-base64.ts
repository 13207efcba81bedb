import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'

/** Compresses text with gzip and encodes it as base64, which needs no escaping in HTML. */
export async function* gzipBase64(text: AsyncIterable<string>): AsyncGenerator<string> {
  const gzip = createGzip()
  // The reader of `gzip` gets the errors, so the callback ignores them.
  pipeline(text, gzip, () => {})

  // Base64 encodes three bytes at a time. The remaining bytes of a chunk are encoded with the next one.
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of gzip) {
    const bytes = Buffer.concat([rest, chunk])
    const encodableLength = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, encodableLength)
    rest = bytes.subarray(encodableLength)
  }
  yield Buffer.from(rest).toString('base64')
}
