import type { Context } from 'hono'
import { pairHeaders, type Headers } from '../../domain/http/exchange.ts'
import { incomingHeaders, type NodeEnv } from './node-env.ts'
import { ADMIN_COOKIE } from './access.ts'

/**
 * A request's header fields in the sequence and case in which they were sent, without the admin cookie. A browser sends that
 * cookie with every request to this host, and header fields are shown and forwarded.
 */
export function rawHeaders(c: Context<NodeEnv>): Headers {
  const incoming = incomingHeaders(c)
  const pairs = pairHeaders(incoming.rawHeaders)
  if (incoming.headers.cookie === undefined) return pairs
  return pairs.flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'cookie' || !value.includes(ADMIN_COOKIE)) return [[name, value] as const]
    const others = value.split(';').filter((cookie) => cookie.split('=', 1)[0]!.trim() !== ADMIN_COOKIE)
    return others.length === 0 ? [] : [[name, others.join(';').trimStart()] as const]
  })
}
