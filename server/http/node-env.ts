import type { HttpBindings } from '@hono/node-server'

/** Gives handlers Node's request and response, as `c.env.incoming` and `c.env.outgoing`. */
export interface NodeEnv {
  Bindings: HttpBindings
}
