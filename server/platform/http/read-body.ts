import { MAX_BODY_BYTES } from '../../domain/http/limits.ts'
import type { Context } from 'hono'
import { incomingHeaders, type NodeEnv } from './node-env.ts'
import { readUpTo, type ReadBody } from './read-up-to.ts'

/** Reads a request's body up to a limit, in bytes. Reads nothing if `Content-Length` says that it is larger. */
export async function readBody(c: Context<NodeEnv>, limit = MAX_BODY_BYTES): Promise<ReadBody> {
  const { headers } = incomingHeaders(c)
  const contentLength = headers['content-length']
  if (contentLength !== undefined) {
    if (Number(contentLength) > limit) return { bytes: new Uint8Array(), tooLarge: true }
    return { bytes: new Uint8Array(await c.req.arrayBuffer()), tooLarge: false }
  }
  if (headers['transfer-encoding'] === undefined) return { bytes: new Uint8Array(), tooLarge: false }

  const { body } = c.req.raw
  return body ? readUpTo(body, limit) : { bytes: new Uint8Array(), tooLarge: false }
}

/** Whether an error means that the client closed the connection in the middle of a request. */
export const isClientAbort = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    ('code' in error && ['ECONNRESET', 'ECONNABORTED'].includes(String(error.code))))
