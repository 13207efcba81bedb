import type { Context } from 'hono'
import type { Headers } from '../domain/exchange.ts'
import type { NodeEnv } from './env.ts'

/** A request's header fields as they came over the wire, in their order and case. */
export function rawHeaders(c: Context<NodeEnv>): Headers {
  const flat = c.env.incoming.rawHeaders
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []))
}
