import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { pairHeaders, type Headers } from '../../domain/http/exchange.ts'
import { MAX_BODY_BYTES } from '../../domain/http/limits.ts'
import { ADMIN_COOKIE } from './access.ts'
import type { NodeEnv } from './node-env.ts'
import { readUpTo, type ReadBody } from './read-up-to.ts'

/** The header fields as Node provides them. Also works for requests of `app.request()`, which have no socket. */
export const incomingHeaders = ({
  env,
  req,
}: Context<NodeEnv>): Pick<HttpBindings['incoming'], 'headers' | 'rawHeaders'> =>
  (env as Partial<HttpBindings> | undefined)?.incoming ?? {
    headers: Object.fromEntries(req.raw.headers),
    rawHeaders: [...req.raw.headers].flat(),
  }

/**
 * A request's header fields in their original sequence and case, without the admin cookie. A browser sends that cookie with every
 * request to this host, and header fields are displayed and forwarded.
 */
export function rawHeaders(c: Context<NodeEnv>): Headers {
  const incoming = incomingHeaders(c)
  const pairs = pairHeaders(incoming.rawHeaders)
  if (incoming.headers.cookie === undefined) return pairs
  return pairs.flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'cookie' || !value.includes(ADMIN_COOKIE)) return [[name, value] as const]
    const otherCookies = value.split(';').filter((cookie) => cookie.split('=', 1)[0]!.trim() !== ADMIN_COOKIE)
    return otherCookies.length === 0 ? [] : [[name, otherCookies.join(';').trimStart()] as const]
  })
}

interface RequestTarget {
  /** Path and query, exactly as they were sent. */
  readonly target: string
  readonly path: string
}

/** Cuts path and query out of the URL as text, because a URL with an invalid `Host` header cannot be parsed. */
export function requestTarget(c: Context): RequestTarget {
  const { url } = c.req
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const target = start === -1 ? '/' : url.slice(start)
  return { target, path: target.split('?', 1)[0]! }
}

/** Reads a request's body up to a limit in bytes. Reads nothing if `Content-Length` is larger. */
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

/** Whether an error means that the client disconnected in the middle of a request. */
export const isClientAbort = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    ('code' in error && ['ECONNRESET', 'ECONNABORTED'].includes(String(error.code))))
