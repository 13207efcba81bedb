import type { HttpBindings } from '@hono/node-server'

/** What Hono hands through from Node: the request and response underneath. */
export interface NodeEnv {
  Bindings: HttpBindings
}
