import type { Context } from 'hono'
import { headersOf, type Headers } from '../domain/exchange.ts'
import type { NodeEnv } from './env.ts'

/** A request's header fields as they came over the wire, in their order and case. */
export const rawHeaders = (c: Context<NodeEnv>): Headers => headersOf(c.env.incoming.rawHeaders)
