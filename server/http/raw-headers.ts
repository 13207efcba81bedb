import type { Context } from 'hono'
import { pairHeaders, type Headers } from '../domain/http/exchange.ts'
import type { NodeEnv } from './node-env.ts'
import { ADMIN_COOKIE } from './admission.ts'

/**
 * A request's header fields in the order and case in which they were sent, without the admin cookie. A browser sends
 * that cookie with every request to this host, and header fields are shown and forwarded.
 */
export const rawHeaders = (c: Context<NodeEnv>): Headers =>
  pairHeaders(c.env.incoming.rawHeaders).flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'cookie' || !value.includes(ADMIN_COOKIE)) return [[name, value] as const]
    const others = value.split(';').filter((cookie) => cookie.split('=', 1)[0]!.trim() !== ADMIN_COOKIE)
    return others.length === 0 ? [] : [[name, others.join(';').trimStart()] as const]
  })
