import { findHeader, type Headers } from './exchange.ts'

/** Says how many listeners have posted a request on, so that tunnels that lead to each other end somewhere. */
const HOPS_HEADER = 'sandbox-hops'

/** One tunnel may lead to another. */
export const MAX_HOPS = 1

/** How often a request was posted on. What is no number was not said by a listener. */
export const readHops = (headers: Headers): number =>
  Number(headers.find(([name, value]) => isHopsHeader(name) && /^\d{1,3}$/.test(value))?.[1] ?? 0)

const isHopsHeader = (name: string): boolean => name.toLowerCase() === HOPS_HEADER

/** What speaks of one connection and not of the request, as RFC 9110 has it. */
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

/** The header fields that go on to the next connection. What `Connection` names goes no further either. */
function dropHopByHop(headers: Headers): Headers {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()))
  return headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !HOP_BY_HOP.has(lower) && !named.includes(lower)
  })
}

/** Where a request goes below a local address, whose own path comes first. */
export function forwardedUrl(to: string, pathAndQuery: string): string {
  const { origin, pathname, search } = new URL(to)
  const [path = '', query] = pathAndQuery.split(/\?(.*)/s)
  const joined = path === '/' ? pathname : pathname.replace(/\/$/, '') + path
  const queries = [search.slice(1), query].filter((part) => part !== undefined && part !== '')
  return `${origin}${joined}${queries.length === 0 ? '' : `?${queries.join('&')}`}`
}

/**
 * A request's header fields as they go to a local address: in their order and case, for that host. A body that came
 * in chunks is there as a whole by now, so its length takes the place of what said so. How often it was posted on is
 * said last.
 */
export function forwardedRequestHeaders(headers: Headers, host: string, size: number): Headers {
  const wasChunked = findHeader(headers, 'transfer-encoding') !== undefined
  const others = headers.filter(([name]) => !isHopsHeader(name))
  const kept = dropHopByHop(others).map(([name, value]) =>
    name.toLowerCase() === 'host' ? ([name, host] as const) : ([name, value] as const),
  )
  return [
    ...(findHeader(kept, 'host') !== undefined ? [] : ([['Host', host]] as const)),
    ...kept,
    ...(wasChunked && findHeader(kept, 'content-length') === undefined
      ? ([['Content-Length', String(size)]] as const)
      : []),
    ['Sandbox-Hops', String(readHops(headers) + 1)],
  ]
}

const isContentLength = (name: string): boolean => name.toLowerCase() === 'content-length'

/**
 * An answer's header fields as they go back. Its body is there as a whole, so that its length is what it is and not
 * what was said: whoever believed that would read on into another answer. One without a body may say what it would be.
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
