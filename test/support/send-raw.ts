import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Sends raw bytes, and returns everything received until the connection is closed. */
export async function sendRaw(url: string, ...parts: readonly (string | Uint8Array)[]): Promise<Buffer> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  return buffer(socket)
}

/** The status line, the header lines and the body of an answer. */
export function parseRawAnswer(raw: Buffer): { first: string; headers: string[]; bytes: Buffer } {
  const end = raw.indexOf('\r\n\r\n')
  const [first = '', ...headers] = raw.subarray(0, end).toString('latin1').split('\r\n')
  return { first, headers, bytes: raw.subarray(end + 4) }
}
