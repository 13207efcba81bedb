import type { Headers } from './exchange.ts'

/** Says how many listeners have posted a request on, so that tunnels that lead to each other end somewhere. */
const HOPS_HEADER = 'sandbox-hops'

/** One tunnel may lead to another. */
export const MOST_HOPS = 1

/** How often a request was posted on. What is no number was not said by a listener. */
export const hopsOf = (headers: Headers): number =>
  Number(headers.find(([name, value]) => isHops(name) && /^\d{1,3}$/.test(value))?.[1] ?? 0)

const isHops = (name: string): boolean => name.toLowerCase() === HOPS_HEADER

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
function endToEnd(headers: Headers): Headers {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()))
  return headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return !HOP_BY_HOP.has(lower) && !named.includes(lower)
  })
}

const has = (headers: Headers, wanted: string): boolean =>
  headers.some(([name]) => name.toLowerCase() === wanted)

/** Where a request goes below a local address, whose own path comes first. */
export function localUrl(to: string, below: string): string {
  const { origin, pathname, search } = new URL(to)
  const [path = '', query] = below.split(/\?(.*)/s)
  const joined = path === '/' ? pathname : pathname.replace(/\/$/, '') + path
  const queries = [search.slice(1), query].filter((part) => part !== undefined && part !== '')
  return `${origin}${joined}${queries.length === 0 ? '' : `?${queries.join('&')}`}`
}

/**
 * A request's header fields as they go to a local address: in their order and case, for that host. A body that came
 * in chunks is there as a whole by now, so its length takes the place of what said so. How often it was posted on is
 * said last.
 */
export function localHeaders(headers: Headers, host: string, size: number): Headers {
  const wasChunked = has(headers, 'transfer-encoding')
  const others = headers.filter(([name]) => !isHops(name))
  const kept = endToEnd(others).map(([name, value]) =>
    name.toLowerCase() === 'host' ? ([name, host] as const) : ([name, value] as const),
  )
  return [
    ...(has(kept, 'host') ? [] : ([['Host', host]] as const)),
    ...kept,
    ...(wasChunked && !has(kept, 'content-length') ? ([['Content-Length', String(size)]] as const) : []),
    ['Sandbox-Hops', String(hopsOf(headers) + 1)],
  ]
}

const isLength = (name: string): boolean => name.toLowerCase() === 'content-length'

/**
 * An answer's header fields as they go back. Its body is there as a whole, so that its length is what it is and not
 * what was said: whoever believed that would read on into another answer. One without a body may say what it would be.
 */
export function answerHeaders(headers: Headers, status: number, method: string, size: number): Headers {
  const kept = endToEnd(headers)
  const said = kept.filter(([name]) => isLength(name)).map(([, value]) => value)
  const isBare = method === 'HEAD' || status === 304
  const length = isBare
    ? said.length === 1 && /^\d{1,15}$/.test(said[0]!)
      ? said[0]
      : undefined
    : String(size)
  const others = kept.filter(([name]) => !isLength(name))
  if (length === undefined || status === 204) return others
  const at = kept.findIndex(([name]) => isLength(name))
  return at === -1 ? [...others, ['content-length', length]] : others.toSpliced(at, 0, [kept[at]![0], length])
}
