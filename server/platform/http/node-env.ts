import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'

/** Passes Node's request and response to handlers, as `c.env.incoming` and `c.env.outgoing`. */
export interface NodeEnv {
  Bindings: HttpBindings
}

/** Handles the requests of a server. */
export type App = Pick<Hono<NodeEnv>, 'fetch'>
