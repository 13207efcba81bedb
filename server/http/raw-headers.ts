import type { Context } from 'hono'
import { pairHeaders, type Headers } from '../domain/http/exchange.ts'
import type { NodeEnv } from './node-env.ts'
import { ADMIN_COOKIE } from './admission.ts'

/**
 * A request's header fields as they came over the wire, in their order and case, but for what opens this sandbox: a
 * browser sends it to every door, and what comes there is shown and passed on.
 */
export const rawHeaders = (c: Context<NodeEnv>): Headers =>
  pairHeaders(c.env.incoming.rawHeaders).flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'cookie' || !value.includes(ADMIN_COOKIE)) return [[name, value] as const]
    const others = value.split(';').filter((one) => one.split('=', 1)[0]!.trim() !== ADMIN_COOKIE)
    return others.length === 0 ? [] : [[name, others.join(';').trimStart()] as const]
  })
