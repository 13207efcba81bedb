import type { Context } from 'hono'

export interface RequestTarget {
  /** Path and query, as they came. */
  readonly target: string
  readonly path: string
}

/** What was asked for. Cut out of the text, as a `Host` header can make the whole of it no URL. */
export function requestTarget(c: Context): RequestTarget {
  const { url } = c.req
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const target = start === -1 ? '/' : url.slice(start)
  return { target, path: target.split('?', 1)[0]! }
}
