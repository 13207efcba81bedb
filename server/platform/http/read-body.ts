import { MAX_BODY_BYTES } from '../../domain/http/limits.ts'
import type { Context } from 'hono'
import { incomingHeaders, type NodeEnv } from './node-env.ts'

export interface ReceivedBody {
  readonly bytes: Uint8Array
  /** Whether the body exceeds the limit. `bytes` is then its beginning, or empty if `Content-Length` said so. */
  readonly tooLarge: boolean
}

/** Reads a request's body up to a limit, in bytes. */
export async function readBody(c: Context<NodeEnv>, limit = MAX_BODY_BYTES): Promise<ReceivedBody> {
  const { headers } = incomingHeaders(c)
  const contentLength = headers['content-length']
  if (contentLength !== undefined) {
    if (Number(contentLength) > limit) return { bytes: new Uint8Array(), tooLarge: true }
    return { bytes: new Uint8Array(await c.req.arrayBuffer()), tooLarge: false }
  }
  if (headers['transfer-encoding'] === undefined) return { bytes: new Uint8Array(), tooLarge: false }

  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > limit) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), tooLarge: size > limit }
}

/** Whether an error means that the client closed the connection in the middle of a request. */
export const isClientAbort = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    ('code' in error && ['ECONNRESET', 'ECONNABORTED'].includes(String(error.code))))
