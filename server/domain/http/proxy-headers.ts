import { findHeader, type Headers } from './exchange.ts'

/** Counts the listeners that have forwarded a request, so that loops between tunnels can be stopped. */
const HOPS_HEADER = 'sandbox-hops'

/** The maximum value of `HOPS_HEADER`. Not 0, because a tunnel may lead to another tunnel. */
export const MAX_HOPS = 1

/** The number of listeners that have forwarded a request. An invalid number counts as 0, because no listener wrote it. */
export const readHops = (headers: Headers): number =>
  Number(headers.find(([name, value]) => isHopCountHeader(name) && /^\d{1,3}$/.test(value))?.[1] ?? 0)

const isHopCountHeader = (name: string): boolean => name.toLowerCase() === HOPS_HEADER

/** Hop-by-hop header fields (RFC 9110), which describe one connection and not the request. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The header fields without the hop-by-hop fields and without those that `Connection` lists. */
export function dropHopByHop(headers: Headers): Headers {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()))
  return headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !HOP_BY_HOP.has(lower) && !named.includes(lower)
  })
}

/** The local URL for the path and query of a request. */
export const forwardedUrl = (to: string, pathAndQuery: string): string =>
  new URL(to).origin + forwardedPath(to, pathAndQuery)

/** Joins the path of a local address and the path of a request, both as they are written. */
export function forwardedPath(to: string, pathAndQuery: string): string {
  const { pathname, search } = new URL(to)
  const [path = '', query] = pathAndQuery.split(/\?(.*)/s)
  const joined = path === '/' ? pathname : pathname.replace(/\/$/, '') + path
  const queries = [search.slice(1), query].filter((part) => part !== undefined && part !== '')
  return `${joined || '/'}${queries.length === 0 ? '' : `?${queries.join('&')}`}`
}

/**
 * The header fields of a request to a local address, in the same sequence and case. `Host` is the local host. `Content-Length`
 * replaces chunked encoding, because the body is already complete. The hop count comes last.
 */
export function forwardedRequestHeaders(headers: Headers, host: string, size: number): Headers {
  const others = headers.filter(([name]) => !isHopCountHeader(name))
  return [...endToEndHeaders(others, host, size), ['Sandbox-Hops', String(readHops(headers) + 1)]]
}

/** The header fields of a request to a different host. Leaves out fields that describe the connection to this host. */
function endToEndHeaders(headers: Headers, host: string, size: number): Headers {
  const wasChunked = findHeader(headers, 'transfer-encoding') !== undefined
  const kept = dropHopByHop(headers).map(([name, value]) =>
    name.toLowerCase() === 'host' ? ([name, host] as const) : ([name, value] as const),
  )
  return [
    ...(findHeader(kept, 'host') !== undefined ? [] : ([['Host', host]] as const)),
    ...kept,
    ...(wasChunked && findHeader(kept, 'content-length') === undefined
      ? ([['Content-Length', String(size)]] as const)
      : []),
  ]
}

/**
 * Header fields that are not forwarded. This host has already answered `Expect`, and cookies belong to the apps on this
 * machine, which share its host name.
 */
const STAYS_HERE = new Set(['expect', 'cookie'])

/** The header fields of a call to the upstream, in the same sequence and case. No field is added. */
export const upstreamRequestHeaders = (headers: Headers, host: string, size: number): Headers =>
  endToEndHeaders(
    headers.filter(([name]) => !STAYS_HERE.has(name.toLowerCase())),
    host,
    size,
  )

const isContentLength = (name: string): boolean => name.toLowerCase() === 'content-length'

/**
 * The header fields of a response to the caller. `Content-Length` is the size of the complete body, because with a wrong length
 * the client would read into the next response. A response without a body keeps its own length.
 */
export function forwardedResponseHeaders(
  headers: Headers,
  status: number,
  method: string,
  size: number,
): Headers {
  const kept = dropHopByHop(headers)
  const declaredLengths = kept.filter(([name]) => isContentLength(name)).map(([, value]) => value)
  const hasNoBody = method === 'HEAD' || status === 304
  const length = hasNoBody
    ? declaredLengths.length === 1 && /^\d{1,15}$/.test(declaredLengths[0]!)
      ? declaredLengths[0]
      : undefined
    : String(size)
  const others = kept.filter(([name]) => !isContentLength(name))
  if (length === undefined || status === 204) return others
  const lengthIndex = kept.findIndex(([name]) => isContentLength(name))
  return lengthIndex === -1
    ? [...others, ['content-length', length]]
    : others.toSpliced(lengthIndex, 0, [kept[lengthIndex]![0], length])
}
