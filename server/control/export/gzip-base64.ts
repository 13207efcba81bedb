import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'

/** Text, zipped and in base64, as it comes. It has no character that means something to HTML. */
export async function* gzipBase64(text: AsyncIterable<string>): AsyncGenerator<string> {
  const gzip = createGzip()
  // What goes wrong is thrown to whoever reads the other end.
  pipeline(text, gzip, () => {})

  // Three bytes are four letters: what is left of a chunk goes with the next one.
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of gzip) {
    const bytes = Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, whole)
    rest = bytes.subarray(whole)
  }
  yield Buffer.from(rest).toString('base64')
}
