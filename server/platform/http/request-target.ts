import type { Context } from 'hono'

interface RequestTarget {
  /** Path and query, exactly as they were sent. */
  readonly target: string
  readonly path: string
}

/** Cuts path and query out of the URL as text: with an invalid `Host` header the URL cannot be parsed. */
export function requestTarget(c: Context): RequestTarget {
  const { url } = c.req
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const target = start === -1 ? '/' : url.slice(start)
  return { target, path: target.split('?', 1)[0]! }
}
